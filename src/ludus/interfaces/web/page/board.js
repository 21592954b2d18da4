// The board: a labelled grid of buttons. Clicking, touching or the keyboard choose a move; changes are animated.

import { el, number, svg } from "./dom.js";

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Board {
  constructor(layout, sides, label, onmove) {
    Object.assign(this, { layout, sides, onmove, cells: ".".repeat(layout.squares.length), legal: [], route: [], heat: [] });
    this.kind = layout.kind;
    this.buttons = [];
    this.pieces = new Map();
    this.at = new Map(layout.squares.map((square, i) => [`${square.row},${square.column}`, i]));
    this.grid = el("div", { class: "board", role: "grid", "aria-label": label, "aria-rowcount": layout.rows, "aria-colcount": layout.columns });
    this.grid.classList.toggle("small-cells", layout.columns > 9);
    for (let row = 0; row < layout.rows; row++) this.grid.append(this.makeRow(row));
    this.grid.addEventListener("keydown", (event) => this.steer(event));
    this.element = el("div", { class: "frame" }, ...this.edges(), this.grid);
    this.element.style.setProperty("--columns", layout.columns);
    this.element.style.setProperty("--rows", layout.rows);
    this.focus = layout.squares.findIndex((square) => square.row === layout.rows >> 1) || 0;
    this.buttons[this.focus].tabIndex = 0;
  }

  makeRow(row) {
    const line = el("div", { role: "row", "aria-rowindex": row + 1 });
    for (let column = 0; column < this.layout.columns; column++) {
      const square = this.at.get(`${row},${column}`);
      if (square === undefined) {
        line.append(el("div", { class: "cell", role: "gridcell", "aria-label": "not used" }));
        continue;
      }
      const edge = [row === 0 && "north", row === this.layout.rows - 1 && "south", column === 0 && "west", column === this.layout.columns - 1 && "east"];
      const button = el("button", {
        type: "button", role: "gridcell", tabindex: -1, "aria-colindex": column + 1, "data-square": this.layout.squares[square].name,
        class: ["cell", this.kind === "checkers" && "dark", ...edge].filter(Boolean).join(" "),
        onclick: () => this.touch(square),
      });
      if (this.kind === "checkers") button.append(el("span", { class: "name", "aria-hidden": "true" }, this.layout.squares[square].name));
      if (this.kind === "go" && this.isStar(row, column)) button.append(el("span", { class: "star" }));
      this.buttons[square] = button;
      line.append(button);
    }
    return line;
  }

  isStar(row, column) {
    const size = this.layout.rows, edge = size > 11 ? 3 : 2, middle = (size - 1) / 2;
    const marks = size < 7 ? [middle] : size > 11 && size % 2 ? [edge, middle, size - 1 - edge] : [edge, size - 1 - edge];
    return (marks.includes(row) && marks.includes(column)) || (size % 2 === 1 && size < 12 && row === middle && column === middle);
  }

  edges() {
    const { rows, columns, squares } = this.layout;
    if (squares.length < rows * columns) return []; // their names are no rows and columns
    const across = [...Array(columns).keys()].map((column) => squares[this.at.get(`0,${column}`)].name.replace(/\d+/, ""));
    const down = [...Array(rows).keys()].map((row) => squares[this.at.get(`${row},0`)].name.replace(/\D+/, ""));
    return [["top", across], ["left", down]].map(([side, names]) =>
      el("div", { class: `edge ${side}`, "aria-hidden": "true" }, names.map((name) => el("span", {}, name))));
  }

  // frame: what stands where, and the move that led here
  show(frame, { legal = [], mover = 0, animate = false } = {}) {
    const before = this.cells;
    this.cells = frame.cells;
    this.legal = legal;
    this.route = [];
    this.grid.classList.toggle("second", mover === 1);
    this.moving = frame.path?.length > 1;
    const origin = frame.path?.at(-1);
    for (let square = 0; square < this.buttons.length; square++) this.place(square, before[square], frame.cells[square], animate && !still(), origin);
    if (animate && !still() && this.moving) this.slide(frame.path);
    this.buttons.forEach((button) => {
      button.classList.remove("trace", "hint");
      button.querySelector(".last-mark")?.remove();
    });
    if (frame.path?.length) {
      this.buttons[frame.path.at(-1)].append(el("span", { class: "last-mark" }));
      if (frame.path.length > 1) this.buttons[frame.path[0]].classList.add("trace");
    }
    this.mark();
  }

  place(square, was, is, animate, origin) {
    const button = this.buttons[square];
    let piece = this.pieces.get(square);
    if (is === ".") {
      if (!piece) return;
      this.pieces.delete(square);
      if (!animate) return piece.remove();
      piece.classList.add("gone");
      piece.addEventListener("animationend", () => piece.remove(), { once: true });
      setTimeout(() => piece.remove(), 600);
      return;
    }
    const side = is.toLowerCase();
    if (!piece) {
      piece = el("span", { class: `piece ${side}` }, el("span", { class: "face x" }), el("span", { class: "face o" }));
      if (animate && !this.moving) piece.classList.add("new");
      button.append(piece);
      this.pieces.set(square, piece);
    } else if (was !== is) {
      piece.style.setProperty("--wait", animate && origin !== undefined ? `${70 * this.distance(square, origin)}ms` : "0ms");
      piece.classList.remove("x", "o", "new");
      piece.classList.add(side);
    }
    const king = is !== side;
    if (king && !piece.querySelector(".crown")) {
      piece.append(svg("svg", { viewBox: "0 0 24 24", class: "crown" }, svg("path", { d: "M3 19h18l1.5-12-6 4.5L12 4 7.5 11.5 1.5 7z" })));
    } else if (!king) piece.querySelector(".crown")?.remove();
  }

  distance(a, b) {
    const [one, other] = [this.layout.squares[a], this.layout.squares[b]];
    return Math.max(Math.abs(one.row - other.row), Math.abs(one.column - other.column)) - 1;
  }

  slide(path) {
    const piece = this.pieces.get(path.at(-1));
    if (!piece) return;
    const end = this.buttons[path.at(-1)].getBoundingClientRect();
    const steps = path.map((square) => {
      const box = this.buttons[square].getBoundingClientRect();
      return { transform: `translate(${box.left - end.left}px, ${box.top - end.top}px)`, zIndex: 5 };
    });
    piece.animate(steps, { duration: 220 * (path.length - 1), easing: "ease-in-out" });
  }

  // moves that go on from what was chosen so far
  going() {
    return this.legal.filter((each) => this.route.every((square, i) => each.path[i] === square));
  }

  mark() {
    const next = new Set(this.going().map((each) => each.path[this.route.length]));
    this.buttons.forEach((button, square) => {
      const can = next.has(square) || (this.route.length === 1 && this.legal.some((each) => each.path[0] === square));
      button.classList.toggle("can", can);
      button.classList.toggle("chosen", this.route.includes(square));
      button.setAttribute("aria-label", this.label(square, next.has(square)));
      const dot = button.querySelector(".dot");
      if (can && this.cells[square] === "." && !dot) button.append(el("span", { class: "dot" }));
      else if (dot && !(can && this.cells[square] === ".")) dot.remove();
    });
  }

  label(square, can) {
    const cell = this.cells[square], side = this.sides[cell.toLowerCase() === "x" ? 0 : 1].toLowerCase();
    const stands = cell === "." ? "empty" : `${side} ${cell === cell.toLowerCase() ? this.layout.pieces[0] : "king"}`;
    const worth = this.heat.find((each) => each.path.at(-1) === square);
    const role = !can ? "" : cell === "." ? ", legal move" : ", can move";
    const chosen = this.route.includes(square) ? ", chosen" : "";
    return `${this.layout.squares[square].name}, ${stands}${chosen}${role}${worth ? `, the machine's value ${number(worth.value)}` : ""}`;
  }

  // where pieces fall, a whole column stands for its free square
  meant(square) {
    if (!this.layout.falls) return square;
    const { column } = this.layout.squares[square];
    return this.going().map((each) => each.path[0]).find((each) => this.layout.squares[each]?.column === column) ?? square;
  }

  touch(touched) {
    this.setFocus(touched);
    const square = this.meant(touched), going = this.going();
    const next = going.filter((each) => each.path[this.route.length] === square);
    if (next.length) {
      this.route.push(square);
      const done = next.find((each) => each.path.length === this.route.length);
      if (done && (next.length === 1 || next.every((each) => each.move === done.move))) return this.send(done.move);
    } else {
      const ending = going.filter((each) => this.route.length && each.path.at(-1) === square);
      if (ending.length === 1) return this.send(ending[0].move);
      this.route = this.legal.some((each) => each.path.length > 1 && each.path[0] === square) && this.route[0] !== square ? [square] : [];
    }
    this.mark();
  }

  // a move is made once: the next can be chosen when the board is shown again
  send(move) {
    this.route = [];
    this.legal = [];
    this.mark();
    this.onmove(move);
  }

  setFocus(square) {
    this.buttons[this.focus].tabIndex = -1;
    this.focus = square;
    this.buttons[square].tabIndex = 0;
  }

  steer(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Escape" && this.route.length) {
      this.route = [];
      return this.mark();
    }
    let target;
    const { row, column } = this.layout.squares[this.focus];
    if (step) {
      for (let i = 1; i <= 2 && target === undefined; i++) {
        target = this.at.get(`${row + i * step[0]},${column + i * step[1]}`);
        if (target === undefined) {
          const aside = step[0] ? [[step[0], 1], [step[0], -1]] : [];
          target = aside.map(([down, right]) => this.at.get(`${row + down},${column + right}`)).find((each) => each !== undefined);
        }
      }
    } else if (event.key === "Home") target = this.layout.squares.findIndex((each) => each.row === row);
    else if (event.key === "End") target = this.layout.squares.findLastIndex((each) => each.row === row);
    else return;
    event.preventDefault();
    if (target === undefined || target < 0) return;
    this.setFocus(target);
    this.buttons[target].focus();
  }

  // weighed moves as colours on the squares they end on; null clears them
  warm(moves) {
    this.heat = (moves ?? []).filter((each) => each.path.length && each.value !== null);
    this.buttons.forEach((button) => button.querySelectorAll(".heat, .worth").forEach((each) => each.remove()));
    const best = new Map();
    for (const each of this.heat) {
      const square = each.path.at(-1);
      if (!best.has(square) || best.get(square).value < each.value) best.set(square, each);
    }
    this.heat = [...best.values()];
    const values = this.heat.map((each) => each.value), low = Math.min(...values), high = Math.max(...values);
    for (const each of this.heat) {
      const share = high > low ? (each.value - low) / (high - low) : 1;
      const patch = el("span", { class: "heat" });
      patch.style.setProperty("--heat", (0.06 + 0.74 * share ** 1.6).toFixed(2));
      const worth = el("span", { class: each.value === high ? "worth best" : "worth" }, number(each.value));
      this.buttons[each.path.at(-1)].append(patch, worth);
    }
    this.mark();
  }

  hint(path) {
    path.forEach((square) => this.buttons[square].classList.add("hint"));
  }
}
