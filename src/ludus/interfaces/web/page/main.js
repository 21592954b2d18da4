// The page: which part of it is shown, light or dark.

import { get } from "./api.js";
import { el, notice, remember, remembered } from "./dom.js";
import { gamesView } from "./games.js";
import { Learn } from "./learn.js";
import { Play } from "./play.js";
import { setupPanel } from "./setup.js";

const view = document.getElementById("view");
let current = null;
let turn = 0;

function dress() {
  const dark = remembered("theme", null) ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.classList.toggle("dark", dark === "dark");
}

document.getElementById("theme").addEventListener("click", () => {
  remember("theme", document.documentElement.classList.contains("dark") ? "light" : "dark");
  dress();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
dress();

function shown(part) {
  current?.close?.();
  current = part.close ? part : null;
  view.replaceChildren(part.element ?? part);
}

function open(told) {
  remember("table", told.id);
  history.replaceState(null, "", `#play/${told.id}`);
  shown(new Play(told, begin));
}

async function begin(same = false) {
  const mine = ++turn;
  history.replaceState(null, "", "#play/new");
  const panel = await setupPanel(open);
  if (mine !== turn) return;
  shown(el("div", { class: "setup" }, panel));
  if (same === true) panel.querySelector("#begin").click();
}

async function route() {
  const mine = ++turn;
  const [tab, rest] = (location.hash.slice(1) || "play").split("/");
  document.querySelectorAll("[data-tab]").forEach((link) => {
    if (link.dataset.tab === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
  try {
    if (tab === "games") {
      const part = await gamesView();
      if (mine === turn) shown(part);
    } else if (tab === "learn") shown(new Learn());
    else {
      const id = rest === "new" ? "" : rest || remembered("table", "");
      if (id && /^[\w-]+$/.test(id)) {
        try {
          const told = await get(`/api/tables/${id}`);
          if (mine === turn && (rest || told.outcome === null)) return open(told);
        } catch (problem) {
          if (problem.status !== 404) throw problem;
          remember("table", "");
        }
      }
      if (mine === turn) await begin();
    }
  } catch (problem) {
    notice(problem.message);
    if (!view.childElementCount) view.append(el("p", { class: "panel" }, problem.message));
  }
}

addEventListener("hashchange", route);
route();
