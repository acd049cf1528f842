import type { IntegerTable } from "@stowage/ir";
import { moveBlocks } from "../kernels/move-blocks.js";
import { moveLongBlocks } from "../kernels/move-long-blocks.js";
import { gatherRuns, scatterRuns } from "../kernels/move-runs.js";
import { DameError } from "../language/dame-error.js";
import { iterationAt } from "./level.js";
import type { RunViews } from "./run-views.js";
import type { Side } from "./side.js";

/** Runs from here on are copied by TypedArray.set, shorter ones by loops over words: the measured cross-over. */
export const LONG_BYTES = 256;

/** Moves `lengthBytes` from where the source's state stands to where the target's does, walking both in lock-step. */
export function transfer(source: Side, target: Side, lengthBytes: number, views: RunViews): void {
  let left = lengthBytes;
  while (left > 0) left -= transferStep(source, target, left, views);
}

/**
 * Moves as much as one inner loop can, `limitBytes` at most, and returns how much. Both states are left where it stops.
 *
 * @throws DameError where a run does not lie within the memory; what was before it has moved.
 */
export function transferStep(source: Side, target: Side, limitBytes: number, views: RunViews): number {
  return moveMany(source, target, limitBytes, views) || moveRun(source, target, limitBytes, views);
}

/** Moves what one inner loop can and returns its bytes; 0 where a run by itself is all there is, or as good. */
function moveMany(source: Side, target: Side, limitBytes: number, views: RunViews): number {
  const sourceBytes = source.state.blockBytes;
  const targetBytes = target.state.blockBytes;
  const sourceBlocks = source.wholeBlocks;
  const targetBlocks = target.wholeBlocks;
  if (sourceBlocks > 1 && targetBlocks > 1 && sourceBytes === targetBytes) {
    return moveEqual(source, target, Math.min(sourceBlocks, targetBlocks), sourceBytes, limitBytes, views);
  }
  if (sourceBlocks > 1 && sourceBytes < target.restBytes) {
    return moveEqual(source, target, sourceBlocks, sourceBytes, Math.min(limitBytes, target.restBytes), views);
  }
  if (targetBlocks > 1 && targetBytes < source.restBytes) {
    return moveEqual(source, target, targetBlocks, targetBytes, Math.min(limitBytes, source.restBytes), views);
  }
  if (varies(source)) return moveVarying(source, target, source, Math.min(limitBytes, target.restBytes));
  if (varies(target)) return moveVarying(source, target, target, Math.min(limitBytes, source.restBytes));
  return 0;
}

function moveEqual(
  source: Side,
  target: Side,
  most: number,
  blockBytes: number,
  limitBytes: number,
  views: RunViews,
): number {
  const count = Math.min(most, Math.floor(limitBytes / blockBytes));
  if (count < 2) return 0;
  if (!source.placeBlocks(count, blockBytes) || !target.placeBlocks(count, blockBytes)) return 0;
  if (source.cursor.table !== undefined && target.cursor.table !== undefined) return 0;
  if (blockBytes < LONG_BYTES) moveBlocks(source.cursor, target.cursor, count, blockBytes);
  else moveLongBlocks(source.cursor, target.cursor, count, blockBytes, views);
  take(source, count, blockBytes);
  take(target, count, blockBytes);
  return count * blockBytes;
}

function take({ state }: Side, count: number, blockBytes: number): void {
  if (state.blockBytes === blockBytes) state.takeBlocks(count, count * blockBytes);
  else state.takeBytes(count * blockBytes);
}

const varies = ({ state }: Side): boolean => state.leaf.starts !== undefined && state.usedBytes === 0;

/** Blocks of differing lengths against one run, of which `limitBytes` may move. */
function moveVarying(source: Side, target: Side, varying: Side, limitBytes: number): number {
  const { leaf, block, blockCount, leafBaseBytes } = varying.state;
  const starts = leaf.starts as IntegerTable;
  const lengths = leaf.words?.lengths;
  const startByte = starts[block] as number;
  const endByte = startByte + limitBytes;
  const end = endByte >= (starts[blockCount] as number) ? blockCount : iterationAt(leaf, endByte);
  const count = end - block;
  const lengthBytes = (starts[end] as number) - startByte;
  if (lengths === undefined || count < 2 || lengthBytes >= count * LONG_BYTES) return 0;
  const run = varying === source ? target : source;
  if (!varying.placeTable(leafBaseBytes, count) || !run.placeRun(lengthBytes, 0)) return 0;
  const table = varying.cursor.table as NonNullable<typeof varying.cursor.table>;
  if (varying === source) gatherRuns(source.cursor, table, lengths, target.cursor, count);
  else scatterRuns(source.cursor, target.cursor, table, lengths, count);
  varying.state.takeBlocks(count, lengthBytes);
  run.state.takeBytes(lengthBytes);
  return lengthBytes;
}

/** Moves what both sides' current runs have in common. */
function moveRun(source: Side, target: Side, limitBytes: number, views: RunViews): number {
  const lengthBytes = Math.min(limitBytes, source.restBytes, target.restBytes);
  placeRuns(source, target, lengthBytes);
  if (lengthBytes < LONG_BYTES) moveBlocks(source.cursor, target.cursor, 1, lengthBytes);
  else {
    const { region, at } = source.cursor;
    target.cursor.region.bytes.set(views.take(region.bytes, at, at + lengthBytes), target.cursor.at);
  }
  source.state.takeBytes(lengthBytes);
  target.state.takeBytes(lengthBytes);
  return lengthBytes;
}

/**
 * Lays both cursors over the next `lengthBytes` of the sides' current runs. Throws a DameError where memory does not
 * hold them.
 */
export function placeRuns(source: Side, target: Side, lengthBytes: number): void {
  if (!source.placeRun(lengthBytes, 0)) fail("source", source, lengthBytes);
  if (!target.placeRun(lengthBytes, 0)) fail("target", target, lengthBytes);
}

function fail(side: string, { state }: Side, lengthBytes: number): never {
  const offsetBytes = state.blockOffsetBytes + state.usedBytes;
  throw new DameError(
    `${side} of a DAME program`,
    "every run within one buffer",
    `bytes ${offsetBytes} to ${offsetBytes + lengthBytes}`,
  );
}
