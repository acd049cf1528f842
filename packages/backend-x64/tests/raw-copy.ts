import { copyMove } from "@stowage/backend-api";
import { forEachRun, type Layout } from "@stowage/ir";
import type { FeatureLevel } from "../src/feature-level.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING, type Tuning } from "../src/options.js";
import { copyProgram } from "../src/relayout/copy-program.js";
import { guardedMemory } from "./guarded-memory.js";
import { fillPattern, firstDifference, launch, reachOf, type Range } from "./raw.js";

/** What a range of a layout packs to, run by run. */
function packed(layout: Layout, range: Range, bytes: Uint8Array, low: number): Uint8Array {
  const stream = new Uint8Array(range.length);
  let at = 0;
  forEachRun(layout, range, (offset, length) => {
    stream.set(bytes.subarray(offset - low, offset - low + length), at);
    at += length;
  });
  return stream;
}

/** What a target that begins at its lowest byte holds once a range has been copied to it, run by run. */
export function copied(source: Layout, target: Layout, range: Range, from: Uint8Array, to: Uint8Array): Uint8Array {
  const stream = packed(source, range, from, reachOf(source, range.count).low);
  const [want, { low }] = [to.slice(), reachOf(target, range.count)];
  let at = 0;
  forEachRun(target, range, (offset, length) => {
    want.set(stream.subarray(at, at + length), offset - low);
    at += length;
  });
  return want;
}

/**
 * Copies a range by machine code between guarded buffers; says how the outcome differs from moving it run by run, or
 * undefined where it does not.
 */
export function copyDifferenceOf(
  source: Layout,
  target: Layout,
  range: Range,
  level: FeatureLevel,
  flush: "start" | "end",
  tuning: Tuning = DEFAULT_TUNING,
): string | undefined {
  const probed = probeMachine();
  if (!("machine" in probed)) throw new Error(probed.reason);
  const [read, written] = [reachOf(source, range.count), reachOf(target, range.count)];
  const from = guardedMemory(read.high - read.low, flush);
  const to = guardedMemory(written.high - written.low, flush);
  fillPattern(from.bytes, 3);
  fillPattern(to.bytes, 101);
  const wantFrom = from.bytes.slice();
  const wantTo = copied(source, target, range, wantFrom, to.bytes);
  const sealed = probed.machine.arena.add(copyProgram(copyMove(source, target), level, tuning).code);
  launch([sealed.address, from.address - read.low, to.address - written.low, range.count, range.first, range.length]);
  sealed.release();
  const bad = firstDifference("target", to.bytes, wantTo) ?? firstDifference("source", from.bytes, wantFrom);
  from.free();
  to.free();
  return bad;
}
