// A game being played, watched or looked at again.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { el, notice, pause, remember, remembered, say, svg } from "./dom.js";
import { whyPanel } from "./why.js";

// milliseconds for a move to be seen before the next
const BETWEEN = matchMedia("(prefers-reduced-motion: reduce)").matches ? 40 : 550;
const SPEEDS = [["1500", "slow"], ["700", "normal"], ["150", "fast"]];

// in checkers a person's own pieces are below
function turned({ layout, persons }) {
  if (layout.kind !== "checkers" || persons.length !== 1 || persons[0] !== 0) return layout;
  return { ...layout, squares: layout.squares.map((square) => ({ ...square, row: layout.rows - 1 - square.row, column: layout.columns - 1 - square.column })) };
}

export class Play {
  constructor(told, onnew) {
    Object.assign(this, { told, onnew, frames: told.frames, at: told.frames.length - 1, layout: turned(told), running: true, left: false, hinting: null });
    this.heat = remembered("heat", true);
    this.why = { ply: -1 };
    this.board = new Board(this.layout, told.sides, `${told.game} board`, (move) => this.move(move));
    this.build();
    this.show(false);
    this.ticking = setInterval(() => this.tick(), 250);
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.go();
  }

  close() {
    this.left = true;
    clearInterval(this.ticking);
    document.removeEventListener("keydown", this.keys);
  }

  get path() {
    return `/api/tables/${this.told.id}`;
  }

  get last() {
    return this.frames.length - 1;
  }

  get over() {
    return this.told.outcome !== null;
  }

  get mine() {
    return !this.over && this.told.persons.includes(this.told.now.mover);
  }

