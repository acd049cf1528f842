import { encodedShapeOf, PLAIN_LOOPS, type EncodedShape } from "@stowage/bench/plain-c";
import type { Communicator, World } from "@stowage/mpi-bridge";
import type { Datatype } from "@stowage/ir";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import koffi from "koffi";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const PROGRAM = path("../../src/pingpong/ping-pong.c");
const OPTIONS = ["-O3", "-march=native", "-shared", "-fPIC"];

/** The exchanges in C, compiled against the MPI that runs. */
export interface CLoops {
  addressOf(symbol: string): number;
  /** Undefined where nobody has written a loop for a workload. */
  shapeOf(workload: string, datatype: Datatype, count: number, extentBytes: number): EncodedShape | undefined;
}

/** Rank 0 compiles, all load. Throws one line where there is no compiler of this MPI. */
export function compileLoops(mpi: World, comm: Communicator): CLoops {
  const folder = comm.rank === 0 ? mkdtempSync(join(tmpdir(), "stowage-ping-pong-")) : "";
  try {
    const file = comm.rank === 0 ? join(folder, "loops.so") : "";
    const failed = comm.rank === 0 ? compile(mpi, file) : undefined;
    const told = agreedText(comm, failed === undefined ? file : `!${failed}`);
    if (told.startsWith("!")) throw new Error(told.slice(1));
    const addressOf = openLibrary(told);
    comm.barrier();
    return { addressOf, shapeOf: (...of) => shapeOrNone(of) };
  } finally {
    if (comm.rank === 0) rmSync(folder, { recursive: true });
  }
}

function shapeOrNone(of: Parameters<typeof encodedShapeOf>): EncodedShape | undefined {
  try {
    return encodedShapeOf(...of);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("plain loop of ")) return undefined;
    throw error;
  }
}

/** Why it failed, in a line. */
function compile({ mpi }: World, file: string): string | undefined {
  const macro = mpi.family === "openmpi" ? "OPEN_MPI" : "MPICH_VERSION";
  const names = [`mpicc.${mpi.family}`, "mpicc"];
  const compiler = names.find((name) => definesOf(name).includes(`#define ${macro} `));
  if (compiler === undefined)
    return `compiler of ${mpi.name}: expected ${names.join(" or ")} that belongs to it, got none`;
  const made = spawnSync(compiler, [...OPTIONS, "-o", file, PROGRAM, PLAIN_LOOPS], {
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
