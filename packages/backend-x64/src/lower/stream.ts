import { general, type BasedMemory, type Register } from "@stowage/asm-x64";
import type { LayoutNode, Stream } from "@stowage/ir";
import { assembledBlocks, emitAssembled } from "./assemble.js";
import { isPlain, unrolledMoves } from "./cost.js";
import { emitNode } from "./emit-node.js";
import { at, type Emitter, type Limits, type Place } from "./emitter.js";
import { emitNearConstants, emitNearRound, nearRoundOf } from "./near-rounds.js";
import { emitIdle, idleBehind, paceOf, roundsAtOnce, type Pace } from "./pace.js";
import { emitPrefetches } from "./prefetch.js";
import { peeledRounds, wantedBy } from "./slack.js";
import { columnsAtOnce, columnsOf, emitColumns } from "./transpose.js";
import { emitWindows, LEAST_BLOCKS, windowsFit, windowsOf } from "./windows.js";

const MOVES_PER_ROUND = 8;

/** What one round of a loop moves: so many children, all at once or one by one. */
interface Round {
  readonly children: number;
  /** Whether it reads no byte past its children, whatever it is allowed. */
  readonly exact?: boolean;
  /** What goes before the first round. */
  readonly prepare?: () => void;
  readonly emit: (place: Place, limits: Limits) => void;
}

/** The rounds that a loop of at most `most` children takes, the longer ones first. */
function roundsOf(e: Emitter, node: Stream, most: number): readonly Round[] {
  const columns = columnsOf(e, node.child, node.strideBytes);
  const atOnce = columns === undefined ? [] : columnsAtOnce(e, columns).filter((children) => children <= most);
  if (columns !== undefined && atOnce.length > 0) {
    return atOnce.map((children) => ({
      children,
      exact: true,
      emit: (place) => emitColumns(e, columns, children, place),
    }));
  }
  const round = roundOf(e, node, most);
  const times = roundsAtOnce(e, node, round.children, most);
  return times === 1 ? [round] : [repeatedRound(node, round, times), round];
}

const repeatedRound = ({ child, strideBytes }: Stream, { children, emit }: Round, times: number): Round => ({
  children: times * children,
  emit(place, limits) {
    for (let i = 0; i < times; i++)
      emit(at(place.s + i * children * strideBytes, place.p + i * children * child.sizeBytes), limits);
  },
});

const pacedRound = (e: Emitter, node: Stream, { blocks, fenced, prefetched }: Pace): Round => ({
  children: blocks,
  emit(place, limits) {
    if (prefetched === true) emitPrefetches(e, node, place, blocks);
    for (let i = 0; i < blocks; i++) {
      emitChildren(e, node, place, limits, i, i + 1);
      if (fenced === true) e.emit(general.sfence);
    }
  },
});

function roundOf(e: Emitter, node: Stream, most: number): Round {
  const windows = windowsOf(e, node.child, node.strideBytes);
  if (windows !== undefined && Math.max(windows.children, LEAST_BLOCKS) <= most && windowsFit(e, windows)) {
    return { children: windows.children, emit: (place) => emitWindows(e, windows, place) };
  }
  const near = nearRoundOf(e, node.child, node.strideBytes, most);
  if (near !== undefined) {
    return {
      children: near.children,
      exact: true,
      prepare: () => emitNearConstants(e, near),
      emit: (place) => emitNearRound(e, near, place),
    };
  }
  const pace = paceOf(e, node);
  if (pace !== undefined && pace.blocks <= most) return pacedRound(e, node, pace);
  const assembled = assembledBlocks(e, node.child);
  if (assembled !== undefined && assembled <= most) {
    return {
      children: assembled,
      emit(place) {
        emitPrefetches(e, node, place, assembled);
        emitAssembled(e, node.child.sizeBytes, assembled, place, (block, offset) =>
          e.scatteredAt(place.s + block * node.strideBytes + offset),
        );
      },
    };
  }
  const children = childrenPerRound(e, node.child);
  return {
    children,
    emit(place, limits) {
      emitPrefetches(e, node, place, children);
      emitChildren(e, node, place, limits, 0, children);
    },
  };
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
  const peeled = Math.min(count, peelOf(e, node, place, limits));
  let moved = 0;
  for (const { children, exact, prepare, emit } of roundsOf(e, node, count)) {
    const rounds = Math.floor((count - moved - (exact === true ? 0 : peeled)) / children);
    if (rounds <= 0) continue;
    const start = at(place.s + moved * strideBytes, place.p + moved * child.sizeBytes);
    const step = at(children * strideBytes, children * child.sizeBytes);
    const inner = limitsOfRounds(limits, step, rounds);
    prepare?.();
    e.repeat(rounds, step, isPlain(child), () => emit(start, inner));
    moved += rounds * children;
  }
  emitRest(e, node, place, limits, moved, count);
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

function emitChildren(e: Emitter, node: Stream, place: Place, limits: Limits, from: number, to: number): void {
  const { child, strideBytes } = node;
  const idle = idleBehind(e, node);
  for (let i = from; i < to; i++) {
    emitNode(e, child, at(place.s + i * strideBytes, place.p + i * child.sizeBytes), limits);
    emitIdle(e, idle);
  }
}

/** Bytes that a round would over-copy: none where it puts its blocks together in registers. */
const wantedByRound = (e: Emitter, { child, strideBytes }: Stream, most: number): number =>
  assembledBlocks(e, child) === undefined && (most < LEAST_BLOCKS || windowsOf(e, child, strideBytes) === undefined)
    ? wantedBy(e, child)
    : 0;

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
    countedLoop(e, counter, 1, 1, at(strideBytes, child.sizeBytes), () => emitNode(e, child, at(0, 0), last));
  });
  e.emit(general.ret);
}

/** While at least `least` children are left on the counter: one round of `perRound`. */
function countedLoop(
  e: Emitter,
  counter: Register | BasedMemory,
  least: number,
  perRound: number,
  step: Place,
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
