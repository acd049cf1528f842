import { general, type BasedMemory, type Register } from "@stowage/asm-x64";
import type { LayoutNode, Stream } from "@stowage/ir";
import { mergedBlocks, emitMerged } from "./merged-stores.js";
import { isPlain, unrolledMoves } from "./cost.js";
import { at, type Limits, type Offsets } from "./emitter.js";
import type { NodeEmitter } from "./node-emitter.js";
import { emitNearConstants, emitNearRound, nearRoundOf } from "./near-rounds.js";
import { emitNops, nopsBehind, scheduleOf, roundsAtOnce, type LoopSchedule } from "./loop-schedule.js";
import { emitPrefetches } from "./prefetch.js";
import { NOTHING_WANTED, peeledRounds, wantedBy, type WantedSlack } from "./slack.js";
import { hasReadableGaps, limitsInside } from "./readable-gaps.js";
import { columnsAtOnce, columnsOf, emitColumns } from "./transpose.js";
import { emitPermuted, LEAST_BLOCKS, permutationFits, permutedBlocksOf } from "./permuted-blocks.js";

const MOVES_PER_ROUND = 8;

/** What one round of a loop moves: so many children, all at once or one by one. */
interface Round {
  readonly children: number;
  /** Whether it reads no byte past its children, whatever it is allowed. */
  readonly exact?: boolean;
  /** What goes before the first round. */
  readonly prepare?: () => void;
  readonly emit: (offsets: Offsets, limits: Limits) => void;
}

/** The rounds that a loop of at most `most` children takes, the longer ones first. */
function roundsOf(e: NodeEmitter, node: Stream, most: number): readonly Round[] {
  const columns = columnsOf(e, node.child, node.strideBytes);
  const atOnce = columns === undefined ? [] : columnsAtOnce(e, columns).filter((children) => children <= most);
  if (columns !== undefined && atOnce.length > 0) {
    return atOnce.map((children) => ({
      children,
      exact: true,
      emit: (offsets) => emitColumns(e, columns, children, offsets),
    }));
  }
  const round = roundOf(e, node, most);
  const times = roundsAtOnce(e, node, round.children, most);
  return times === 1 ? [round] : [repeatedRound(node, round, times), round];
}

const repeatedRound = ({ child, strideBytes }: Stream, { emit, ...round }: Round, times: number): Round => ({
  ...round,
  children: times * round.children,
  emit(offsets, limits) {
    for (let i = 0; i < times; i++)
      emit(at(offsets.s + i * round.children * strideBytes, offsets.p + i * round.children * child.sizeBytes), limits);
  },
});

const scheduledRound = (e: NodeEmitter, node: Stream, { blocks, fenced, prefetched }: LoopSchedule): Round => ({
  children: blocks,
  emit(offsets, limits) {
    if (prefetched === true) emitPrefetches(e, node, offsets, blocks);
    for (let i = 0; i < blocks; i++) {
      emitChildren(e, node, offsets, limits, i, i + 1);
      if (fenced === true) e.emit(general.sfence);
    }
  },
});

function roundOf(e: NodeEmitter, node: Stream, most: number): Round {
  const permuted = permutedBlocksOf(e, node.child, node.strideBytes);
  if (permuted !== undefined && Math.max(permuted.children, LEAST_BLOCKS) <= most && permutationFits(e, permuted)) {
    return { children: permuted.children, emit: (offsets) => emitPermuted(e, permuted, offsets) };
  }
  const near = nearRoundOf(e, node.child, node.strideBytes, most);
  if (near !== undefined) {
    return {
      children: near.children,
      exact: true,
      prepare: () => emitNearConstants(e, near),
      emit: (offsets) => emitNearRound(e, near, offsets),
    };
  }
  const schedule = scheduleOf(e, node);
  if (schedule !== undefined && schedule.blocks <= most) return scheduledRound(e, node, schedule);
  const merged = mergedBlocks(e, node.child);
  if (merged !== undefined && merged <= most) {
    return {
      children: merged,
      emit(offsets) {
        emitPrefetches(e, node, offsets, merged);
        emitMerged(e, node.child.sizeBytes, merged, offsets, (block, offset) =>
          e.scatteredAt(offsets.s + block * node.strideBytes + offset),
        );
      },
    };
  }
  const { child } = node;
  const children = childrenPerRound(e, child);
  const round: Round = {
    children,
    emit(offsets, limits) {
      emitPrefetches(e, node, offsets, children);
      emitChildren(e, node, offsets, limits, 0, children);
    },
  };
  return holdsMask(e, node) ? withDwordMask(e, round, child.sizeBytes) : round;
}

/** Whether all blocks of a round are loaded by one mask of double words. */
const holdsMask = (e: NodeEmitter, node: Stream): boolean =>
  e.direction === "pack" &&
  e.nonTemporalWidth === undefined &&
  node.child.kind === "dense" &&
  e.parts.loadsDwords(node.child.lengthBytes) &&
  mergedBlocks(e, node.child) === undefined &&
  !hasReadableGaps(node);

const withDwordMask = (e: NodeEmitter, round: Round, bytes: number): Round => ({
  ...round,
  prepare: () => e.parts.holdDwordMask(bytes),
  emit: (offsets, limits) => e.parts.withDwordMask(bytes, () => round.emit(offsets, limits)),
});

/** Children that are moved one by one in a round: enough to hide the counting, a power of two. */
function childrenPerRound(e: NodeEmitter, child: LayoutNode): number {
  const moves = unrolledMoves(child, e.widest, MOVES_PER_ROUND);
  if (moves > MOVES_PER_ROUND / 2) return 1;
  return 2 ** Math.floor(Math.log2(MOVES_PER_ROUND / moves));
}

