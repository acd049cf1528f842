import { findMpis } from "@stowage/mpi-abi";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { workloadSubject, type Benched } from "@stowage/bench";
import { benchPeers, type Comparison } from "@stowage/bench/peers";
import { field, type OurSpec } from "../../src/peers/peer-specs.js";
import { PEER_SCRIPT } from "../../src/peers/script.js";
import { partsOf } from "../../src/tables/ratios.js";
import { brokenMpi, noBrokenMpis } from "./broken-mpi.js";

let remarks: string[] = [];
beforeEach(() => {
  remarks = [];
});
afterEach(() => vi.unstubAllEnvs());

interface Asked extends Partial<Omit<Comparison, "child">> {
  readonly backends?: readonly string[];
  /** Who takes part of those that are here; absent: all. A process each takes its time to start. */
  readonly kinds?: readonly OurSpec["kind"][];
  readonly patienceMs?: number;
}

function compare({ backends = ["cpu"], kinds, patienceMs = 120e3, ...more }: Asked = {}): Promise<Benched> {
  const { specs, remarks: absent } = field(backends);
  remarks.push(...absent);
  return benchPeers({
    subjects: [workloadSubject("NAS_LU_x/0")],
    contenders: specs.filter(({ kind }) => kinds?.includes(kind) ?? true),
    child: { script: PEER_SCRIPT, patienceMs },
    budgetMs: 1,
    remark: (line) => remarks.push(line),
    ...more,
  });
}

const contendersOf = ({ rows }: Benched): readonly string[] => [...new Set(rows.map(({ contender }) => contender))];
const wholeNames = (names: readonly string[]): readonly string[] => names.filter((name) => !name.includes("@"));

describe("a comparison", () => {
  const mpis = findMpis();

  test(`runs every MPI of this machine (${mpis.length} found) beside our backend and memcpy, all verified`, async () => {
    const kept: number[] = [];
    const compared = await compare({ sizes: [4096, 200_000], keep: (rows) => kept.push(rows.length) });
    const names = contendersOf(compared);
    const parts = partsOf(compared.rows);
    expect(parts.ours).toEqual(["cpu"]);
    expect(parts.mpis).toHaveLength(mpis.length);
    for (const name of ["cpu", "memcpy", "cpu@64KiB", "memcpy@64KiB"]) expect(names).toContain(name);
    expect(compared.rows.every(({ verified, medianNs, runs }) => verified && medianNs > 0 && runs >= 7)).toBe(true);
    expect(compared.differences).toEqual([]);
    // What making, committing and freeing datatypes takes, where a contender has them.
    for (const name of [...parts.ours, ...parts.mpis]) {
      const row = compared.rows.find(({ contender, direction }) => contender === name && direction === "pack");
      for (const ns of [row?.createNs, row?.commitNs, row?.freeNs]) expect(ns).toBeGreaterThan(0);
    }
    expect(compared.rows.find(({ contender }) => contender === "memcpy")?.createNs).toBeUndefined();
    // Two sizes, kept after each; nothing printed: MPICH, for one, complains at its end of datatypes that were not
    // freed.
    expect(kept).toHaveLength(2);
    expect(remarks.filter((line) => /printed/.test(line))).toEqual([]);
  });

  test("goes on without MPIs where STOWAGE_MPI names nothing, in one line", async () => {
    vi.stubEnv("STOWAGE_MPI", "/no/such/libmpi.so");
    const compared = await compare({ kinds: ["engine", "mpi", "memcpy"] });
    expect(remarks.filter((line) => line.includes("STOWAGE_MPI"))).toHaveLength(1);
    expect(wholeNames(contendersOf(compared))).toEqual(expect.arrayContaining(["cpu", "memcpy"]));
  });

  test("goes on without a library that is no MPI", async () => {
    vi.stubEnv("STOWAGE_MPI", process.execPath);
    const compared = await compare({ kinds: ["engine", "mpi"] });
    expect(remarks.filter((line) => /node: expected an MPI library, got /.test(line))).toHaveLength(1);
    expect(contendersOf(compared)).toContain("cpu");
  });

  test("says which of our backends cannot take part", async () => {
    const compared = await compare({ backends: ["cpu", "no-such-backend"], kinds: ["engine"] });
    expect(remarks.filter((line) => /no-such-backend/.test(line))).toHaveLength(1);
    expect(contendersOf(compared)).toContain("cpu");
  });
});

