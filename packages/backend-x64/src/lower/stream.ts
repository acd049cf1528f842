import { general, type BasedMemory, type Register } from "@stowage/asm-x64";
import type { Stream } from "@stowage/ir";
import { isExact, type Round, type SingleRound, type StreamPlan } from "../loops/stream-plan.js";
import { MOST_SHORT_IMMEDIATE } from "../widths.js";
import { emitColumns } from "./columns.js";
import { emitDense } from "./dense.js";
import { at, type Limits, type Offsets } from "./emitter.js";
import { limitsInside } from "./limits.js";
import { emitMergedStream } from "./merged-stores.js";
import { emitNearConstants, emitNearRound } from "./near-vectors.js";
import type { NodeEmitter } from "./node-emitter.js";
import { emitNops } from "./nops.js";
import { emitPermuted, permutationFits } from "./permuted.js";
import { emitPrefetches } from "./prefetch.js";

/** The plan, or the one instead of it where no register is left for its constants. */
function withRegisters(e: NodeEmitter, plan: StreamPlan): StreamPlan {
  const round = plan.rounds[0];
  if (round?.what !== "permuted blocks" || permutationFits(e, round.permuted)) return plan;
  return plan.otherwise ?? plan;
}

/** What goes before the first round of a loop. */
function emitPreparation(e: NodeEmitter, round: Round): void {
  if (round.what === "near blocks") emitNearConstants(e, round.near);
  if (round.what === "single blocks" && round.dwordMaskBytes !== undefined) e.parts.holdDwordMask(round.dwordMaskBytes);
}

/** One round, its first child at `offsets`. */
function emitRound(
  e: NodeEmitter,
  node: Stream,
  { nops }: StreamPlan,
  round: Round,
  offsets: Offsets,
  limits: Limits,
): void {
  switch (round.what) {
    case "columns":
      return emitColumns(e, round, offsets);
    case "permuted blocks":
      return emitPermuted(e, round.permuted, offsets);
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
export function emitStream(e: NodeEmitter, node: Stream, offsets: Offsets, limits: Limits): void {
  const { child, count, strideBytes } = node;
  const planned = e.plan.stream(node);
  const peeled = Math.min(count, peelOf(planned, node, offsets, limits));
  const plan = withRegisters(e, planned);
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
  e: NodeEmitter,
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
    e.repeat(looped, step, isPlain, () => e.node(child, start, own));
  }
  emitChildren(e, node, nops, offsets, limits, looped > 1 ? from + looped : from, count);
}

function emitChildren(
  e: NodeEmitter,
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
    if (dwordMaskBytes === undefined) e.node(child, start, inner);
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
export function emitStreamRoutine(e: NodeEmitter, node: Stream): void {
  const { child, strideBytes } = node;
  const plan = withRegisters(e, e.plan.countedStream(node));
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