/** A stream of constant count, as a loop and what is left of it. */
export function emitStream(e: NodeEmitter, node: Stream, offsets: Offsets, limits: Limits): void {
  const { child, count, strideBytes } = node;
  const peeled = Math.min(count, peelOf(e, node, offsets, limits));
  let moved = 0;
  for (const { children, exact, prepare, emit } of roundsOf(e, node, count)) {
    const rounds = Math.floor((count - moved - (exact === true ? 0 : peeled)) / children);
    if (rounds <= 0) continue;
    const start = at(offsets.s + moved * strideBytes, offsets.p + moved * child.sizeBytes);
    const step = at(children * strideBytes, children * child.sizeBytes);
    const inner = limitsOfRounds(limits, step, rounds);
    prepare?.();
    e.repeat(rounds, step, isPlain(child), () => emit(start, inner));
    moved += rounds * children;
  }
  emitRest(e, node, offsets, limits, moved, count);
}

/** In a frame that moves on by `step`, the tightest limits of any round. */
const limitsOfRounds = (limits: Limits, step: Offsets, rounds: number): Limits =>
  at(limits.s - Math.max(0, (rounds - 1) * step.s), limits.p - (rounds - 1) * step.p);

/** Children that fill no round: few and short ones are written out, others looped over. */
function emitRest(e: NodeEmitter, node: Stream, offsets: Offsets, limits: Limits, from: number, to: number): void {
  const { child, strideBytes } = node;
  const looped = unrolledMoves(child, e.widest, MOVES_PER_ROUND) > MOVES_PER_ROUND ? to - from - 1 : 0;
  if (looped > 1) {
    const start = at(offsets.s + from * strideBytes, offsets.p + from * child.sizeBytes);
    const step = at(strideBytes, child.sizeBytes);
    const inner = limitsOfRounds(limits, step, looped);
    const own = limitsInside(node, start, child.highBytes, inner);
    e.repeat(looped, step, isPlain(child), () => e.node(child, start, own));
  }
  emitChildren(e, node, offsets, limits, looped > 1 ? from + looped : from, to);
}

function emitChildren(e: NodeEmitter, node: Stream, offsets: Offsets, limits: Limits, from: number, to: number): void {
  const { child, strideBytes } = node;
  const nops = nopsBehind(e, node);
  for (let i = from; i < to; i++) {
    const start = at(offsets.s + i * strideBytes, offsets.p + i * child.sizeBytes);
    e.node(child, start, limitsInside(node, start, child.highBytes, limits));
    emitNops(e, nops);
  }
}

/** Bytes that a round would over-copy: none where it puts its blocks together in registers. */
const wantedByRound = (e: NodeEmitter, node: Stream, most: number): WantedSlack =>
  mergedBlocks(e, node.child) === undefined &&
  (most < LEAST_BLOCKS || permutedBlocksOf(e, node.child, node.strideBytes) === undefined)
    ? wantedBy(e, node)
    : NOTHING_WANTED;

function peelOf(e: NodeEmitter, node: Stream, offsets: Offsets, limits: Limits): number {
  const wanted = wantedByRound(e, node, node.count);
  const overwritten = limits.p - offsets.p - node.sizeBytes;
  const room = wanted.isRead ? Math.min(limits.s - offsets.s - node.highBytes, overwritten) : overwritten;
  return room >= wanted.bytes ? 0 : peeledRounds(wanted, node.strideBytes, node.child.sizeBytes);
}

/**
 * The routine of a stream: rcx children, the first at the registers; leaves both registers past the last. Whole
 * streams of constant count, the middle of partial ranges, and elements of a run-time count all come here.
 */
export function emitStreamRoutine(e: NodeEmitter, node: Stream): void {
  const { child, strideBytes } = node;
  const peeled = peeledRounds(wantedByRound(e, node, Infinity), strideBytes, child.sizeBytes);
  const ascending = Math.max(0, strideBytes);
  e.reframe();
  e.counted(isPlain(child), (counter) => {
    for (const { children, exact, prepare, emit } of roundsOf(e, node, Infinity)) {
      const least = children + (exact === true ? 0 : peeled);
      const inner = at(child.highBytes + (least - 1) * ascending, least * child.sizeBytes);
      const step = at(children * strideBytes, children * child.sizeBytes);
      if (least > 1) countedLoop(e, counter, least, children, step, () => emit(at(0, 0), inner), prepare);
    }
    const last = at(child.highBytes, child.sizeBytes);
    countedLoop(e, counter, 1, 1, at(strideBytes, child.sizeBytes), () => e.node(child, at(0, 0), last));
  });
  e.emit(general.ret);
}

/** While at least `least` children are left on the counter: one round of `perRound`. */
function countedLoop(
  e: NodeEmitter,
  counter: Register | BasedMemory,
  least: number,
  perRound: number,
  step: Offsets,
  body: () => void,
  prepare?: () => void,
): void {
  const end = e.asm.label();
  const fits = least <= 127;
  const compare = fits ? general.cmp_rm64_imm8 : general.cmp_rm64_imm32;
  e.emit(compare, counter, least);
  e.emit(general.jl_rel32, end);
  prepare?.();
  const top = e.asm.here();
  body();
  e.endRound(at(0, 0), step);
  e.emit(fits ? general.sub_rm64_imm8 : general.sub_rm64_imm32, counter, perRound);
  e.emit(compare, counter, least);
  e.emit(general.jge_rel32, top);
  e.asm.bind(end);
}
