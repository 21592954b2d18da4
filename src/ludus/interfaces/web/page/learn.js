// Learning: runs with their curves, leagues, profiles, and the reports on papers.

import { get, post } from "./api.js";
import { lineChart, superiority } from "./charts.js";
import { el, notice, number, pause, remember, remembered } from "./dom.js";
import { allGames, field, select } from "./setup.js";

const POLL = 2500;

export class Learn {
  constructor() {
    this.left = false;
    this.chosen = new Set();
    this.figure = "";
    this.runs = el("div", {}, el("p", { class: "note" }, "Looking for runs…"));
    this.curve = el("div", { id: "curve" });
    this.starting = el("div", {});
    this.studies = el("div", { id: "studies" });
    this.asking = el("div", {});
    this.papers = el("div", {});
    const panel = (id, title, says, ...parts) => el("section", { class: "panel stack", "aria-labelledby": id }, el("div", {}, el("h2", { id }, title), el("p", { class: "note" }, says)), ...parts);
    this.element = el("div", { class: "learn" },
      panel("runs-title", "Runs", "Choose runs to see their curves; those under way grow as you watch.", this.runs, this.curve),
      el("div", { class: "stack" }, panel("start-title", "Grow a player", "A run is one seeded training in a process of its own. Stopped, it can go on later.", this.starting)),
      el("div", { class: "stack" }, panel("studies-title", "Leagues and profiles", "Everybody against everybody, rated by BayesElo; or points against opponents of rising strength.", this.asking, this.studies),
      panel("papers-title", "Papers", "Claims of published papers beside our own figures.", this.papers)));
    this.begin();
  }

  close() {
    this.left = true;
  }

  async begin() {
    try {
      await Promise.all([this.showStart(), this.showPapers(), this.showAsking()]);
    } catch (problem) {
      notice(problem.message);
    }
    while (!this.left) {
      if (!document.hidden) {
        try {
          await this.showRuns();
          await this.showStudies();
        } catch (problem) {
          notice(problem.message);
        }
      }
      await pause(POLL);
    }
  }

  // ---- runs

  async showRuns() {
    const { runs } = await get("/api/runs");
    if (this.left) return;
    if (!runs.length) return this.runs.replaceChildren(el("p", {}, "There are no runs yet. Grow one below, or with ", el("code", {}, "ludus train"), "."));
    if (!this.chosen.size && !this.looked) this.chosen.add((runs.find((run) => run.state === "under way") ?? runs[0]).id);
    this.looked = true;
    const focused = document.activeElement?.getAttribute("data-run");
    const rows = runs.map((run) => el("tr", {},
      el("td", {}, el("label", { class: "row" }, el("input", { type: "checkbox", "data-run": run.id, checked: this.chosen.has(run.id), onchange: (event) => this.choose(run.id, event.target.checked) }), run.name)),
      el("td", {}, run.learner), el("td", {}, run.game), el("td", {}, el("span", { class: `badge ${run.state === "under way" ? "live" : run.problem ? "bad" : ""}`, title: run.problem }, run.problem ? "failed" : run.state)),
      el("td", { class: "number" }, run.steps), el("td", { class: "number" }, `${number(run.seconds, 2)} s`),
      el("td", { class: "row" },
        run.stoppable ? el("button", { type: "button", class: "small", onclick: () => this.change(run.id, "stop") }, "Stop") : null,
        run.mine && run.state === "stopped" ? el("button", { type: "button", class: "small", onclick: () => this.change(run.id, "resume") }, "Go on") : null,
        run.state === "finished" ? el("a", { href: "#play/new", onclick: () => this.prepare(run) }, "play") : null)));
    const head = el("tr", {}, ["Run", "Learner", "Game", "State"].map((title) => el("th", { scope: "col" }, title)), ["Steps", "Time"].map((title) => el("th", { scope: "col", class: "number" }, title)), el("th", {}, ""));
    this.runs.replaceChildren(el("div", { class: "scroll list" }, el("table", {}, el("thead", {}, head), el("tbody", {}, rows))),
      ...runs.filter((run) => run.problem).map((run) => el("p", { class: "note" }, `${run.name}: ${run.problem}`)));
    if (focused) this.runs.querySelector(`[data-run="${focused}"]`)?.focus();
    await this.showCurve();
  }

  prepare(run) {
    const [board] = run.game.split(":"), parts = board.match(/^(.*?)(\d*)$/);
    remember("setup", { ...remembered("setup", {}), family: parts[1], size: Number(parts[2]) || 0, options: {}, who: "machine", opponent: `run:${run.id}` });
  }

