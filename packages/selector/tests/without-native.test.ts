import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "stowage-without-native-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A user's program: packs a vector, and says by whom, and why machine code did not. */
const PROGRAM = `
import { predefined, vector } from "@stowage/ir";
import { createEngine } from "@stowage/selector";
using engine = createEngine();
const committed = engine.commit(vector(3, 1, 2, predefined("MPI_BYTE")));
const packed = new Uint8Array(3);
committed.pack(Uint8Array.of(1, 2, 3, 4, 5), packed).wait();
const { chosen, candidates } = committed.choice("pack");
const why = candidates.find(({ backend }) => backend.name === "x64").support.reason;
console.log(JSON.stringify({ packed: [...packed], chosen: chosen.name, why }));
`;

const program = join(folder, "program.mjs");

beforeAll(async () => {
  const source = fileURLToPath(new URL("./program.without-native.ts", import.meta.url));
  const bundled = await rolldown({
    input: source,
    platform: "node",
    resolve: { conditionNames: ["@stowage/source", "import", "node"] },
    transform: { target: "node20" },
    plugins: [
      {
        name: "program",
        load: (id) => (id === source ? PROGRAM : null),
        resolveId: (id) => (id === source ? id : null),
      },
    ],
    logLevel: "silent",
  });
  await bundled.write({ file: program, format: "esm" });
  await bundled.close();
});

/** Runs the bundle, far from any node_modules. */
function run(...options: readonly string[]): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, [...options, program], {
    ...{ cwd: folder, encoding: "utf8" as const, env: { ...process.env, STOWAGE_PROFILE: "shipped", NODE_PATH: "" } },
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("a bundle that was moved away from koffi packs by the interpreter, and says in a line why", () => {
  expect(run()).toEqual({
    packed: [1, 3, 5],
    chosen: "cpu",
    why: expect.stringMatching(
      /^koffi: expected its native part for [^\n]*, got none \([^\n]*\): npm install koffi$/,
    ) as string,
  });
});

test("so does one whose koffi has no native part", () => {
  const hook = join(folder, "hook.cjs");
  writeFileSync(
    hook,
    `const load = require("module")._load;
require("module")._load = (name, ...rest) => {
  if (name === "koffi") throw new Error("Cannot find the native Koffi module; did you bundle it correctly?\\nmore");
  return load(name, ...rest);
};`,
  );
  expect(run("--require", hook)).toMatchObject({
    packed: [1, 3, 5],
    chosen: "cpu",
    why: expect.stringContaining("did you bundle it correctly") as string,
  });
});
