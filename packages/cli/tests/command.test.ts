import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parseResults } from "@stowage/bench/results";
import { createProgram } from "../src/program.js";
import { runProgram } from "../src/run-program.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-cli-"));
const golden = new URL("../golden/openmpi-4.1.4.jsonl", import.meta.url).pathname;
let out = "";
let err = "";

beforeEach(() => {
  out = "";
  err = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => vi.restoreAllMocks());

const stowage = (...args: string[]) => runProgram(createProgram(), ["node", "stowage", ...args]);

describe("explain", () => {
  test("tells bounds, passes, program, backends and picture of a workload", async () => {
    expect(await stowage("explain", "MILC_su3_zdown/0")).toBe(0);
    for (const part of [
      "bounds",
      "signature",
      "layout, as lowered",
      "DAME program",
      "backends",
      "where the bytes lie",
    ]) {
      expect(out).toContain(part);
    }
  });

  test("cuts long lists, keeps to the width, and gives a driver's reason once", async () => {
    const file = join(folder, "list.json");
    const displacements = Array.from({ length: 1e5 }, (_, i) => i * 3 + ((i * i) % 2));
    writeFileSync(file, JSON.stringify({ kind: "indexed_block", blocklength: 1, displacements, child: "MPI_DOUBLE" }));
    expect(await stowage("explain", `@${file}`)).toBe(0);
    expect(out).toContain("… 99990 more …");
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(out.match(/install the NVIDIA driver/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test("counts what a simulated GPU's kernels ask of memory", async () => {
    const column = '{"kind":"vector","count":256,"blocklength":1,"stride":8,"child":"MPI_DOUBLE"}';
    expect(await stowage("explain", column, "--simulated", "--json")).toBe(0);
    const { deviceAccesses } = JSON.parse(out) as {
      deviceAccesses: { runs: { backend: string; direction: string; loads: object; stores: object }[] };
    };
    const found = deviceAccesses.runs.map(({ backend, direction, stores }) => ({ backend, direction, stores }));
    // 2 KiB side by side are 64 sectors of 32 bytes; 256 doubles 64 bytes apart lie in a sector each, two a line.
    for (const backend of ["cuda-strided", "cuda-generic"]) {
      expect(found).toContainEqual({
        backend,
        direction: "pack",
        stores: expect.objectContaining({ bytes: 2048, sectors: 64 }) as object,
      });
      expect(found).toContainEqual({
        backend,
        direction: "unpack",
        stores: expect.objectContaining({ bytes: 2048, sectors: 256 }) as object,
      });
    }
    out = "";
    expect(await stowage("explain", column, "--simulated")).toBe(0);
    expect(out).toMatch(
      /cuda-strided, unpack\n.+\n +stores: warp accesses 8, sectors 256, cache lines \d+; 25 % of the sectors' bytes is the data/,
    );
  });

  test("prints JSON and draws an SVG", async () => {
    const svg = join(folder, "vector.svg");
    const type = '{"kind":"vector","count":3,"blocklength":2,"stride":5,"child":"MPI_DOUBLE"}';
    expect(await stowage("explain", type, "--json", "--svg", svg)).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ bounds: { sizeBytes: 48 }, blocks: { count: 3 } });
    expect(readFileSync(svg, "utf8")).toMatch(/^<svg /);
  });

  test("takes datatypes of any depth, shared or not", async () => {
    const file = join(folder, "deep.json");
    const levels = Array.from({ length: 10_000 }, (_, i) => i);
    const head = levels.map(
      (i) => `{"kind":"struct","blocklengths":[1,1],"displacements":[0,${8 + 16 * i}],"children":["MPI_INT",`,
    );
    writeFileSync(file, `${head.join("")}"MPI_INT"${"]}".repeat(levels.length)}`);
    expect(await stowage("explain", `@${file}`)).toBe(0);
    expect(out).toContain("size 39.1 KiB (40004 bytes)");
  });

  test.each([
    ["a workload that is not there", "MILC_su3_zdwn/0", /MILC_su3_zdown\/0/],
    ["a malformed document", '{"kind":"vector","count":-1,"blocklength":1,"stride":1,"child":"MPI_INT"}', /count/],
    ["text that is no JSON", "{", /JSON/],
    ["a file that is not there", "@nowhere.json", /nowhere\.json: expected a readable file/],
  ])("%s is one line and exit code 2", async (_, argument, message) => {
    expect(await stowage("explain", argument)).toBe(2);
    expect(err).toMatch(message);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});

describe("verify", () => {
  // Every backend; libLLVM takes 20 ms a datatype, and packages/backend-llvm moves all of them in its long tests.
  test("golden datatypes agree with every backend of the host", async () => {
    const file = join(folder, "some.jsonl");
    writeFileSync(file, readFileSync(golden, "utf8").split("\n").slice(0, 20).join("\n"));
    expect(await stowage("verify", file)).toBe(0);
    expect(out).toMatch(/^20 of 20 agree \(cpu, x64/);
  });

  test.runIf(process.arch === "x64" && process.platform === "linux")("all 500 agree by machine code", async () => {
    expect(await stowage("verify", golden, "--backend", "x64")).toBe(0);
    expect(out).toBe("500 of 500 agree (x64)\n");
  });

  test("a file without cases is bad input", async () => {
    const file = join(folder, "empty.jsonl");
    writeFileSync(file, "\n");
    expect(await stowage("verify", file)).toBe(2);
    expect(err).toMatch(/empty\.jsonl: expected golden cases, one JSON object a line, got none\n$/);
  });

  test("a line that does not agree is named, with the first byte, and exit code 1", async () => {
    const [first] = readFileSync(golden, "utf8").split("\n");
    const file = join(folder, "wrong.jsonl");
    writeFileSync(file, (first ?? "").replace(/"extent":(-?\d+)/, '"extent":999999'));
    expect(await stowage("verify", file)).toBe(1);
    expect(out).toContain("extent: expected 999999");
    expect(err).toContain("0 of 1 agree");
  });

  test("a line that is no golden case is bad input", async () => {
    const file = join(folder, "bad.jsonl");
    writeFileSync(file, '{"type":"MPI_INT","count":1}\n');
    expect(await stowage("verify", file)).toBe(2);
    expect(err).toContain("bad.jsonl:1: size");
  });
});

describe("bench and report", () => {
  test("a bench writes verified rows that a report reads and plots", async () => {
    const file = join(folder, "run.json");
    const names = ["MILC_su3_zdown/0", "NAS_LU_x/0"];
    expect(await stowage("bench", ...names, "--backend", "cpu", "--budget", "1", "--out", file)).toBe(0);
    const { rows } = parseResults(readFileSync(file, "utf8"), file);
    expect(rows.map(({ contender, direction }) => `${contender} ${direction}`)).toContain("cpu unpack");
    const plots = join(folder, "plots");
    expect(await stowage("report", file, "--plots", plots)).toBe(0);
    expect(out).toContain("geometric mean");
    expect(readFileSync(join(plots, "speed-up.svg"), "utf8")).toContain("times as fast as memcpy");
  });

  test.runIf(process.arch === "x64" && process.platform === "linux")(
    "threads are a contender of their own, beside one thread",
    async () => {
      const file = join(folder, "threads.json");
      const run = ["bench", "vector-16of64", "--size", "2MiB", "--threads", "2", "--budget", "1", "--mode", "bound"];
      expect(await stowage(...run, "--backend", "cpu,x64", "--out", file)).toBe(0);
      const { rows } = parseResults(readFileSync(file, "utf8"), file);
      const contenders = rows.filter(({ direction }) => direction === "unpack").map(({ contender }) => contender);
      expect(contenders).toEqual(["cpu", "x64", "x64 (2 threads)", "memcpy"]);
    },
  );

  test("a bench takes what explain takes: documents, files with one, MPI names, at sizes too", async () => {
    const file = join(folder, "mine.json");
    const document = '{"kind":"vector","count":4,"blocklength":1,"stride":4,"child":"MPI_DOUBLE"}';
    writeFileSync(file, document);
    const types = [document, `@${file}`, "MPI_INT", "vector-8@64"];
    expect(await stowage("bench", ...types, "--backend", "cpu", "--size", "1KiB", "--budget", "1", "--json")).toBe(0);
    const { rows } = parseResults(out, "stdout");
    const seen = [...new Set(rows.map(({ workload, count }) => `${workload} x${count}`))];
    expect(seen).toEqual([
      expect.stringMatching(/^vector#[0-9a-f]{6} x32$/),
      `${file} x32`,
      "MPI_INT x256",
      "vector-8 x1",
    ]);
    expect(new Set(rows.map(({ mode }) => mode))).toEqual(new Set(["call", "bound"]));
  });

  test.each([["bench"], ["explain"]])("%s --list prints every name that can be given", async (command) => {
    expect(await stowage(command, "--list")).toBe(0);
    expect(out).toMatch(/^ddtbench\n  WRF_y_vec\/0 +88\.7 KiB\n/);
    expect(out).toContain("peers-gpu");
  });

  test("the bench's table says what its figures are, and that they were checked", async () => {
    expect(await stowage("bench", "MPI_INT", "--backend", "cpu", "--budget", "1")).toBe(0);
    expect(out).toMatch(/^GB\/s of packed bytes .*slowest and fastest sample.*Every byte was checked/);
  });

  test.each([
    [["bench", "NAS_LU_xx"], /NAS_LU_x/],
    [["bench", "vector-8@64GiB"], /^stowage: vector-8: expected at most 2\.00 GiB packed, got 64\.0 GiB\n$/],
    [["bench", '{"kind":"dup","kind":"dup","child":"MPI_INT"}'], /expected each key once, got "kind" twice/],
    [["bench", "MPI_INT", "--out", folder], /^stowage: --out: expected a file, got the directory/],
    [["bench", "MPI_INT", "--count", "1e3"], /--count: expected a whole number above 0, got 1e3/],
    [["explain"], /^stowage: TYPE: expected a JSON document, @FILE/],
    [["explain", "MPI_INT", "--svg", folder], /^stowage: --svg: expected a file, got the directory/],
    [["report"], /FILES: expected result files/],
    [["bench", "--backend", "gpu", "NAS_LU_x/0"], /--backend: expected/],
    [["bench", "--size", "big"], /^stowage: --size: expected bytes, such as 4096/],
    [["bench", "--threads", "0"], /--threads: expected a whole number above 0, got 0/],
    [["bench", "--threads", "2", "--peers"], /--peers: expected no --threads beside it, got both/],
    [["bench", "--threads", "2", "--device", "cuda"], /--threads: expected no --device beside it, got both/],
    [["report", "nowhere.json"], /nowhere\.json/],
  ])("%j is bad input", async (args, message) => {
    expect(await stowage(...args)).toBe(2);
    expect(err).toMatch(message);
  });
});

test("doctor says what runs here", async () => {
  expect(await stowage("doctor")).toBe(0);
  expect(out).toMatch(/backend cpu\s+runs here/);
});