  choose(id, on) {
    if (on) this.chosen.add(id);
    else this.chosen.delete(id);
    this.showCurve().catch((problem) => notice(problem.message));
  }

  async showCurve() {
    const told = await Promise.all([...this.chosen].slice(0, 8).map((id) => get(`/api/runs/${id}`).catch(() => null)));
    if (this.left) return;
    const found = told.filter((each) => each && each.at.length);
    if (!found.length) return this.curve.replaceChildren(el("p", { class: "note" }, this.chosen.size ? "The first figures come with the first checkpoint." : ""));
    const names = [...new Set(found.flatMap((each) => Object.keys(each.columns)))];
    if (!names.includes(this.figure)) this.figure = names.find((name) => !["games", "generation", "step"].includes(name)) ?? names[0];
    const lines = found.filter((each) => each.columns[this.figure]).map((each) => {
      const across = each.columns.games ?? each.at;
      return { title: each.name, points: each.columns[this.figure].map((value, i) => [across[i], value]) };
    });
    const menu = select(names.map((name) => [name, name.replaceAll("_", " ")]), this.figure, (name) => {
      this.figure = name;
      this.showCurve();
    });
    if (this.curve.contains(document.activeElement) && this.curve.querySelector("select") === document.activeElement) return;
    this.curve.replaceChildren(field("Figure", menu), lineChart(lines, { x: found.every((each) => each.columns.games) ? "games" : "steps", y: this.figure.replaceAll("_", " "), label: "Learning curves", width: this.curve.clientWidth }));
  }

  async change(id, action) {
    try {
      await post(`/api/runs/${id}/${action}`);
      await this.showRuns();
    } catch (problem) {
      notice(problem.message);
    }
  }

  async showStart() {
    const [{ learners }, games] = await Promise.all([get("/api/learners"), allGames()]);
    const names = games.flatMap((game) => (game.sizes.length ? game.sizes.map((size) => game.name + size) : [game.name]));
    const asked = { learner: "tdl", game: "othello6", seed: 1, settings: {} };
    const draw = () => {
      const learner = learners.find((each) => each.name === asked.learner) ?? learners[0];
      const inputs = learner.fields.map((each) => field(each.name.replaceAll("_", " "), this.input(each, asked.settings), each.says));
      const begin = el("button", { type: "button", class: "main", id: "start-run", onclick: async () => {
        try {
          const run = await post("/api/runs", { ...asked, learner: learner.name });
          this.chosen = new Set([run.id]);
          notice(`${run.name} has begun.`);
          await this.showRuns();
        } catch (problem) {
          notice(problem.message);
        }
      } }, "Begin the run");
      this.starting.replaceChildren(el("div", { class: "stack" }, el("div", { class: "grid2" },
        field("Learner", select(learners.map((each) => [each.name, each.name]), learner.name, (name) => {
          asked.learner = name;
          asked.settings = {};
          draw();
        }), learner.says),
        field("Game", select(names.map((name) => [name, name]), asked.game, (name) => (asked.game = name))),
        field("Seed", el("input", { type: "number", min: 0, value: asked.seed, onchange: (event) => (asked.seed = Number(event.target.value) || 0) }), "the same seed gives the same player")),
      el("details", {}, el("summary", {}, "Settings of the learner"), el("div", { class: "grid2" }, inputs)), el("div", { class: "row" }, begin)));
    };
    if (learners.some((each) => each.name === "tdl")) asked.settings.games = 200000;
    draw();
  }

  input(told, settings) {
    const keep = (value) => (settings[told.name] = value);
    const now = settings[told.name] ?? told.default;
    if (told.choices.length) return select(told.choices.map((each) => [each, each]), now, keep);
    if (told.kind === "boolean") return select([["true", "yes"], ["false", "no"]], now, (value) => keep(value === "true"));
    if (told.kind === "integer" || told.kind === "number") {
      return el("input", { type: "number", value: now ?? "", min: told.low, max: told.high, step: told.kind === "integer" ? 1 : "any", onchange: (event) => keep(event.target.value === "" ? null : Number(event.target.value)) });
    }
    return el("input", { type: "text", value: now ?? "", maxlength: 200, onchange: (event) => keep(event.target.value) });
  }

  // ---- leagues and profiles

