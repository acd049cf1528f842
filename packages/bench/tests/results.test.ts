import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { processorFamily } from "../src/results/processor.js";
import type { ResultRow } from "../src/results/row.js";
import { parseResults } from "../src/results/schema.js";
import { typedCommand } from "../src/results/typed-command.js";
import { heading, writeResults } from "../src/results/write.js";

const row: ResultRow = {
  workload: "MILC_su3_zdown/0",
  count: 1,
  packedBytes: 98304,
  direction: "pack",
  route: "host",
  contender: "cpu",
  medianNs: 10,
  minNs: 9,
  maxNs: 12,
  runs: 7,
  verified: true,
  commitNs: 1000,
};

test("what is written is read back, and no half-written file is left", () => {
  const folder = mkdtempSync(join(tmpdir(), "stowage-results-"));
  const path = join(folder, "run.json");
  writeResults(path, heading("npx stowage bench", { gpu: null, driver: null }), [row]);
  expect(parseResults(readFileSync(path, "utf8"), path).rows).toEqual([row]);
  expect(readdirSync(folder)).toEqual(["run.json"]);
});

test("benches that time no commits and have no GPU leave both out; a driver's number is its text", () => {
  const { commitNs: _, ...short } = row;
  const { gpu: __, ...machine } = { ...file().machine, driver: 13_000 };
  const read = parseResults(JSON.stringify({ ...file(), machine, rows: [short] }), "run.json");
  expect(read.rows).toEqual([{ ...row, commitNs: 0 }]);
  expect(read.machine).toMatchObject({ gpu: null, driver: "13000" });
});

test.each([
  ["not JSON", "{", /^run\.json: expected JSON, got/],
  ["another schema", '{"schema":"other/2"}', 'run.json: schema: expected stowage-results/1, got "other/2"'],
  [
    "an unverified row",
    JSON.stringify({ ...file(), rows: [{ ...row, verified: false }] }),
    /^run\.json: rows\.0\.verified: /,
  ],
  ["a field missing", JSON.stringify({ ...file(), command: undefined }), /^run\.json: command: /],
])("%s is refused in one line that names the field", (_, text, message) => {
  expect(() => parseResults(text, "run.json")).toThrow(message);
});

function file() {
  return { ...heading("npx stowage bench", { gpu: null, driver: null }), rows: [row] };
}

test("a processor is told apart from its namesakes", () => {
  const cpuinfo =
    "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\nstepping\t: 1\n";
  expect(processorFamily(cpuinfo)).toBe("AuthenticAMD family 26 model 2 stepping 1");
  expect(processorFamily("CPU implementer\t: 0x41\n")).toBeNull();
});

test("a command is what a user would type, wherever results and scripts lay", () => {
  const words = ["node", "/opt/lib/packages/x/bench/y.mjs", "^(FFT2|WRF)", "--out", "/tmp/a.json", "--svg=/tmp/b.svg"];
  expect(typedCommand([...words, `${process.cwd()}/results/c.json`, "--mpi", "/usr/lib/libmpi.so.12"])).toBe(
    "node packages/x/bench/y.mjs '^(FFT2|WRF)' --out a.json --svg=b.svg results/c.json --mpi /usr/lib/libmpi.so.12",
  );
});

test("a commit is the checkout's that this code lies in, wherever the command runs, or what is told", () => {
  const { commit } = heading("npx stowage bench");
  expect(commit).toMatch(/^([0-9a-f]{12}\+?|unknown)$/); // unknown where it lies in no checkout
  vi.stubEnv("STOWAGE_COMMIT", "told");
  expect(heading("npx stowage bench").commit).toBe("told");
  vi.unstubAllEnvs();
});
