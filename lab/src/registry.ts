import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import type { Experiment } from "./experiment.js";

const FOLDER = fileURLToPath(new URL("../experiments", import.meta.url));

/** The names of all experiments: of the files of one folder. */
export const experimentNames = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => file.slice(0, -".mjs".length))
    .sort();

/** Throws one line where there is none of this name. */
export async function experiment(name: string): Promise<Experiment> {
  if (!experimentNames().includes(name)) throw new Error(`experiment: expected one of \`npx lab list\`, got ${name}`);
  const loaded = (await import(pathToFileURL(join(FOLDER, `${name}.mjs`)).href)) as { default: Experiment };
  if (loaded.default?.name !== name)
    throw new Error(`experiments/${name}.mjs: expected ${name} as its default export, got ${loaded.default?.name}`);
  return loaded.default;
}
