import { general, type BasedMemory, type Register } from "@stowage/asm-x64";
import type { LayoutNode, Stream } from "@stowage/ir";
import { assembledBlocks, emitAssembled } from "./assemble.js";
import { isPlain, unrolledMoves } from "./cost.js";
import { emitNode } from "./emit-node.js";
import { at, type Emitter, type Limits, type Place } from "./emitter.js";
import { emitPrefetches } from "./prefetch.js";
import { peeledRounds, wantedBy } from "./slack.js";
import { emitColumns, transposeOf } from "./transpose.js";
import { emitWindows, LEAST_BLOCKS, windowsFit, windowsOf } from "./windows.js";

const MOVES_PER_ROUND = 8;

/** What one round of a loop moves: so many children, all at once or one by one. */
interface Round {
  readonly children: number;
  readonly emit: (place: Place, limits: Limits) => void;
}

function roundOf(e: Emitter, node: Stream, most: number): Round {
  const transpose = transposeOf(e, node.child, node.strideBytes);
  if (transpose !== undefined && transpose.columns <= most) {
    return { children: transpose.columns, emit: (place) => emitColumns(e, transpose, place) };
  }
  const windows = windowsOf(e, node.child, node.strideBytes);
  if (windows !== undefined && Math.max(windows.children, LEAST_BLOCKS) <= most && windowsFit(e, windows)) {
    return { children: windows.children, emit: (place) => emitWindows(e, windows, place) };
  }
  const assembled = assembledBlocks(e, node.child);
  if (assembled !== undefined && assembled <= most) {
    return {
      children: assembled,
      emit(place) {
        emitPrefetches(e, node, place, assembled);
        emitAssembled(e, node.child.sizeBytes, assembled, place, (block, offset) => e.scatteredAt(place.s + block * node.strideBytes + offset));
      },
    };
  }
  const children = childrenPerRound(e, node.child);
  return {
    children,
    emit(place, limits) {
      emitPrefetches(e, node, place, children);
      if (storesCollide(e, node)) emitOneByOne(e, node, place, limits, children);
      else emitChildren(e, node, place, limits, 0, children);
    },
  };
}

const LINE_BYTES = 64;
/** A way of a first cache of 64 sets: lines so far apart share a set. */
const WAY_BYTES = 4096;

/**
 * Whether all blocks fall into one set of the first cache. Stores fetch their lines ahead of time; with more under way
 * than the set has ways, they evict each other's before they are written (docs/x64.md).
 */
const storesCollide = (e: Emitter, { child, strideBytes }: Stream): boolean =>
  e.direction === "unpack" && child.kind === "dense" && child.lengthBytes <= LINE_BYTES && strideBytes !== 0 && strideBytes % WAY_BYTES === 0;

/** Each child's stores are done before the next one's begin. */
function emitOneByOne(e: Emitter, node: Stream, place: Place, limits: Limits, children: number): void {
  for (let i = 0; i < children; i++) {
    emitChildren(e, node, place, limits, i, i + 1);
    e.emit(general.sfence);
  }
}

/** Children that are moved one by one in a round: enough to hide the counting, a power of two. */
function childrenPerRound(e: Emitter, child: LayoutNode): number {
  const moves = unrolledMoves(child, e.widest, MOVES_PER_ROUND);
  if (moves > MOVES_PER_ROUND / 2) return 1;
  return 2 ** Math.floor(Math.log2(MOVES_PER_ROUND / moves));
}

/** A stream of constant count, as a loop and what is left of it. */
export function emitStream(e: Emitter, node: Stream, place: Place, limits: Limits): void {
  const { child, count, strideBytes } = node;
  const round = roundOf(e, node, count);
  const perRound = round.children;
  const peeled = Math.min(count, peelOf(e, node, place, limits));
  const rounds = Math.floor((count - peeled) / perRound);
  const looped = rounds * perRound;
  const step = at(perRound * strideBytes, perRound * child.sizeBytes);
  if (rounds > 0) {
    const inner = limitsOfRounds(limits, step, rounds);
    e.repeat(rounds, step, isPlain(child), () => round.emit(place, inner));
  }
  emitRest(e, node, place, limits, looped, count);
}

