// Writes the figures that serve where a machine has no profile: node scripts/shipped-figures.mjs PROFILE.json
// [MORE.json...] Sections of later profiles take the place of those of earlier ones: one of a machine without a GPU,
// then one of a GPU's.
import { readFileSync, writeFileSync } from "node:fs";
import { parseProfile } from "../packages/selector/dist/index.js";

const paths = process.argv.slice(2);
if (paths.length === 0) throw new Error("expected PROFILE.json, got nothing");
const figures = Object.assign({}, ...paths.map((path) => parseProfile(readFileSync(path, "utf8"), path).figures));
const section = ([name, values]) => {
  const lines = Object.entries(values).map(([figure, value]) => `    ${JSON.stringify(figure)}: ${value},`);
  return [`  ${JSON.stringify(name)}: {`, ...lines, "  },"].join("\n");
};
const text = `import type { Figures } from "./figures.js";

/** Written by scripts/shipped-figures.mjs; docs/notes/2026-11-22-selector.md says what each section was fitted to. */
export const SHIPPED_FIGURES: Readonly<Record<string, Figures>> = {
${Object.entries(figures).map(section).join("\n")}
};
`;
writeFileSync(new URL("../packages/backend-api/src/cost/shipped-figures.ts", import.meta.url), text);
