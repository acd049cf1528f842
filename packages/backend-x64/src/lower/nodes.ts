import { general, type BasedMemory, type Register } from "@stowage/asm-x64";
import type { Blocks, LayoutNode, Stream } from "@stowage/ir";
import { isExact, type Round, type SingleRound, type StreamPlan } from "../loops/plans.js";
import { MOST_SHORT_IMMEDIATE } from "../widths.js";
import { emitBlocks, emitBlocksRoutine } from "./blocks.js";
import { emitDense } from "./dense.js";
import { at, type Emitter, type Limits, type Offsets } from "./emitter.js";
import { limitsInside } from "./limits.js";
import { emitMergedStream } from "./merged-stores.js";
import { emitNearConstants, emitNearRound } from "./near-vectors.js";
import { emitNops } from "./nops.js";
import { emitPermuted } from "./permuted.js";
import { emitPrefetches } from "./prefetch.js";
import { emitTransposed } from "./transposed.js";
import { emitUnrolled } from "./unrolled.js";

// Nodes hold streams and blocks, and these hold nodes: what writes them is one file.

/** All of a node, whose zero and first packed byte lie at `offsets`. */
export function emitNode(e: Emitter, node: LayoutNode, offsets: Offsets, limits: Limits): void {
  if (node.sizeBytes === 0) return;
  const way = e.plan.node(node).plan.what;
  if (way === "unrolled") return emitUnrolled(e, node, offsets, limits);
  if (way === "called") return emitCall(e, node, offsets);
  switch (node.kind) {
    case "dense":
      return emitDense(e, node.lengthBytes, offsets, limits);
    case "stream":
      return emitStream(e, node, offsets, limits);
    case "blocks":
      return emitBlocks(e, node, offsets, childOf(e, node));
    case "sequence": {
      let p = offsets.p;
      for (const member of node.members) {
        const start = at(offsets.s + member.offsetBytes, p);
        emitNode(e, member.node, start, limitsInside(e, node, start, member.node.highBytes, limits));
        p += member.node.sizeBytes;
      }
    }
  }
}

/** All of a member of a sequence that has a routine of its own. */
export function emitMember(e: Emitter, node: LayoutNode, offsets: Offsets, limits: Limits): void {
  if (e.plan.isCalledMember(node)) emitCall(e, node, offsets);
  else emitNode(e, node, offsets, limits);
}

/** The routine of a whole node: keeps the scattered register, moves the packed one past the node. */
function emitCall(e: Emitter, node: LayoutNode, offsets: Offsets): void {
  e.settle(offsets);
  e.emit(general.call_rel32, e.routine("whole", node));
  e.pointAt(at(offsets.s, offsets.p + node.sizeBytes));
}

/** The routine of a loop: as many children of a stream, or blocks of one child each, as rcx says. */
export function emitLoopRoutine(e: Emitter, node: LayoutNode): void {
  if (node.kind === "stream") return emitStreamRoutine(e, node);
  if (node.kind === "blocks") return emitBlocksRoutine(e, node, childOf(e, node));
  throw new TypeError(`loop of a node: expected a stream or blocks, got ${node.kind}`);
}

/** All of a block's child, at the registers. */
const childOf =
  (e: Emitter, { child }: Blocks) =>
  (): void =>
    emitNode(e, child, at(0, 0), at(child.highBytes, child.sizeBytes));

/** What goes before the first round of a loop. */
function emitPreparation(e: Emitter, round: Round): void {
  if (round.what === "near blocks") emitNearConstants(e, round.near);
  if (round.what === "single blocks" && round.dwordMaskBytes !== undefined) e.parts.holdDwordMask(round.dwordMaskBytes);
}

/** One round, its first child at `offsets`. */
function emitRound(
  e: Emitter,
  node: Stream,
  { nops }: StreamPlan,
  round: Round,
  offsets: Offsets,
  limits: Limits,
): void {
  switch (round.what) {
    case "columns":
      return emitTransposed(e, round.transposed, offsets, round.plan);
    case "permuted blocks":
      return emitPermuted(e, round, offsets);
    case "near blocks":
      return emitNearRound(e, round.near, offsets);
    case "merged stores":
      emitPrefetches(e, node, round.prefetch, offsets, round.children);
      return emitMergedStream(e, node, round, offsets);
    case "single blocks": {
      emitPrefetches(e, node, round.prefetch, offsets, round.children);
      return emitChildren(e, node, nops, offsets, limits, 0, round.children, round);
    }
  }
}

