import type { Communicator, World } from "@stowage/mpi-bridge";
import type { Datatype } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import koffi from "koffi";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const PROGRAM = path("../../src/pingpong/ping-pong.c");
/** Pack loops by hand, and what they are called with, lie in a checkout; packages as published leave them out. */
const LOOPS = path("../../../backend-x64/bench/plain-loops.c");
const BINDING = new URL("../../../backend-x64/bench/plain-c.mjs", import.meta.url);
const OPTIONS = ["-O3", "-march=native", "-shared", "-fPIC"];

/** The shape that a loop by hand is called with, in C's struct; `keep` must outlive its use. */
export interface EncodedShape {
  readonly name: string;
  readonly words: BigInt64Array;
  readonly keep: unknown;
}

interface Binding {
  encodedShapeOf(workload: string, datatype: Datatype, count: number, extentBytes: number): EncodedShape;
}

/** The exchanges in C, compiled against the MPI that runs. */
export interface CLoops {
  addressOf(symbol: string): number;
  /** Undefined where nobody has written a loop for a workload. */
  shapeOf(workload: string, datatype: Datatype, count: number, extentBytes: number): EncodedShape | undefined;
  readonly hasLoops: boolean;
}

/** Rank 0 compiles, all load. Throws one line where there is no compiler of this MPI. */
export async function compileLoops(mpi: World, comm: Communicator): Promise<CLoops> {
  const hasLoops = existsSync(LOOPS);
  const folder = comm.rank === 0 ? mkdtempSync(join(tmpdir(), "stowage-ping-pong-")) : "";
  try {
    const file = comm.rank === 0 ? join(folder, "loops.so") : "";
    const failed = comm.rank === 0 ? compile(mpi, file, hasLoops) : undefined;
    const told = agreedText(comm, failed === undefined ? file : `!${failed}`);
    if (told.startsWith("!")) throw new Error(told.slice(1));
    const addressOf = openLibrary(told);
    comm.barrier();
    const binding = hasLoops ? ((await import(BINDING.href)) as Binding) : undefined;
    const shapeOf: CLoops["shapeOf"] = (...of) => shapeOrNone(binding, of);
    return { addressOf, shapeOf, hasLoops };
  } finally {
    if (comm.rank === 0) rmSync(folder, { recursive: true });
  }
}

function shapeOrNone(
  binding: Binding | undefined,
  of: Parameters<Binding["encodedShapeOf"]>,
): EncodedShape | undefined {
  try {
    return binding?.encodedShapeOf(...of);
  } catch (error) {
    if (error instanceof Error && /^(plain loop of|box): /.test(error.message)) return undefined;
    throw error;
  }
}

/** Why it failed, in a line. */
function compile({ mpi }: World, file: string, hasLoops: boolean): string | undefined {
  const macro = mpi.family === "openmpi" ? "OPEN_MPI" : "MPICH_VERSION";
  const names = [`mpicc.${mpi.family}`, "mpicc"];
  const compiler = names.find((name) => definesOf(name).includes(`#define ${macro} `));
  if (compiler === undefined)
    return `compiler of ${mpi.name}: expected ${names.join(" or ")} that belongs to it, got none`;
  const made = spawnSync(compiler, [...OPTIONS, "-o", file, PROGRAM, ...(hasLoops ? [LOOPS] : [])], {
    encoding: "utf8",
  });
  return made.status === 0 ? undefined : `${compiler}: expected a library, got ${made.stderr.trim().split("\n")[0]}`;
}

function definesOf(compiler: string): string {
  const input = "#include <mpi.h>\n";
  return spawnSync(compiler, ["-E", "-dM", "-x", "c", "-"], { encoding: "utf8", input }).stdout ?? "";
}

const RTLD_NOW = 2;

function openLibrary(file: string): (symbol: string) => number {
  const libc = koffi.load("libc.so.6");
  const open = libc.func("uintptr_t dlopen(const char *, int)") as (file: string, flags: number) => number;
  const find = libc.func("uintptr_t dlsym(uintptr_t, const char *)") as (library: number, symbol: string) => number;
  const library = open(file, RTLD_NOW);
  if (library === 0) throw new Error(`${file}: expected a library that loads, got none`);
  return (symbol) => find(library, symbol);
}

const MOST_TEXT_BYTES = 1024;

/** Rank 0's text, on all ranks. */
function agreedText(comm: Communicator, text: string): string {
  const bytes = new Uint8Array(MOST_TEXT_BYTES);
  if (comm.rank === 0) new TextEncoder().encodeInto(text, bytes);
  comm.bcast(bytes, 0);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}
