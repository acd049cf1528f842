import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProgram } from "../../src/program.js";
import { parseResults } from "@stowage/bench/results";
import { runProgram } from "../../src/run-program.js";

let out = "";
let err = "";

beforeEach(() => {
  out = "";
  err = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const stowage = (...args: string[]) => runProgram(createProgram(), ["node", "stowage", ...args]);
const simulated = (...args: string[]) => stowage("bench", "--device", "cuda", "--simulated", "--budget", "1", ...args);

describe("bench --device cuda", () => {
  test("prints a table a route, in microseconds", async () => {
    expect(await simulated("vector-8@1KiB", "--route", "all")).toBe(0);
    expect(out).toContain("packed on the device: us a call, pack / unpack");
    expect(out).toContain("packed in pinned host memory: us a call, pack / unpack");
    expect(out).toMatch(
      /workload +packed +mode +cuda-generic +cuda-generic-specialised +cuda-strided +dma +cuMemcpy +memcpy/,
    );
    expect(out).toMatch(/vector-8 +1\.00 KiB +call +.*2D [\d.]+ \/ [\d.]+ +[\d.]+ \/ [\d.]+$/m);
  });

  test("says in its results that a simulated device is one, and takes no time on it", async () => {
    expect(await simulated("vector-8@1KiB", "--json")).toBe(0);
    const { machine, rows } = parseResults(out, "stdout");
    expect(machine.gpu).toBe("simulated");
    expect(rows.map(({ eventNs }) => eventNs)).toEqual(rows.map(() => undefined));
  });

  test.each([
    [
      ["--simulated", "--out", join(tmpdir(), "never.json")],
      /^stowage: --simulated: expected no --out beside it, got both/,
    ],
    [["--route", "sideways"], /--route/],
    [["--simulated", "--backend", "gpu"], /--backend: expected all, auto or some of .*cuda-generic.*, got gpu/],
    [["--peers"], /--peers: expected no --device beside it, got both/],
  ])("%j is bad input", async (args, message) => {
    expect(await stowage("bench", "--device", "cuda", "contiguous@1KiB", ...args)).toBe(2);
    expect(err).toMatch(message);
  });

  test.each([["--simulated"], ["--route=all"]])("%s alone is bad input", async (option) => {
    expect(await stowage("bench", "contiguous@1KiB", option)).toBe(2);
    expect(err).toMatch(/expected --device beside it/);
  });
});

test("bench --backend all leaves the host's memory to the host's backends", async () => {
  expect(await stowage("bench", "contiguous@1KiB", "--backend", "all", "--budget", "1")).toBe(0);
  expect(out).not.toContain("cuda");
  expect(err).toBe("");
});

describe("explain", () => {
  const column = '{"kind":"vector","count":4,"blocklength":1,"stride":4,"child":"MPI_DOUBLE"}';

  test("names the choice for host and device memory, and why the others were not taken", async () => {
    expect(await stowage("explain", column, "--simulated", "--json")).toBe(0);
    const { choices } = JSON.parse(out) as {
      choices: { memory: string; backends: { name: string; verdict: string }[] }[];
    };
    expect(choices.map(({ memory }) => memory)).toEqual([
      "host memory",
      "device memory",
      "device memory, packed in pinned host memory",
    ]);
    const verdicts = Object.fromEntries(choices[1]?.backends.map(({ name, verdict }) => [name, verdict]) ?? []);
    const taken = Object.values(verdicts).filter((verdict) => verdict === "chosen: least predicted time");
    expect(taken).toHaveLength(1);
    expect(Object.values(verdicts).filter((verdict) => /^could take it, but comes after/.test(verdict))).toHaveLength(
      3,
    );
    expect(verdicts).toMatchObject({
      cpu: expect.stringMatching(/^no: .*device memory/) as string,
    });
    expect(choices[0]?.backends.find(({ name }) => name === "cuda-strided")?.verdict).toMatch(/^no: .*host memory/);
  });

  test("heeds STOWAGE_BACKEND", async () => {
    vi.stubEnv("STOWAGE_BACKEND", "cuda-generic");
    expect(await stowage("explain", column, "--simulated")).toBe(0);
    expect(out).toContain("cuda-generic: chosen: asked for by name");
    expect(out).toMatch(/cuda-strided.*: no: cuda-generic was asked for by\s+name/);
  });
});