describe.skipIf(noBrokenMpis !== undefined)(`an MPI that misbehaves (${noBrokenMpis ?? "made of MPICH"})`, () => {
  const beside = (fault: Parameters<typeof brokenMpi>[0]): void => {
    vi.stubEnv("STOWAGE_MPI", brokenMpi(fault));
    vi.stubEnv("PATH", "/"); // no compiler: plain C would take its time to compile, and is not what is asked here
  };

  const besideCpu = (more: Asked = {}): Promise<Benched> =>
    compare({ kinds: ["engine", "mpi"], modes: ["bound"], ...more });

  test("that prints takes part, and its words are one line at the end", async () => {
    beside("prints without end of line and starts");
    const compared = await besideCpu();
    expect(contendersOf(compared)).toContainEqual(expect.stringMatching(/^mpich-/));
    expect(
      remarks.filter((line) => /^mpich-\S+ printed: (warning: no fabric|noise) \(and 2 lines more\)$/.test(line)),
    ).toHaveLength(1);
  });

  const isLeftOut = async (expected: RegExp, more?: Asked): Promise<void> => {
    const compared = await besideCpu(more);
    expect(remarks.filter((line) => expected.test(line))).toHaveLength(1);
    expect(contendersOf(compared)).toEqual(["cpu"]);
    expect(partsOf(compared.rows).mpis).toEqual([]);
  };

  test("that aborts when it starts is left out in one line", async () => {
    beside("aborts when it starts");
    await isLeftOut(
      /libmpich\.so\.12: expected to take part to the end, but its process ended by SIGABRT; it printed: .*fatal: no fabric/,
    );
  });

  test("that hangs when it starts is left out in one line", async () => {
    // Ten times what a whole comparison without it takes here: nobody else is late by then, however slow the machine.
    const start = performance.now();
    await compare({ kinds: ["engine"], modes: ["bound"] });
    const patienceS = Math.ceil((10 * (performance.now() - start)) / 1000);
    beside("hangs when it starts");
    await isLeftOut(
      new RegExp(`libmpich\\.so\\.12: expected to take part to the end, but no answer came within ${patienceS} s$`),
      { patienceMs: patienceS * 1000 },
    );
  });

  test("that aborts in the middle loses its rows, and nobody else's", async () => {
    beside("aborts when it packs");
    const compared = await besideCpu();
    expect(
      remarks.filter((line) =>
        /^mpich-\S+: expected to take part to the end, but its process ended by SIGABRT/.test(line),
      ),
    ).toHaveLength(1);
    expect(contendersOf(compared)).not.toContainEqual(expect.stringMatching(/^mpich-/));
    expect(contendersOf(compared)).toContain("cpu");
  });

  test("that fails a call has no row for that direction, with the call's name in one line", async () => {
    beside("fails when it unpacks");
    const { rows } = await besideCpu();
    expect(remarks.filter((line) => /^mpich-\S+: MPI_Unpack: /.test(line))).toHaveLength(1);
    const directions = rows.filter(({ contender }) => contender.startsWith("mpich")).map(({ direction }) => direction);
    expect(new Set(directions)).toEqual(new Set(["pack"]));
  });

  test("that packs other bytes makes an error of the cell, not a row", async () => {
    beside("packs other bytes");
    const compared = await besideCpu();
    expect(compared.differences).toHaveLength(1);
    expect(compared.differences[0]).toMatch(
      /^NAS_LU_x\/0 pack of \d+ bytes: mpich-\S+: expected bytes of hash \w+, got \w+$/,
    );
    expect(new Set(compared.rows.map(({ direction }) => direction))).toEqual(new Set(["unpack"]));
  });
});
