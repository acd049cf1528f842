import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkLaw, LAWS } from "../../src/index.js";
import { keepingBackend } from "../faults/keeping-backend.js";
import { SimpleBackend } from "../simple/simple-backend.js";

const TESTS = new URL("../", import.meta.url);
/** Beside the workspace's packages, so that a process of its own finds them built. */
const BUILT = new URL("../../../../node_modules/.stowage-fresh/", import.meta.url);
const CHILD = new URL("../../dist/fresh/child.js", import.meta.url);

/** The tests' backends as JavaScript. */
function build(): void {
  for (const folder of ["simple/", "faults/"]) {
    mkdirSync(new URL(folder, BUILT), { recursive: true });
    for (const file of readdirSync(new URL(folder, TESTS)).filter((name) => !name.includes(".test."))) {
      const source = readFileSync(new URL(folder + file, TESTS), "utf8");
      const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
      const { outputText } = ts.transpileModule(source, { compilerOptions: options });
      writeFileSync(new URL(folder + file.replace(/\.ts$/, ".js"), BUILT), outputText);
    }
  }
  writeFileSync(new URL("package.json", BUILT), '{ "type": "module" }');
  const right =
    'import { SimpleBackend } from "./simple/simple-backend.js";\nexport const createBackend = () => new SimpleBackend();\n';
  writeFileSync(new URL("right.js", BUILT), right);
  writeFileSync(
    new URL("wrong.js", BUILT),
    'export { keepingBackend as createBackend } from "./faults/keeping-backend.js";\n',
  );
}

const isBuilt = existsSync(CHILD);
const law = LAWS[7];

describe(`law 8 in a process of its own${isBuilt ? "" : " (SKIPPED: not built)"}`, () => {
  beforeAll(build);
  afterAll(() => rmSync(BUILT, { recursive: true }));
  const options = { runs: 100, seed: 4 };

  test.skipIf(!isBuilt)("a right backend keeps it", () => {
    const freshProcess = { module: new URL("right.js", BUILT) };
    if (law !== undefined) checkLaw(law, () => new SimpleBackend(), { ...options, freshProcess });
    expect(law?.number).toBe(8);
  });

  test.skipIf(!isBuilt)("a backend that keeps state in its module passes here and fails there", () => {
    if (law === undefined) return;
    expect(() => checkLaw(law, keepingBackend, options)).not.toThrow();
    const freshProcess = { module: new URL("wrong.js", BUILT) };
    expect(() => checkLaw(law, keepingBackend, { ...options, freshProcess })).toThrow(/not kept in this process/);
  });
});
