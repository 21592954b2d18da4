// The form that begins a game.

import { get, post } from "./api.js";
import { el, notice, remember, remembered } from "./dom.js";

const PERSON = "person";
const WHO = [["machine", "Against a player"], ["people", "Two people"], ["watch", "Watch two players"]];
const SKILLS = [["", "Not said"], ["new", "New to it"], ["average", "Average"], ["strong", "Strong"]];
const CLOCKS = [[0, "No clock"], [60, "1 minute each"], [180, "3 minutes each"], [300, "5 minutes each"], [600, "10 minutes each"], [1800, "30 minutes each"]];
const NOISE = [[0, "None"], [0.1, "1 move in 10 by lot"], [0.25, "1 move in 4 by lot"], [0.5, "Every other move by lot"]];

let catalog = null;
export const allGames = async () => (catalog ??= (await get("/api/games")).games.sort((a, b) => (b.name === "othello") - (a.name === "othello")));

export function choice(legend, name, options, chosen, onchange) {
  return el("fieldset", { class: "choice" }, el("legend", {}, legend), options.map(([value, title]) =>
    el("label", {}, el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }), el("span", {}, title))));
}

export function field(title, input, says = "") {
  return el("label", { class: "field" }, el("span", {}, title), input, says ? el("small", {}, says) : null);
}

export function select(options, chosen, onchange) {
  const made = el("select", { onchange: () => onchange(made.value) }, options.map(([value, title]) => el("option", { value, selected: String(value) === String(chosen) }, title)));
  return made;
}

export function playerSelect(players, chosen, onchange) {
  const groups = new Map();
  players.forEach((each) => groups.set(each.group, [...(groups.get(each.group) ?? []), each]));
  const made = el("select", { onchange: () => onchange(made.value) }, [...groups].map(([group, members]) =>
    el("optgroup", { label: group }, members.map((each) => el("option", { value: each.player, selected: each.player === chosen }, each.title)))));
  return made;
}

