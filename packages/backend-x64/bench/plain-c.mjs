// Compiles the loops in C beside this file and binds its functions to buffers behind the launch that plans of x64 go
// through.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { callRecord } from "@stowage/host-plans";
import koffi from "koffi";
import { probeMachine } from "../dist/memory/machine.js";
import { shapeOf } from "./shapes.mjs";

const SOURCES = ["plain-loops.c", "line-touches.c"].map((name) => fileURLToPath(new URL(name, import.meta.url)));
export const COMPILE = ["-O3", "-march=native", "-shared", "-fPIC"];

let symbols;

function symbol(name) {
  symbols ??= open();
  const address = symbols(name);
  if (address === 0) throw new Error(`plain loop ${name}: expected a symbol, got none`);
  return address;
}

function open() {
  const file = join(mkdtempSync(join(tmpdir(), "plain-loops-")), "plain-loops.so");
  const made = spawnSync("gcc", [...COMPILE, "-o", file, ...SOURCES], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`gcc: expected a library, got ${made.stderr}`);
  const libc = koffi.load("libc.so.6");
  const library = libc.func("uintptr_t dlopen(const char *, int)")(file, 2);
  const find = libc.func("uintptr_t dlsym(uintptr_t, const char *)");
  return (name) => find(library, name);
}

const FIELD_WORDS = 11;

/** The shape as C's struct; `keep` must outlive its use. */
function encodeShape({ fields }, count, extentBytes) {
  const words = new BigInt64Array(3 + 16 * FIELD_WORDS);
  words.set([BigInt(count), BigInt(extentBytes), BigInt(fields.length)]);
  fields.forEach(({ start, kind, n, stride, list }, i) => {
    const address = list === undefined ? 0n : koffi.address(list);
    words.set([start, kind, ...n, ...stride].map(BigInt).concat(address), 3 + i * FIELD_WORDS);
  });
  return { words, keep: fields.map(({ list }) => list) };
}

/** What the loop of a workload is called with, and its name; whoever calls it keeps both alive. */
export function encodedShapeOf(workloadName, datatype, count, extentBytes) {
  const shape = shapeOf(workloadName, datatype);
  return { name: shape.name, ...encodeShape(shape, count, extentBytes) };
}

/** A plan as X64Plan is one: the same checks before the same launch. */
export class PlainPlan {
  #record;
  #keep;
  #views;
  #viewBytes;
  #launcher;

  constructor(workloadName, datatype, count, extentBytes, direction, source, target, sourceOrigin, targetOrigin) {
    const shape = shapeOf(workloadName, datatype);
    this.#keep = encodeShape(shape, count, extentBytes);
    const address = (bytes, origin) => Number(koffi.address(bytes)) + origin;
    this.#record = Float64Array.of(
      symbol(`${direction}_${shape.name}`),
      address(source, sourceOrigin),
      address(target, targetOrigin),
      Number(koffi.address(this.#keep.words)),
      0,
      0,
    );
    this.#views = [source, target];
    this.#viewBytes = this.#views.map((view) => view.byteLength);
    this.#launcher = probeMachine().machine.launcher;
  }

  run() {
    for (let i = 0; i < this.#views.length; i++) {
      if (this.#views[i].byteLength !== this.#viewBytes[i]) throw new Error("detached");
    }
    callRecord(this.#launcher, this.#record);
  }
}

/**
 * C code behind the launch that plans of x64 go through; `keep`: what outlives its use, as the call holds addresses
 * only.
 */
class Launch {
  #record;
  #keep;
  #launcher = probeMachine().machine.launcher;
  constructor(record, keep) {
    this.#record = record;
    this.#keep = keep;
  }
  run() {
    callRecord(this.#launcher, this.#record);
  }
}

/**
 * One word of each line of both sides, in the order of addresses. `places`: of each of the scattered side's lines,
 * where in its buffer a word of `width` bytes lies that is moved.
 */
export class LinesPlan extends Launch {
  constructor({ places, width }, packedBytes, direction, source, target) {
    const sides = [places.length, Math.ceil(packedBytes / 64)];
    const steps = Math.max(...sides);
    const [scattered, packed] = sides.map((lines) =>
      BigInt(Math.ceil((2 ** 32 * (lines - 1)) / Math.max(1, steps - 1))),
    );
    const touches = BigInt64Array.of(BigInt(steps), koffi.address(places), scattered, packed);
    const addresses = [source, target, touches].map((view) => Number(koffi.address(view)));
    const record = Float64Array.of(symbol(`${direction}_lines_${width}`), ...addresses, 0, 0);
    super(record, [source, target, places, touches]);
  }
}

/** memcpy of the packed bytes, behind the same launch. */
export class MemcpyPlan extends Launch {
  constructor(source, target, bytes) {
    const libc = koffi.load("libc.so.6");
    const find = libc.func("uintptr_t dlsym(uintptr_t, const char *)");
    const [to, from] = [target, source].map((view) => Number(koffi.address(view)));
    super(Float64Array.of(Number(find(0, "memcpy")), to, from, bytes, 0, 0), [source, target]);
  }
}
