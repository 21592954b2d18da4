// @ts-check
// Sharing a game: a link by which anybody may look at it on this server, and files to keep.

import { recordAddress, share } from "./api.js";
import { el, notice, report } from "./dom.js";

/** @import { Table } from "./table.js" */

export class Sharing {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.link = el("input", { type: "text", readonly: true, "aria-label": "Link to this game" });
    const copy = { type: "button", class: "small", onclick: () => this.#copy() };
    const files = table.payload.formats.map((format) =>
      el("a", { href: recordAddress(table.place, format), download: "" }, format.toUpperCase()),
    );
    const asFile = files.length ? el("span", { class: "row note" }, "As a file:", files) : null;
    this.element = el(
      "div",
      { class: "sharing", hidden: true },
      el("div", { class: "row" }, this.link, el("button", copy, "Copy")),
      asFile,
    );
  }

  /** Open or close; the link is made when it is first asked for. */
  async toggle() {
    this.element.hidden = !this.element.hidden;
    if (this.element.hidden || this.link.value) return;
    try {
      const token = this.table.payload.shared ?? (await share(this.table.id)).token;
      this.link.value = `${location.origin}/#shared/${token}`;
      this.link.select();
    } catch (problem) {
      report(problem);
    }
  }

  async #copy() {
    this.link.select();
    try {
      await navigator.clipboard.writeText(this.link.value);
      notice("The link is copied.");
    } catch {
      this.link.focus();
      const copied = document.execCommand("copy"); // where the page is not served over HTTPS
      notice(copied ? "The link is copied." : "Press Ctrl+C to copy the link.");
    }
  }
}
