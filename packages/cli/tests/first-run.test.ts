import { workloadSubject } from "@stowage/bench";
import { findMpis } from "@stowage/mpi-abi";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startText } from "../src/start/start-text.js";
import { start } from "../src/start/start.js";
import { row } from "./report/rows.js";

describe("what a first run says", () => {
  const unpack = { direction: "unpack" } as const;
  const copy = [row("x64", 20), row("memcpy", 5), row("x64", 10, unpack), row("memcpy", 5, unpack)];

  test("is five lines: what was checked, the share of a copy, each MPI by its name, what to try", () => {
    const lines = startText([...copy, row("openmpi-4.1.4", 40), row("openmpi-4.1.4", 30, unpack)], []);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/ 1 datatypes? .*: every byte was right\.$/);
    expect(lines[1]).toMatch(/^Packing ran at 0\.25 of the speed of one memcpy .* unpacking at 0\.5/);
    expect(lines[2]).toMatch(/^Ours was 2\.00 times as fast as Open MPI 4\.1\.4 packing, 3\.00 unpacking \(/);
    expect(lines[3]).toContain("npx stowage run -- mpirun");
    expect(lines[4]).toContain("npx stowage explain MILC_su3_zdown/0");
  });

  test("names what to install where no MPI is, and counts cells whose bytes were wrong", () => {
    const lines = startText(copy, ["FFT2/0 pack: x64 moved other bytes"]);
    expect(lines[0]).toMatch(/: other bytes came out in 1 more cells, named above\.$/);
    expect(lines[2]).toMatch(/^No MPI was found here .*apt-get install openmpi-bin mpich/);
  });
});

describe("stowage start", () => {
  afterEach(() => vi.restoreAllMocks());

  test(`packs beside memcpy and the MPIs of this machine (${findMpis().length} found); --all has the table first`, async () => {
    let out = "";
    vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
    await start({ all: true }, [workloadSubject("FFT2/0")]);
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^GB\/s of packed bytes/);
    expect(lines.filter((line) => line.startsWith("FFT2/0"))).toHaveLength(1);
    expect(lines.slice(-5)[0]).toMatch(/every byte was right\.$/);
    expect(lines.slice(-5)[2]).toMatch(findMpis().length === 0 ? /^No MPI/ : /times as fast as (Open MPI|MPICH) \d/);
  });
});
