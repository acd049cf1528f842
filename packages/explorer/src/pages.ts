import { readFileSync } from "node:fs";
import type { ReportData } from "./report/report-data.js";

/**
 * The text of the explorer: one HTML page that needs nothing but itself, from a server or from a file, and makes no
 * request. Throws an error of one line where this package was not built.
 */
export const explorerPage = (): string => builtPage("explorer.html");

/**
 * The text of a page of results, as self-contained: sortable tables and plots whose marks tell their values. Throws as
 * explorerPage does.
 */
export function reportPage(data: ReportData): string {
  // Data, not a script; without < it cannot end its element.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return builtPage("report.html").replace(
    "<!--data-->",
    () => `<script type="application/json" id="data">${json}</script>`,
  );
}

function builtPage(name: string): string {
  try {
    return readFileSync(new URL(`../dist/${name}`, import.meta.url), "utf8");
  } catch (error) {
    throw new Error(`${name}: expected a built page, got none: run \`npm run build\``, { cause: error });
  }
}
