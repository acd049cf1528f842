import { packMove, unpackMove, type Direction } from "@stowage/backend-api";
import { callRecord, type LaunchRecord } from "@stowage/host-plans";
import { forEachRun, type Layout } from "@stowage/ir";
import type { FeatureLevel } from "../src/feature-level.js";
import { program } from "../src/lower/program.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING, type Tuning } from "../src/options.js";
import { guardedMemory } from "./guarded-memory.js";

export interface Range {
  readonly count: number;
  readonly first: number;
  readonly length: number;
}

/** Where all bytes of `count` elements lie, relative to the address 0 of the first. */
export function reachOf(layout: Layout, count: number): { readonly low: number; readonly high: number } {
  if (layout.sizeBytes === 0 || count === 0) return { low: 0, high: 0 };
  const last = (count - 1) * layout.extentBytes;
  const low = layout.trueLowerBoundBytes;
  return { low: low + Math.min(0, last), high: low + layout.trueExtentBytes + Math.max(0, last) };
}

/** Calls that repay whatever a commit may do. */
export const OFTEN = { expectedCalls: Infinity } as const;

export const fillPattern = (bytes: Uint8Array, salt: number): void => {
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 131 + (i >> 8) * 17 + salt) & 255;
};

/**
 * Moves a range by machine code between guarded buffers; says how the outcome differs from moving it run by run.
 * `undefined`: not at all.
 */
export function differenceOf(
  layout: Layout,
  range: Range,
  direction: Exclude<Direction, "copy" | "reduce">,
  level: FeatureLevel,
  flush: "start" | "end",
  tuning: Tuning = DEFAULT_TUNING,
): string | undefined {
  const { low, high } = reachOf(layout, range.count);
  const scattered = guardedMemory(high - low, flush);
  const packed = guardedMemory(range.length, flush);
  fillPattern(scattered.bytes, 3);
  fillPattern(packed.bytes, 101);
  const wantScattered = scattered.bytes.slice();
  const wantPacked = packed.bytes.slice();
  let at = 0;
  forEachRun(layout, range, (offset, length) => {
    const start = offset - low;
    if (direction === "pack") wantPacked.set(wantScattered.subarray(start, start + length), at);
    else wantScattered.set(wantPacked.subarray(at, at + length), start);
    at += length;
  });
  const move = direction === "pack" ? packMove(layout) : unpackMove(layout);
  execute(
    program(move, level, tuning, OFTEN).code,
    direction,
    scattered.address - low,
    packed.address - range.first,
    range,
  );
  const bad =
    firstDifference("packed", packed.bytes, wantPacked) ?? firstDifference("scattered", scattered.bytes, wantScattered);
  scattered.free();
  packed.free();
  return bad;
}

export function firstDifference(side: string, got: Uint8Array, want: Uint8Array): string | undefined {
  if (Buffer.compare(got, want) === 0) return undefined;
  const i = want.findIndex((byte, at) => byte !== got[at]);
  return `${side} byte ${i}: expected ${want[i]}, got ${got[i]}`;
}

function execute(
  code: Uint8Array,
  direction: "pack" | "unpack",
  scattered: number,
  packed: number,
  { count, first, length }: Range,
): void {
  const probed = probeMachine();
  if (!("machine" in probed)) throw new Error(probed.reason);
  const sealed = probed.machine.arena.add(code);
  const [source, target] = direction === "pack" ? [scattered, packed] : [packed, scattered];
  launch([sealed.address, source, target, count, first, length]);
  sealed.release();
}

/** Runs one record. */
export function launch(record: LaunchRecord): void {
  const probed = probeMachine();
  if (!("machine" in probed)) throw new Error(probed.reason);
  callRecord(probed.machine.launcher, record);
}
