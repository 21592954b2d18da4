// @ts-check
// The papers: every claim of every paper at a glance, each with a link to where it is checked.

import { fetchPapers } from "./api.js";
import { el } from "./dom.js";

/** @import { Paper, PaperClaim } from "./offers.js" */

/** The verdicts from best to worst, with a sign that says the same without colour. */
const VERDICTS = /** @type {const} */ ([
  ["reproduced", "✓"],
  ["partly", "◐"],
  ["not settled", "?"],
  ["not reproduced", "✗"],
  ["not run", "–"],
]);

/** @param {string} verdict */
const kindOf = (verdict) => verdict.replaceAll(" ", "-");

/** @param {string} verdict */
const signOf = (verdict) => VERDICTS.find(([name]) => name === verdict)?.[1] ?? "?";

/** @param {string} key */
const report = (key) => ({ href: `/papers/${key}/`, target: "_blank", rel: "noopener" });

/** @param {Paper} paper */
function counts({ verdicts }) {
  return VERDICTS.filter(([verdict]) => verdicts[verdict])
    .map(([verdict]) => `${verdicts[verdict]} ${verdict}`)
    .join(", ");
}

/** @param {Paper} paper */
const howMuch = ({ scale, partial }) => `${scale} scale${partial ? ", not all runs finished" : ""}`;

/** @param {Paper} paper */
function paperItem(paper) {
  const { key } = paper;
  return el("li", {}, el("a", report(key), key), ` (${howMuch(paper)}): `, counts(paper));
}

/** The short list of the tab Learn. */
export async function paperList() {
  const { papers } = await fetchPapers();
  if (!papers.length) return noReports();
  const all = el("a", { href: "#papers" }, "All claims at a glance");
  return el("div", {}, el("ul", { class: "papers" }, papers.map(paperItem)), all);
}

function noReports() {
  const command = el("code", {}, "ludus paper KEY");
  return el("p", {}, "There are no reports yet; ", command, " writes one.");
}

/**
 * @param {string} key
 * @param {PaperClaim} claim
 */
function claimTile(key, { id, description, verdict, paper, ours }) {
  const figures = ours === null ? `paper: ${paper}` : `paper: ${paper}, here: ${ours}`;
  const about = `${verdict}: ${description} (${figures})`;
  const link = { ...report(key), href: `/papers/${key}/#claim-${id}` };
  return el(
    "li",
    {},
    el(
      "a",
      { ...link, class: `claim ${kindOf(verdict)}`, title: about, "aria-label": about },
      signOf(verdict),
    ),
  );
}

/** @param {Paper} paper */
function paperPanel(paper) {
  const { key, title, authors, year, source: address, claims } = paper;
  const elsewhere = { href: address, rel: "noopener", target: "_blank" };
  const source = address ? el("a", elsewhere, "the paper") : null;
  const by = authors ? `${authors} (${year})` : "";
  const rows = claims.map(({ id, description, verdict, paper: published, ours }) =>
    el(
      "tr",
      {},
      el("td", {}, el("span", { class: `claim ${kindOf(verdict)}` }, signOf(verdict))),
      el("td", {}, description),
      el("td", { class: "number" }, published),
      el("td", { class: "number" }, ours ?? "–"),
      el("td", {}, el("a", { ...report(key), href: `/papers/${key}/#claim-${id}` }, verdict)),
    ),
  );
  const head = ["", "Claim", "Paper", "Here", "Verdict"].map((name, i) =>
    el("th", { scope: "col", class: i === 2 || i === 3 ? "number" : null }, name),
  );
  return el(
    "section",
    { class: "panel", id: `paper-${key}`, "aria-labelledby": `title-${key}` },
    el("h2", { id: `title-${key}` }, el("a", report(key), title || key)),
    el("p", { class: "note" }, [by, by && ", ", source, source && ", ", `${howMuch(paper)}.`]),
    el("ul", { class: "claims" }, claims.map((claim) => claimTile(key, claim))),
    el("p", { class: "note" }, counts(paper)),
    el(
      "details",
      {},
      el("summary", {}, "The claims in words"),
      el(
        "div",
        { class: "scroll in-words" },
        el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
      ),
    ),
  );
}

export async function papersView() {
  const { papers } = await fetchPapers();
  const legend = VERDICTS.map(([verdict, sign]) =>
    el("span", {}, el("span", { class: `claim ${kindOf(verdict)}` }, sign), ` ${verdict}`),
  );
  return el(
    "div",
    { class: "stack" },
    el(
      "section",
      { class: "panel", "aria-labelledby": "papers-title" },
      el("h1", { id: "papers-title" }, "Papers"),
      el(
        "p",
        {},
        "Every claim of the papers that are reproduced here, by its verdict. A tile leads to the " +
          "claim in its report, with our figures, the rule and the runs behind it.",
      ),
      papers.length ? el("p", { class: "keys" }, legend) : noReports(),
    ),
    papers.map(paperPanel),
  );
}
