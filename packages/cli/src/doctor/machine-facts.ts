import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { basename } from "node:path";
import { formatBytes } from "@stowage/bench";
import { familyOfLibrary, findMpis, isStandardLibrary } from "@stowage/mpi-abi";

export interface Fact {
  readonly name: string;
  readonly finding: string;
  /** It is not as it should be: the command's exit code says so. */
  readonly isWrong?: true;
}

/** What can be read of the machine without any privilege. Nothing here is needed: each says so where it is absent. */
export function machineFacts(): readonly Fact[] {
  const processors = cpus();
  return [
    { name: "system", finding: `${platform()} ${release()} on ${arch()}` },
    { name: "node", finding: process.version },
    { name: "processor", finding: `${processors.length} cores of ${processors[0]?.model ?? "an unknown model"}` },
    { name: "vector instructions", finding: vectorInstructions() },
    { name: "memory", finding: formatBytes(totalmem()) },
    {
      name: "Open MPI",
      finding:
        firstLine("ompi_info", ["--version"]) ?? "none found (Debian: apt-get install openmpi-bin libopenmpi-dev)",
    },
    {
      name: "MPICH",
      finding: firstLine("mpichversion", []) ?? "none found (Debian: apt-get install mpich libmpich-dev)",
    },
    ...standardAbi(),
    {
      name: "C compiler",
      finding: firstLine("gcc", ["--version"]) ?? "none found (only benchmarks against C need one)",
    },
  ];
}

/** Libraries of the standard's ABI (MPI 5.0, chapter 20), which programs of every MPI may run with. */
function standardAbi(): readonly Fact[] {
  const libraries = librariesHere().filter(isStandardLibrary);
  return libraries.length === 0 ? [] : [{ name: "MPI's standard ABI", finding: libraries.map(told).join(", ") }];
}

const told = (library: string): string =>
  `${{ openmpi: "Open MPI", mpich: "MPICH" }[familyOfLibrary(library)]}'s ${basename(library)}`;

function librariesHere(): readonly string[] {
  try {
    return findMpis();
  } catch {
    return []; // STOWAGE_MPI names what is not there: who loads it says so
  }
}

const LEVELS: readonly (readonly [string, readonly string[]])[] = [
  ["AVX-512", ["avx512f", "avx512bw", "avx512vl"]],
  ["AVX2", ["avx2", "bmi2"]],
  ["SSE2", ["sse2"]],
];

function vectorInstructions(): string {
  const flags = processorFlags();
  if (flags === undefined) return "unknown: /proc/cpuinfo cannot be read here";
  const found = LEVELS.filter(([, needed]) => needed.every((flag) => flags.has(flag))).map(([level]) => level);
  return found.length === 0 ? "none that machine code uses" : found.join(", ");
}

function processorFlags(): ReadonlySet<string> | undefined {
  try {
    const line = readFileSync("/proc/cpuinfo", "utf8")
      .split("\n")
      .find((text) => text.startsWith("flags"));
    return new Set(line?.split(/\s+/));
  } catch {
    return undefined;
  }
}

function firstLine(command: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? stdout.split("\n")[0]?.trim() : undefined;
}
