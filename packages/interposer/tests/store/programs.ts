import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { buildProgram, hasCompiler, SANITIZERS } from "./build-rank.js";

/** The long tests check every access; that takes four times as long to compile. */
const flags = process.env["STOWAGE_TESTS"] === "long" ? SANITIZERS : [];

/** Programs of tests/store, built before a file's tests and removed after them; where they lie. */
export function programsBuilt(names: readonly string[]): (name: string) => string {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "stowage-programs-"));
    if (hasCompiler) for (const name of names) buildProgram(folder, name, flags);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}