/** A stream of constant count, as a loop and what is left of it. */
function emitStream(e: Emitter, node: Stream, offsets: Offsets, limits: Limits): void {
  const { child, count, strideBytes } = node;
  const plan = e.plan.stream(node);
  const peeled = Math.min(count, peelOf(plan, node, offsets, limits));
  let moved = 0;
  for (const round of plan.rounds) {
    const { children } = round;
    const rounds = Math.floor((count - moved - (isExact(round) ? 0 : peeled)) / children);
    if (rounds <= 0) continue;
    const start = at(offsets.s + moved * strideBytes, offsets.p + moved * child.sizeBytes);
    const step = at(children * strideBytes, children * child.sizeBytes);
    const inner = limitsOfRounds(limits, step, rounds);
    emitPreparation(e, round);
    e.repeat(rounds, step, plan.isPlain, () => emitRound(e, node, plan, round, start, inner));
    moved += rounds * children;
  }
  emitRest(e, node, plan, offsets, limits, moved);
}

/** In a frame that moves on by `step`, the tightest limits of any round. */
const limitsOfRounds = (limits: Limits, step: Offsets, rounds: number): Limits =>
  at(limits.s - Math.max(0, (rounds - 1) * step.s), limits.p - (rounds - 1) * step.p);

/** Children from number `from` on, which fill no round: few and short ones are written out, others looped over. */
function emitRest(
  e: Emitter,
  node: Stream,
  { loopsRest, nops, isPlain }: StreamPlan,
  offsets: Offsets,
  limits: Limits,
  from: number,
): void {
  const { child, count, strideBytes } = node;
  const looped = loopsRest ? count - from - 1 : 0;
  if (looped > 1) {
    const start = at(offsets.s + from * strideBytes, offsets.p + from * child.sizeBytes);
    const step = at(strideBytes, child.sizeBytes);
    const inner = limitsOfRounds(limits, step, looped);
    const own = limitsInside(e, node, start, child.highBytes, inner);
    e.repeat(looped, step, isPlain, () => emitNode(e, child, start, own));
  }
  emitChildren(e, node, nops, offsets, limits, looped > 1 ? from + looped : from, count);
}

function emitChildren(
  e: Emitter,
  node: Stream,
  nops: number,
  offsets: Offsets,
  limits: Limits,
  from: number,
  to: number,
  { fenced, dwordMaskBytes }: Pick<SingleRound, "fenced" | "dwordMaskBytes"> = {},
): void {
  const { child, strideBytes } = node;
  for (let i = from; i < to; i++) {
    const start = at(offsets.s + i * strideBytes, offsets.p + i * child.sizeBytes);
    const inner = limitsInside(e, node, start, child.highBytes, limits);
    if (dwordMaskBytes === undefined) emitNode(e, child, start, inner);
    else emitDense(e, child.sizeBytes, start, inner, dwordMaskBytes);
    emitNops(e, nops);
    if (fenced) e.emit(general.sfence);
  }
}

/** Children at the end that have no room for what rounds over-copy. */
function peelOf({ wanted, peeled }: StreamPlan, node: Stream, offsets: Offsets, limits: Limits): number {
  const overwritten = limits.p - offsets.p - node.sizeBytes;
  const room = wanted.isRead ? Math.min(limits.s - offsets.s - node.highBytes, overwritten) : overwritten;
  return room >= wanted.bytes ? 0 : peeled;
}

/**
 * The routine of a stream: rcx children, the first at the registers; leaves both registers past the last. Whole
 * streams of constant count, the middle of partial ranges, and elements of a run-time count all come here.
 */
function emitStreamRoutine(e: Emitter, node: Stream): void {
  const { child, strideBytes } = node;
  const plan = e.plan.countedStream(node);
  const ascending = Math.max(0, strideBytes);
  e.reframe();
  e.counted(plan.isPlain, (counter) => {
    for (const round of plan.rounds) {
      const { children } = round;
      const least = children + (isExact(round) ? 0 : plan.peeled);
      if (least === 1) continue;
      const inner = at(child.highBytes + (least - 1) * ascending, least * child.sizeBytes);
      const step = at(children * strideBytes, children * child.sizeBytes);
      const body = (): void => emitRound(e, node, plan, round, at(0, 0), inner);
      countedLoop(e, counter, least, children, step, body, () => emitPreparation(e, round));
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
  step: Offsets,
  body: () => void,
  prepare?: () => void,
): void {
  const end = e.asm.label();
  const fits = least <= MOST_SHORT_IMMEDIATE;
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