export async function setupPanel(onbegin) {
  const games = await allGames();
  const asked = { family: "othello", size: 8, options: {}, who: "machine", side: "first", opponent: "", other: "", skill: "", opening: 0, handicap: 0, clock: 0, ...remembered("setup", {}) };
  const panel = el("section", { class: "panel stack", "aria-labelledby": "new-game" });
  if (!games.some((each) => each.name === asked.family)) Object.assign(asked, { family: games[0].name, size: games[0].default_size, options: {} }); // its package is gone
  let players = [];
  const family = () => games.find((each) => each.name === asked.family) ?? games[0];
  const name = () => {
    const options = Object.entries(asked.options).filter(([key, value]) => family().options.some((each) => each.name === key && String(each.default) !== String(value)));
    return `${asked.family}${family().sizes.length ? asked.size : ""}${options.length ? ":" + options.map(([key, value]) => `${key}=${value}`).join(",") : ""}`;
  };

  async function refresh() {
    try {
      players = (await get(`/api/players?game=${encodeURIComponent(name())}`)).players;
    } catch (problem) {
      asked.options = {};
      notice(problem.message);
      players = (await get(`/api/players?game=${encodeURIComponent(name())}`)).players;
    }
    const strings = players.map((each) => each.player);
    const usual = ["heuristic", "alphabeta:depth=2", "pieces", "wally", "jain2018", "discs"].find((each) => strings.includes(each)) ?? strings[0];
    if (!strings.includes(asked.opponent)) asked.opponent = usual;
    if (!strings.includes(asked.other)) asked.other = strings[0];
    draw();
  }

  const change = (key, again = false) => (value) => {
    asked[key] = value;
    remember("setup", asked);
    again ? refresh() : draw(true);
  };

  function draw(keepFocus = false) {
    const active = keepFocus ? document.activeElement?.getAttribute("data-key") ?? document.activeElement?.name : null;
    const value = keepFocus ? document.activeElement?.value : null;
    const { sizes, shapes, sides } = family(), boards = sizes.map((size, i) => [size, shapes[i]]);
    const shown = [el("h1", { id: "new-game" }, "Begin a game"),
      choice("Game", "family", games.map((each) => [each.name, each.title]), asked.family, (chosen) => {
        asked.size = games.find((each) => each.name === chosen).default_size;
        asked.options = {};
        change("family", true)(chosen);
      })];
    if (sizes.length && sizes.length <= 4) shown.push(choice("Board", "size", boards, asked.size, change("size", true)));
    else if (sizes.length) shown.push(field("Board", keyed(select(boards, asked.size, (size) => change("size", true)(Number(size))), "size")));
    shown.push(choice("Who plays", "who", WHO, asked.who, change("who")));
    const told = (text) => players.find((each) => each.player === text)?.says ?? "";
    if (asked.who === "machine") {
      shown.push(field("Opponent", keyed(playerSelect(players, asked.opponent, change("opponent")), "opponent"), told(asked.opponent)),
        choice("You play", "side", [["first", sides[0]], ["second", sides[1]], ["lot", "By lot"]], asked.side, change("side")));
    } else if (asked.who === "watch") {
      shown.push(el("div", { class: "grid2" },
        field(sides[0], keyed(playerSelect(players, asked.opponent, change("opponent")), "opponent"), told(asked.opponent)),
        field(sides[1], keyed(playerSelect(players, asked.other, change("other")), "other"), told(asked.other))));
    }
    const more = el("details", { open: panel.querySelector("details")?.open }, el("summary", {}, "Handicap, clock, your skill, rules"),
      el("div", { class: "grid2" },
        asked.who === "machine" ? field("Handicap of the machine", keyed(select(NOISE, asked.handicap, (chosen) => change("handicap")(Number(chosen))), "handicap"), "random moves among its own") : null,
        field("Random opening moves", keyed(select([0, 2, 4, 6, 8, 10].map((each) => [each, each || "None"]), asked.opening, (chosen) => change("opening")(Number(chosen))), "opening")),
        asked.who === "watch" ? null : field("Clock", keyed(select(CLOCKS, asked.clock, (chosen) => change("clock")(Number(chosen))), "clock")),
        asked.who === "machine" ? field("Your skill at this game", keyed(select(SKILLS, asked.skill, change("skill")), "skill"), "kept with the result, for research") : null,
        family().options.map((option) => field(option.name, option.choices.length
          ? keyed(select(option.choices.map((each) => [each, each]), asked.options[option.name] ?? option.default, (chosen) => change("options", true)({ ...asked.options, [option.name]: chosen })), option.name)
          : el("input", { type: "number", "data-key": option.name, value: asked.options[option.name] ?? option.default, min: option.low, max: option.high, step: Number.isInteger(option.default) ? 1 : 0.5,
            onchange: (event) => change("options", true)({ ...asked.options, [option.name]: event.target.value }) }), option.says))));
    const start = el("button", { type: "button", class: "main", id: "begin", onclick: begin }, asked.who === "watch" ? "Begin and watch" : "Begin");
    shown.push(more, el("div", { class: "row" }, start));
    panel.replaceChildren(...shown);
    if (active) {
      const again = [...panel.querySelectorAll("select, input")].find((each) => (each.getAttribute("data-key") ?? each.name) === active && (each.type !== "radio" || each.value === value));
      again?.focus();
    }
  }

  function keyed(input, key) {
    input.setAttribute("data-key", key);
    return input;
  }

  async function begin() {
    const first = asked.side === "first" || (asked.side === "lot" && Math.random() < 0.5);
    const seats = { machine: first ? [PERSON, asked.opponent] : [asked.opponent, PERSON], people: [PERSON, PERSON], watch: [asked.opponent, asked.other] }[asked.who];
    const machine = asked.who === "machine";
    const wanted = { game: name(), black: seats[0], white: seats[1], skill: machine ? asked.skill : "", opening: asked.opening, handicap: machine ? asked.handicap : 0, clock: asked.who === "watch" ? 0 : asked.clock };
    const button = panel.querySelector("#begin");
    button.disabled = true;
    try {
      onbegin(await post("/api/tables", wanted));
    } catch (problem) {
      notice(problem.message);
      button.disabled = false;
    }
  }

  await refresh();
  return panel;
}