  async showAsking() {
    const games = await allGames();
    const names = games.flatMap((game) => (game.sizes.length ? game.sizes.map((size) => game.name + size) : [game.name]));
    const asked = { game: "othello8", games: 20, players: new Set(["random", "discs", "heuristic"]) };
    const start = async (kind) => {
      try {
        await post("/api/studies", { kind, game: asked.game, players: [...asked.players], games: asked.games });
        await this.showStudies();
      } catch (problem) {
        notice(problem.message);
      }
    };
    const draw = async () => {
      const { players } = await get(`/api/players?game=${asked.game}`);
      const offered = players.map((each) => each.player);
      asked.players = new Set([...asked.players].filter((each) => offered.includes(each)));
      this.asking.replaceChildren(el("div", { class: "stack" }, el("div", { class: "grid2" },
        field("Game", select(names.map((name) => [name, name]), asked.game, (name) => {
          asked.game = name;
          draw().catch((problem) => notice(problem.message));
        })),
        field("Games for each pair", select([10, 20, 50, 100, 200].map((each) => [each, each]), asked.games, (value) => (asked.games = Number(value))))),
      el("fieldset", { class: "ticks" }, el("legend", {}, "Players"), players.map((each) => el("label", { class: "row" },
        el("input", { type: "checkbox", checked: asked.players.has(each.player), onchange: (event) => (event.target.checked ? asked.players.add(each.player) : asked.players.delete(each.player)) }), each.title))),
      el("div", { class: "row" }, el("button", { type: "button", class: "main", id: "start-league", onclick: () => start("league") }, "Play a league"),
        el("button", { type: "button", id: "start-profile", onclick: () => start("profile") }, "Draw their profiles"))));
    };
    await draw();
  }

  async showStudies() {
    const { studies } = await get("/api/studies");
    if (this.left) return;
    const stamp = JSON.stringify(studies);
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    const open = new Set([...this.studies.querySelectorAll("details[open]")].map((each) => each.dataset.study));
    this.studies.replaceChildren(...studies.map((study, i) => {
      const state = study.under_way ? `${Math.round(100 * study.done)}% done` : study.problem || (study.done < 1 ? "stopped" : "finished");
      return el("details", { "data-study": study.id, open: open.size ? open.has(study.id) : i === 0 },
        el("summary", {}, `${study.kind === "league" ? "League" : "Profiles"} on ${study.game}: ${study.titles.join(", ")} `, el("span", { class: `badge ${study.under_way ? "live" : ""}` }, state)),
        study.under_way ? el("button", { type: "button", class: "small", onclick: () => post(`/api/studies/${study.id}/stop`).catch((problem) => notice(problem.message)) }, "Stop") : null,
        study.kind === "league" ? this.league(study) : study.profiles.length ? lineChart(study.profiles.map((each) => ({ title: each.title, points: each.rows.map((row) => [row.strength, row.percent, ...row.interval]) })),
          { x: "strength of the opponents, %", y: "points against them, %", label: "Performance profiles", range: [0, 100], width: this.asking.clientWidth }) : el("p", { class: "note" }, study.under_way ? "Opponents of every strength are made once; that takes a minute or two." : ""));
    }));
  }

  league(study) {
    if (!study.ratings.length) return el("p", { class: "note" }, "The table comes when everybody has met somebody.");
    const rows = study.ratings.map((each, i) => el("tr", {}, el("td", { class: "number" }, i + 1), el("td", {}, each.name), el("td", { class: "number" }, Math.round(each.elo)),
      el("td", { class: "number" }, `${Math.round(each.elo - each.minus)} to ${Math.round(each.elo + each.plus)}`), el("td", { class: "number" }, `${(100 * each.score).toFixed(1)}%`), el("td", { class: "number" }, each.games)));
    return el("div", { class: "stack" }, el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, ""), el("th", { scope: "col" }, "Player"), ["Elo", "95% interval", "Points", "Games"].map((title) => el("th", { scope: "col", class: "number" }, title)))), el("tbody", {}, rows))),
      superiority(study.ratings.map((each) => each.name), study.los));
  }

  // ---- papers

  async showPapers() {
    const { papers } = await get("/api/papers");
    if (!papers.length) return this.papers.replaceChildren(el("p", {}, "No report is here yet; ", el("code", {}, "ludus paper jaskowski2014"), " makes one."));
    this.papers.replaceChildren(el("ul", { class: "papers" }, papers.map((paper) => el("li", {}, el("a", { href: `/papers/${paper.key}/`, target: "_blank", rel: "noopener" }, paper.key),
      ` (${paper.scale} scale): `, Object.entries(paper.verdicts).map(([verdict, count]) => `${count} ${verdict}`).join(", ")))));
  }
}
