import type { Datatype } from "@stowage/ir";
import koffi from "koffi";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PackDirection } from "../committed-type.js";
import { hasNativeCalls, NativeCall } from "../peers/native/native-call.js";
import { shapeOf } from "./shape.js";

const inC = (name: string): string => fileURLToPath(new URL(`../../c/${name}`, import.meta.url));

/**
 * The path of the C source with the loops that a careful application writer packs by, one for each workload that has
 * one.
 */
export const PLAIN_LOOPS = inC("plain-loops.c");
const COMPILER = "gcc";
const COMPILE = ["-O3", "-march=native", "-shared", "-fPIC"];

/** The name in result rows of what gcc makes of these loops: c-O3. */
export const PLAIN_C = `c${COMPILE[0]}`;

/** Whether loops can be compiled and called here: on x86-64 under Linux, with gcc. */
export const hasPlainC = (): boolean => hasNativeCalls() && spawnSync(COMPILER, ["--version"]).status === 0;

/**
 * Compiles C sources, named by their paths, to a library, and opens it. What it returns finds the address of a function
 * by its name. Throws an Error of gcc's own words where it does not compile; what it returns throws one for a name that
 * is not there.
 */
export function compiled(sources: readonly string[]): (symbol: string) => number {
  const folder = mkdtempSync(join(tmpdir(), "stowage-plain-c-"));
  const file = join(folder, "loops.so");
  try {
    const made = spawnSync(COMPILER, [...COMPILE, "-o", file, ...sources], { encoding: "utf8" });
    if (made.status !== 0)
      throw new Error(`${COMPILER}: expected a library, got ${made.error?.message ?? made.stderr}`);
    const libc = koffi.load("libc.so.6");
    const library = libc.func("uintptr_t dlopen(const char *, int)")(file, RTLD_NOW) as number;
    const find = libc.func("uintptr_t dlsym(uintptr_t, const char *)") as (library: number, symbol: string) => number;
    return (symbol) => {
      const address = find(library, symbol);
      if (address === 0) throw new Error(`plain C: expected a function ${symbol}, got none`);
      return address;
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const RTLD_NOW = 2;

let loops: ((symbol: string) => number) | undefined;
const loop = (symbol: string): number => (loops ??= compiled([PLAIN_LOOPS, inC("line-touches.c")]))(symbol);

/** The shape that a plain loop is called with, as C's struct has it (plain-loops.c). */
export interface EncodedShape {
  /** The name of the loop; the C function is called `pack_NAME` or `unpack_NAME`. */
  readonly name: string;
  /** The struct's words of 64 bits. */
  readonly words: BigInt64Array;
  /** Memory that `words` points into: it must live as long as they are used. */
  readonly keep: unknown;
}

const MOST_FIELDS = 16;
const FIELD_WORDS = 11;

/**
 * The loop of a workload, and the shape that it is called with. `extentBytes` is the distance of elements. Throws an
 * Error that begins with "plain loop of" for a workload without a loop.
 */
export function encodedShapeOf(workload: string, datatype: Datatype, count: number, extentBytes: number): EncodedShape {
  const { name, fields } = shapeOf(workload, datatype);
  const words = new BigInt64Array(3 + MOST_FIELDS * FIELD_WORDS);
  words.set([count, extentBytes, fields.length].map(BigInt));
  fields.forEach(({ start, kind, n, stride, list }, i) => {
    const address = list === undefined ? 0n : BigInt(koffi.address(list));
    words.set([...[start, kind, ...n, ...stride].map(BigInt), address], 3 + i * FIELD_WORDS);
  });
  return { name, words, keep: fields.map(({ list }) => list) };
}

/** One side of a move: bytes, and where in them a datatype's address 0 lies. */
export interface Side {
  /** The memory. */
  readonly bytes: Uint8Array;
  /** Bytes from the start of the memory to the datatype's address 0. */
  readonly originBytes: number;
}

const addressOf = (view: ArrayBufferView): number => Number(koffi.address(view));

/**
 * The loop of a workload, compiled and bound to memory: each run moves `count` elements that stand `extentBytes` apart.
 * Throws an Error that begins with "plain loop of" for a workload without a loop, and what `compiled` throws.
 */
export function plainLoop(
  workload: string,
  datatype: Datatype,
  { count, extentBytes, direction }: { count: number; extentBytes: number; direction: PackDirection },
  source: Side,
  target: Side,
): NativeCall {
  const shape = encodedShapeOf(workload, datatype, count, extentBytes);
  const sides = [source, target].map(({ bytes, originBytes }) => addressOf(bytes) + originBytes);
  const held = [source.bytes, target.bytes, shape.words, ...(shape.keep as readonly (Int32Array | undefined)[])];
  const views = held.filter((view) => view !== undefined);
  return new NativeCall(loop(`${direction}_${shape.name}`), [...sides, addressOf(shape.words)], views);
}

const LINE_BYTES = 64;

/**
 * A call that touches one word of each cache line of both sides, in the order of addresses, and moves nothing else:
 * what any pack or unpack must fetch. `places` has an entry for each of the scattered side's lines: the byte in its
 * buffer where a word of `width` bytes lies that is moved.
 */
export function lineTouches(
  { places, width }: { readonly places: Int32Array; readonly width: number },
  packedBytes: number,
  direction: PackDirection,
  source: Uint8Array,
  target: Uint8Array,
): NativeCall {
  const sides = [places.length, Math.ceil(packedBytes / LINE_BYTES)];
  const steps = Math.max(...sides);
  const [scattered = 0n, packed = 0n] = sides.map((lines) =>
    BigInt(Math.ceil((2 ** 32 * (lines - 1)) / Math.max(1, steps - 1))),
  );
  const touches = BigInt64Array.of(BigInt(steps), BigInt(addressOf(places)), scattered, packed);
  const views = [source, target, touches];
  return new NativeCall(loop(`${direction}_lines_${width}`), views.map(addressOf), [...views, places]);
}

/** A call of C's memcpy that copies `sizeBytes` bytes, made in the same way as the loops. */
export function plainMemcpy(source: Uint8Array, target: Uint8Array, sizeBytes: number): NativeCall {
  const find = koffi.load("libc.so.6").func("uintptr_t dlsym(uintptr_t, const char *)");
  return new NativeCall(Number(find(0, "memcpy")), [addressOf(target), addressOf(source), sizeBytes], [source, target]);
}