  build() {
    const button = (title, name, act, kind = "") => el("button", { type: "button", id: name, class: kind, onclick: act }, title);
    this.seats = [0, 1].map((side) => el("div", { class: "seat" }, el("span", { class: `chip ${"xo"[side]}` }), el("span", { class: "who" }, this.told.titles[side] + (this.told.strategies[side] === null ? "" : `, strategy ${this.told.strategies[side] + 1}`)),
      el("span", { class: "state" }), el("span", { class: "clock", hidden: true }), el("span", { class: "count" })));
    this.slider = el("input", { type: "range", min: 0, max: this.last, value: this.last, "aria-label": "Moves of the game", oninput: () => this.look(Number(this.slider.value)) });
    const step = (shape, label, where) => el("button", { type: "button", class: "quiet", "aria-label": label, onclick: () => this.look(where()) },
      svg("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: shape, fill: "currentColor" })));
    this.steer = el("div", { class: "steer" }, step("M5 5h3v14H5zM20 5v14L9 12z", "First position", () => 0), step("M17 5v14L6 12z", "One move back", () => this.at - 1), this.slider,
      step("M7 5v14l11-7z", "One move on", () => this.at + 1), step("M16 5h3v14h-3zM4 5v14l11-7z", "Last position", () => this.last));
    this.buttons = {
      pass: button("Pass", "pass", () => this.move("pass")), undo: button("Undo", "undo", () => this.undo()), hint: button("Hint", "hint", () => this.hint()),
      resign: button("Resign", "resign", () => this.resign()), pause: button("Pause", "pause", () => this.toggle()), step: button("Step", "step", () => this.watchOne()),
    };
    this.speed = el("select", { "aria-label": "Speed", onchange: () => remember("speed", this.speed.value) }, SPEEDS.map(([value, title]) => el("option", { value, selected: value === remembered("speed", "700") }, title)));
    this.speed.style.width = "auto";
    this.verdict = el("div", { class: "verdict", hidden: true, id: "verdict" });
    this.lesson = el("p", { class: "lesson", id: "lesson", hidden: true });
    this.moves = el("ol", { class: "moves" });
    this.reason = el("div", { id: "why" });
    this.heatBox = el("input", { type: "checkbox", checked: this.heat, id: "heat", onchange: () => this.setHeat(this.heatBox.checked) });
    this.downloads = el("div", { class: "row" }, this.told.formats.map((form) => el("a", { href: `${this.path}/record/${form}`, download: "" }, form.toUpperCase())));
    const flip = this.told.persons.length === 1 && this.told.persons[0] === 0;
    const [above, below] = flip ? [this.seats[1], this.seats[0]] : [this.seats[0], this.seats[1]];
    this.element = el("div", { class: `play ${this.layout.kind}` },
      el("section", { "aria-label": "Board" }, above, this.board.element, below, this.steer,
        el("div", { class: "row actions" }, Object.values(this.buttons), this.speed, button("New game", "new", () => this.onnew())), this.verdict, this.lesson),
      el("div", { class: "stack" },
        el("section", { class: "panel", "aria-labelledby": "why-title" },
          el("div", { class: "row spread" }, el("h2", { id: "why-title" }, "Why"), el("label", { class: "row note" }, this.heatBox, " show on the board")), this.reason),
        el("section", { class: "panel", "aria-labelledby": "moves-title" }, el("div", { class: "row spread" }, el("h2", { id: "moves-title" }, "Moves"), this.downloads), this.moves)));
    this.layout.colours.forEach((colour, side) => this.element.style.setProperty(["--first", "--second"][side], colour));
  }

  // ---- what is seen

  show(animate) {
    const frame = this.frames[this.at], live = this.at === this.last, { now } = this.told;
    this.board.show(frame, { legal: live && this.mine ? now.legal : [], mover: now.mover, animate });
    this.slider.max = this.last;
    this.slider.value = this.at;
    const counts = [["x", "X"], ["o", "O"]].map((letters) => [...frame.cells].filter((cell) => letters.includes(cell)).length);
    this.seats.forEach((seat, side) => {
      seat.querySelector(".count").textContent = counts[side];
      seat.querySelector(".count").setAttribute("aria-label", `${counts[side]} ${this.layout.pieces[1]}`);
      seat.querySelector(".count").title = `${this.layout.pieces[1]} on the board`;
      const turn = !this.over && live && now.mover === side;
      seat.classList.toggle("turn", turn);
      seat.classList.toggle("thinking", turn && !this.mine && this.running);
      seat.querySelector(".state").textContent = !turn ? "" : this.mine ? (this.told.persons.length === 2 ? "to move" : "your turn") : this.running ? "is thinking…" : "waits";
    });
    const watching = !this.told.persons.length;
    const b = this.buttons;
    b.pass.hidden = !(live && this.mine && now.legal.some((each) => each.move === "pass"));
    b.pass.classList.toggle("main", now.legal.length === 1);
    b.undo.hidden = b.hint.hidden = watching || this.over;
    b.resign.hidden = watching || this.over;
    b.undo.disabled = !live || this.last <= this.told.opening || this.told.clock > 0;
    b.hint.disabled = !live || !this.mine;
    b.pause.hidden = b.step.hidden = this.speed.hidden = !watching || this.over;
    b.pause.textContent = this.running ? "Pause" : "Go on";
    b.step.disabled = this.running;
    this.showEnd();
    this.showMoves();
    this.tick();
    this.explain();
  }

  showEnd() {
    this.verdict.hidden = this.lesson.hidden = true;
    if (!this.over) return;
    this.verdict.replaceChildren(el("strong", {}, this.result()), el("span", {}, this.ending()),
      el("button", { type: "button", class: "main small", onclick: () => this.onnew(true) }, "Play again"));
    this.verdict.hidden = false;
    this.lesson.textContent = this.told.lesson;
    this.lesson.hidden = !this.told.lesson;
  }

  result() {
    const { outcome, persons, sides } = this.told;
    if (outcome === 0.5) return "A draw.";
    const winner = outcome === 1 ? 0 : 1;
    if (persons.length === 1) return persons[0] === winner ? "You win." : "You lose.";
    return `${sides[winner]} wins.`;
  }

  ending() {
    const { reason, now, sides, outcome } = this.told;
    const loser = outcome === 1 ? sides[1] : sides[0];
    if (reason === "resigned") return `${loser} resigned.`;
    if (reason === "time") return `${loser} ran out of time.`;
    if (!this.layout.unit) return "";
    if (now.margin === 0) return "Nobody is ahead.";
    const lead = now.margin > 0 ? sides[0] : sides[1];
    return `${lead} is ahead by ${Math.abs(now.margin)} ${this.layout.unit}.`;
  }

  showMoves() {
    const made = this.frames.slice(1);
    if (this.moves.childElementCount !== made.length || this.moves.dataset.last !== `${made.at(-1)?.move}`) {
      this.moves.replaceChildren(...made.map((frame, i) => el("li", {},
        el("button", { type: "button", onclick: () => this.look(i + 1), "aria-label": `Move ${i + 1}, ${this.told.sides[frame.mover]} ${frame.move}` },
          el("span", { class: "number" }, `${i + 1}.`), frame.move))));
      this.moves.dataset.last = `${made.at(-1)?.move}`;
    }
    this.moves.querySelectorAll("[aria-current]").forEach((each) => each.removeAttribute("aria-current"));
    const current = this.moves.children[this.at - 1]?.firstChild;
    current?.setAttribute("aria-current", "true");
    if (current) this.moves.scrollTop = current.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
  }

  tick() {
    if (!this.told.left || this.left) return;
    const spent = this.over ? 0 : (performance.now() - (this.stamp ??= performance.now())) / 1000;
    this.told.left.forEach((seconds, side) => {
      const left = Math.max(0, seconds - (side === this.told.now.mover ? spent : 0));
      const clock = this.seats[side].querySelector(".clock");
      clock.hidden = false;
      clock.textContent = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
      if (left === 0 && !this.over && !this.flagging) {
        this.flagging = true;
        post(`${this.path}/flag`).then((told) => this.take(told, false)).catch(() => {}).finally(() => (this.flagging = false));
      }
    });
  }

  look(ply) {
    const wanted = Math.max(0, Math.min(this.last, ply));
    if (wanted === this.at) return;
    const forward = wanted === this.at + 1;
    this.at = wanted;
    this.hinting = null;
    this.show(forward);
    const frame = this.frames[wanted];
    say(frame.move ? `After move ${wanted}, ${this.told.sides[frame.mover]} ${frame.move}` : "The beginning");
  }

  setHeat(on) {
    this.heat = on;
    remember("heat", on);
    this.board.warm(on ? this.weighed : null);
  }

  // ---- the reason for the move that led to what is seen

  async explain() {
    const ply = this.at - 1, frame = this.frames[this.at];
    if (this.hinting) return;
    if (!frame.move || this.told.persons.includes(frame.mover)) {
      const before = [...this.frames.keys()].reverse().find((i) => i <= this.at && this.frames[i].move && !this.told.persons.includes(this.frames[i].mover) && !(i <= this.told.opening));
      if (!before || this.at !== this.last) {
        this.weighed = null;
        this.board.warm(null);
        this.why = { ply: -1 };
        this.reason.replaceChildren(el("p", { class: "note" }, this.told.players.every((each) => each === "person")
          ? "Two people play: ask for a hint to see what a machine would weigh." : "After each move of the machine this tells what it weighed: every legal move and its value."));
      } else {
        this.weighed = null; // the person has moved since: the list stays, the colours go
        this.board.warm(null);
      }
      return;
    }
    if (this.why.ply === ply && this.why.move === frame.move) return this.board.warm(this.heat ? this.weighed : null);
    this.why = { ply, move: frame.move };
    this.weighed = null;
    this.board.warm(null);
    await pause(this.told.persons.length ? 0 : 120);
    if (this.why.ply !== ply || this.left) return;
    try {
      const told = await get(`${this.path}/why/${ply}`);
      if (this.why.ply !== ply || this.left) return;
      this.weighed = told.why.moves;
      this.reason.replaceChildren(whyPanel({ layout: this.layout, told, sides: this.told.sides, picture: `${this.path}/picture/${ply}` }));
      if (this.at - 1 === ply) this.board.warm(this.heat ? this.weighed : null);
    } catch (problem) {
      this.reason.replaceChildren(el("p", { class: "note" }, problem.message));
    }
  }

  // ---- what is done

  // take in what the server told; frames that came anew are shown one after the other
  take(told, animate = true) {
    const fresh = told.frames;
    this.told = { ...told, layout: this.layout };
    this.stamp = performance.now();
    this.hinting = null;
    if (fresh.length) {
      this.frames = [...this.frames.slice(0, fresh[0].ply), ...fresh];
    }
    this.at = this.last;
    this.show(animate);
    const frame = this.frames[this.last];
    const words = [frame.move && fresh.length ? `${told.sides[frame.mover]} plays ${frame.move}.` : "",
      this.over ? `${this.result()} ${this.ending()} ${told.lesson}` : this.mine ? `${this.told.sides[told.now.mover]} to move, ${told.now.legal.length} legal moves.` : ""];
    say(words.join(" "));
  }

  async move(move) {
    if (!this.mine || this.busy) return;
    this.busy = true;
    try {
      this.take(await post(`${this.path}/move`, { ply: this.last, move }));
      await pause(BETWEEN);
    } catch (problem) {
      await this.recover(problem);
    } finally {
      this.busy = false;
    }
    this.go();
  }

  // let machines move as long as it is their turn
  async go() {
    if (this.going) return;
    this.going = true;
    try {
      while (!this.left && !this.over && !this.mine && this.running) {
        await this.reply();
        await pause(this.told.persons.length ? BETWEEN / 2 : Number(this.speed.value));
      }
    } finally {
      this.going = false;
    }
  }

  async reply() {
    const ply = this.last;
    try {
      const told = await post(`${this.path}/reply`, { ply });
      if (!this.left && this.last === ply) this.take(told);
    } catch (problem) {
      if (!this.left) await this.recover(problem);
    }
  }

  // the game went on elsewhere, or the server was restarted: look again until it answers
  async recover(problem) {
    if (problem.status !== 409) notice(problem.message);
    await pause(problem.status === 409 ? 700 : 0);
    while (!this.left) {
      try {
        const told = await get(this.path);
        if (this.left) return;
        this.frames = told.frames;
        return this.take({ ...told, frames: [] }, false);
      } catch (again) {
        if (again.status === 404) {
          notice(again.message);
          this.running = false;
          return;
        }
        await pause(1500);
      }
    }
  }

  async undo() {
    try {
      const told = await post(`${this.path}/undo`, { ply: this.last });
      this.frames = this.frames.slice(0, told.frames[0].ply);
      this.why = { ply: -1 };
      this.take(told, false);
      this.go();
    } catch (problem) {
      await this.recover(problem);
    }
  }

  async hint() {
    this.buttons.hint.disabled = true;
    const ply = this.last;
    try {
      const told = await post(`${this.path}/hint`, { ply });
      if (this.last !== ply || this.left) return;
      this.hinting = told;
      this.why = { ply: -1 };
      this.weighed = told.why.moves;
      this.reason.replaceChildren(whyPanel({ layout: this.layout, told: { ...told, side: this.told.now.mover }, sides: this.told.sides }));
      this.board.warm(told.why.moves);
      const best = told.why.moves[0];
      if (best) {
        this.board.hint(best.path);
        say(`${told.by} would play ${best.move}.`);
      }
    } catch (problem) {
      await this.recover(problem);
    } finally {
      this.buttons.hint.disabled = !this.mine;
    }
  }

  async resign() {
    const button = this.buttons.resign;
    if (button.dataset.sure !== "yes") {
      button.dataset.sure = "yes";
      button.textContent = "Really resign?";
      setTimeout(() => {
        button.dataset.sure = "";
        button.textContent = "Resign";
      }, 3000);
      return;
    }
    try {
      this.take(await post(`${this.path}/resign`), false);
    } catch (problem) {
      await this.recover(problem);
    }
  }

  toggle() {
    this.running = !this.running;
    this.show(false);
    this.go();
  }

  async watchOne() {
    if (this.busy || this.over) return;
    this.busy = true;
    await this.reply();
    this.busy = false;
  }

  key(event) {
    const typing = /INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey;
    if (typing) return;
    const onboard = event.target.closest?.(".board");
    const act = { u: () => this.buttons.undo, h: () => this.buttons.hint, p: () => this.buttons.pass }[event.key]?.();
    if (act && !act.hidden && !act.disabled) act.click();
    else if (!onboard && event.key === "ArrowLeft") this.look(this.at - 1);
    else if (!onboard && event.key === "ArrowRight") this.look(this.at + 1);
    else if (event.key === ",") this.look(this.at - 1);
    else if (event.key === ".") this.look(this.at + 1);
  }
}