/** In a frame that moves on by `step`, the tightest limits of any round. */
const limitsOfRounds = (limits: Limits, step: Place, rounds: number): Limits =>
  at(limits.s - Math.max(0, (rounds - 1) * step.s), limits.p - (rounds - 1) * step.p);

/** Children that fill no round: few and short ones are written out, others looped over. */
function emitRest(e: Emitter, node: Stream, place: Place, limits: Limits, from: number, to: number): void {
  const { child, strideBytes } = node;
  const looped = unrolledMoves(child, e.widest, MOVES_PER_ROUND) > MOVES_PER_ROUND ? to - from - 1 : 0;
  if (looped > 1) {
    const start = at(place.s + from * strideBytes, place.p + from * child.sizeBytes);
    const step = at(strideBytes, child.sizeBytes);
    const inner = limitsOfRounds(limits, step, looped);
    e.repeat(looped, step, isPlain(child), () => emitNode(e, child, start, inner));
  }
  emitChildren(e, node, place, limits, looped > 1 ? from + looped : from, to);
}

function emitChildren(e: Emitter, { child, strideBytes }: Stream, place: Place, limits: Limits, from: number, to: number): void {
  for (let i = from; i < to; i++) emitNode(e, child, at(place.s + i * strideBytes, place.p + i * child.sizeBytes), limits);
}

/** Bytes that a round would over-copy: none where it puts its blocks together in registers. */
const wantedByRound = (e: Emitter, { child, strideBytes }: Stream, most: number): number =>
  assembledBlocks(e, child) === undefined && (most < LEAST_BLOCKS || windowsOf(e, child, strideBytes) === undefined) ? wantedBy(e, child) : 0;

function peelOf(e: Emitter, node: Stream, place: Place, limits: Limits): number {
  const wanted = wantedByRound(e, node, node.count);
  const room = Math.min(limits.s - place.s - node.highBytes, limits.p - place.p - node.sizeBytes);
  return room >= wanted ? 0 : peeledRounds(wanted, node.strideBytes, node.child.sizeBytes);
}

/**
 * The routine of a stream: rcx children, the first at the registers; leaves both registers past the last. Whole
 * streams of constant count, the middle of partial ranges, and elements of a run-time count all come here.
 */
export function emitStreamRoutine(e: Emitter, node: Stream): void {
  const { child, strideBytes } = node;
  const round = roundOf(e, node, Infinity);
  const perRound = round.children;
  const peeled = peeledRounds(wantedByRound(e, node, Infinity), strideBytes, child.sizeBytes);
  const step = at(perRound * strideBytes, perRound * child.sizeBytes);
  const least = perRound + peeled;
  const ascending = Math.max(0, strideBytes);
  const inner = at(child.highBytes + (least - 1) * ascending, least * child.sizeBytes);
  e.reframe();
  e.counted(isPlain(child), (counter) => {
    if (least > 1) countedLoop(e, counter, least, perRound, step, () => round.emit(at(0, 0), inner));
    const last = at(child.highBytes, child.sizeBytes);
    countedLoop(e, counter, 1, 1, at(strideBytes, child.sizeBytes), () => emitNode(e, child, at(0, 0), last));
  });
  e.emit(general.ret);
}

/** While at least `least` children are left on the counter: one round of `perRound`. */
function countedLoop(e: Emitter, counter: Register | BasedMemory, least: number, perRound: number, step: Place, body: () => void): void {
  const end = e.asm.label();
  const fits = least <= 127;
  const compare = fits ? general.cmp_rm64_imm8 : general.cmp_rm64_imm32;
  e.emit(compare, counter, least);
  e.emit(general.jl_rel32, end);
  const top = e.asm.here();
  body();
  e.endRound(at(0, 0), step);
  e.emit(fits ? general.sub_rm64_imm8 : general.sub_rm64_imm32, counter, perRound);
  e.emit(compare, counter, least);
  e.emit(general.jge_rel32, top);
  e.asm.bind(end);
}
