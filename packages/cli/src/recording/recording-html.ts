import { COLUMNS } from "./columns.js";

/** One page without scripts: what a recording says in a table, and a picture of each type in it. */
export function recordingHtml(
  summary: string,
  rows: readonly (readonly string[])[],
  pictures: readonly string[],
): string {
  return [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(summary)}</title>`,
    `<style>body{font:14px sans-serif;margin:2em}td,th{padding:.2em .8em;text-align:right}svg{display:block;margin:1em 0}</style>`,
    `<h1>Datatypes of a run</h1><p>${escape(summary)}</p>`,
    `<table><tr>${COLUMNS.map((name) => `<th>${escape(name)}</th>`).join("")}</tr>`,
    ...rows.map((row) => `<tr>${row.map((cell) => `<td>${escape(cell)}</td>`).join("")}</tr>`),
    "</table>",
    ...pictures.map((svg, i) => `<h2>${i + 1}</h2>${svg}`),
    "</html>\n",
  ].join("\n");
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
