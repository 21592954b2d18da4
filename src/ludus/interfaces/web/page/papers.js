// @ts-check
// The reports on papers: how many of a paper's claims got which verdict.

import { fetchPapers } from "./api.js";
import { el } from "./dom.js";

/** @import { Paper } from "./types.js" */

/** @param {Paper} paper */
function paperItem({ key, scale, verdicts }) {
  const counts = Object.entries(verdicts).map(([verdict, count]) => `${count} ${verdict}`);
  const link = el("a", { href: `/papers/${key}/`, target: "_blank", rel: "noopener" }, key);
  return el("li", {}, link, ` (${scale} scale): `, counts.join(", "));
}

export async function paperList() {
  const { papers } = await fetchPapers();
  if (papers.length) return el("ul", { class: "papers" }, papers.map(paperItem));
  const command = el("code", {}, "ludus paper KEY");
  return el("p", {}, "There are no reports yet; ", command, " writes one.");
}
