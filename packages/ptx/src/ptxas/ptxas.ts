import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kernel } from "../ir/index.js";
import { print } from "../print/print.js";
import { OLDEST_ARCH } from "../print/target.js";

/** What ptxas made of one kernel. */
export interface AssembledKernel {
  readonly name: string;
  /** Registers of each thread. */
  readonly registers: number;
  /** Bytes that a thread stores to local memory because registers ran out. */
  readonly spilledBytes: number;
  /** Whether a block of the kernel's most threads finds its registers. */
  readonly fits: boolean;
}

/**
 * The architectures that the ptxas on PATH knows and that we print for, such as 75 and 90; none where there is no
 * ptxas.
 */
export function ptxasArchitectures(): readonly number[] {
  const { status, stdout } = spawnSync("ptxas", ["--help"], { encoding: "utf8" });
  if (status !== 0) return [];
  const known = new Set([...stdout.matchAll(/'sm_(\d+)'/g)].map(([, arch]) => Number(arch)));
  return [...known].filter((arch) => arch >= OLDEST_ARCH).sort((a, b) => a - b);
}

/**
 * Assembles kernels, of any names, as one module for an architecture such as 90; the result has an entry a kernel, in
 * their order. Throws an Error with ptxas's own words where it refuses one.
 */
export function assemble(kernels: readonly Kernel[], arch: number): readonly AssembledKernel[] {
  // Entries of one module have names of their own.
  const entries = kernels.map((kernel, i): Kernel => ({ ...kernel, name: `entry${i}` }));
  const report = reportOn(print(entries, { arch }), arch);
  return kernels.map(({ name, maxThreads }, i) => {
    const { registers, spilledBytes } = report.get(`entry${i}`) ?? notReported(name, arch);
    return { name, registers, spilledBytes, fits: registers <= registersFor(maxThreads ?? MOST_THREADS) };
  });
}

const MOST_THREADS = 1024;
const WARP_THREADS = 32;
/** Registers of a block on every architecture from sm_75 on. CUDA C++ programming guide, technical specifications. */
const BLOCK_REGISTERS = 2 ** 16;
const MOST_REGISTERS = 255;
/** Registers are handed out to warps, 256 at a time. */
const UNIT = 256;

/** How many registers a thread may have where its block has so many threads, on sm_75 and later. */
export function registersFor(threads: number): number {
  const units = Math.floor(BLOCK_REGISTERS / UNIT / Math.ceil(threads / WARP_THREADS));
  return Math.min(MOST_REGISTERS, (units * UNIT) / WARP_THREADS);
}

type Figures = Pick<AssembledKernel, "registers" | "spilledBytes">;

/** ptxas's report, by entry. It stands on standard error, where a refusal stands too. */
function reportOn(text: string, arch: number): ReadonlyMap<string, Figures> {
  const folder = mkdtempSync(join(tmpdir(), "stowage-ptxas-"));
  try {
    const file = join(folder, "kernels.ptx");
    writeFileSync(file, text);
    const args = [`-arch=sm_${arch}`, "-v", "-o", join(folder, "kernels.cubin"), file];
    const { status, stderr } = spawnSync("ptxas", args, { encoding: "utf8", maxBuffer: 2 ** 28 });
    if (status !== 0) throw new Error(`ptxas -arch=sm_${arch}: expected status 0, got ${status}: ${stderr}`);
    return figuresByEntry(stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function figuresByEntry(report: string): ReadonlyMap<string, Figures> {
  const [, ...parts] = report.split("Compiling entry function '");
  return new Map(
    parts.map((part) => {
      const figure = (pattern: RegExp): number => Number(pattern.exec(part)?.[1]);
      const name = part.slice(0, part.indexOf("'"));
      return [name, { registers: figure(/Used (\d+) registers/), spilledBytes: figure(/(\d+) bytes spill stores/) }];
    }),
  );
}

function notReported(name: string, arch: number): never {
  throw new Error(`ptxas -arch=sm_${arch}: expected a report on ${name}, got none`);
}
