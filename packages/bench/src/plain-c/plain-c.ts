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

/** The loops that a careful application writer packs by, one for each workload that has one. */
export const PLAIN_LOOPS = inC("plain-loops.c");
const COMPILER = "gcc";
const COMPILE = ["-O3", "-march=native", "-shared", "-fPIC"];

/** As result rows name what these options make. */
export const PLAIN_C = `c${COMPILE[0]}`;

/** Whether loops can be compiled and called here. */
export const hasPlainC = (): boolean => hasNativeCalls() && spawnSync(COMPILER, ["--version"]).status === 0;

/** Compiles C to a library and opens it; what it returns finds addresses of functions. Throws one line. */
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

/** The shape that a loop is called with, in C's struct; `keep` must outlive its use. */
export interface EncodedShape {
  readonly name: string;
  readonly words: BigInt64Array;
  readonly keep: unknown;
}

const MOST_FIELDS = 16;
const FIELD_WORDS = 11;

/** What the loop of a workload is called with, and its name. Throws as shapeOf. */
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

/** Bytes, and where in them a datatype's address 0 lies. */
export interface Side {
  readonly bytes: Uint8Array;
  readonly originBytes: number;
}

const addressOf = (view: ArrayBufferView): number => Number(koffi.address(view));

/** The loop of a workload, bound to memory. Throws as shapeOf. */
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
 * One word of each line of both sides, in the order of addresses. `places`: of each of the scattered side's lines,
 * where in its buffer a word of `width` bytes lies that is moved.
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

/** C's memcpy of so many bytes, called in the same way. */
export function plainMemcpy(source: Uint8Array, target: Uint8Array, sizeBytes: number): NativeCall {
  const find = koffi.load("libc.so.6").func("uintptr_t dlsym(uintptr_t, const char *)");
  return new NativeCall(Number(find(0, "memcpy")), [addressOf(target), addressOf(source), sizeBytes], [source, target]);
}
