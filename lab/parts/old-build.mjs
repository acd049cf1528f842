// Another checkout, built, whose packages are loaded beside this one's.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const BEFORE = { before: { kind: "text", says: "the folder `packages` of another checkout, built" } };

/** A module of a package of another build, which an option names. Throws one line where there is none. */
export async function moduleOf(packages, name, module = "index", option = "--before") {
  const file = join(resolve(packages), name, "dist", `${module}.js`);
  if (!existsSync(file)) throw new Error(`${option}: expected ${file}, got no such file`);
  return import(pathToFileURL(file).href);
}
