import { general, rcx, type BasedMemory, type Register } from "@stowage/asm-x64";
import { LINE_BYTES } from "../loops/cache.js";
import { at, Emitter } from "../lower/emitter.js";
import { emitUnlessOutOfCache } from "../lower/out-of-cache-guard.js";
import { ModePlan } from "../loops/mode-plan.js";
import type { OutOfCachePlan } from "../loops/out-of-cache-rule.js";
import { MOST_IMMEDIATE } from "../widths.js";
import { emitPair, isPlainPair } from "./emit-pair.js";
import { ordered } from "./nest.js";
import { loop, sizeOf, type Pair } from "./pair.js";
import { outOfCachePlanOf } from "./out-of-cache-pair.js";

/** Children of a pair that are as many as are asked for, when it runs. */
export interface Counted {
  readonly child: Pair;
  readonly sourceBytes: number;
  readonly targetBytes: number;
}

/** Children that are moved as one nest, and the bytes that such a nest has at most unless a line needs more of them. */
const MOST_TOGETHER = 64;
const TOGETHER_BYTES = 4096;

/** Enough children that neighbouring ones fill a line of the side on which they lie side by side. */
function togetherOf({ child, sourceBytes, targetBytes }: Counted): number {
  const bySize = 2 ** Math.floor(Math.log2(Math.max(1, TOGETHER_BYTES / sizeOf(child))));
  const nearest = Math.min(...[sourceBytes, targetBytes].map(Math.abs).filter((stride) => stride > 0));
  const byLine = nearest < LINE_BYTES ? 2 ** Math.ceil(Math.log2(LINE_BYTES / nearest)) : 1;
  return Math.min(MOST_TOGETHER, Math.max(bySize, byLine));
}

/** The routine of rcx children, 1 or more, the first at the registers; non-temporal where there are enough and they end on lines. */
export function emitCounted(e: Emitter, counted: Counted): void {
  const outOfCache = outOfCacheOf(e, counted);
  if (outOfCache !== undefined) emitOutOfCache(e, counted, outOfCache);
  emitNests(e, counted, nestsOf(counted, false));
  e.emit(general.ret);
}

/** Children of which so many stay below `nonTemporalBytes` are not worth a second copy of their code. */
const MOST_OUT_OF_CACHE_CHILDREN = 4096;

/** Children as they are moved out of cache. */
interface OutOfCacheNests {
  readonly plan: OutOfCachePlan;
  readonly nests: readonly Nest[];
}

/** undefined: nothing is gained by it, or not in the same way for many and for one. */
function outOfCacheOf(e: Emitter, counted: Counted): OutOfCacheNests | undefined {
  const least = e.tuning.nonTemporalBytes;
  if (!(least <= MOST_IMMEDIATE) || sizeOf(counted.child) < least / MOST_OUT_OF_CACHE_CHILDREN) return undefined;
  const nests = nestsOf(counted, true);
  const [plan, ...others] = nests.map(({ pair }) => outOfCachePlanOf(e.context, pair));
  return plan !== undefined && others.every((other) => other?.outOfCache.what === plan.outOfCache.what)
    ? { plan, nests }
    : undefined;
}

/** The children out of cache: where the first one's target is aligned, and with it all others'. */
function emitOutOfCache(
  e: Emitter,
  counted: Counted,
  { plan: { outOfCache, alignmentBytes }, nests }: OutOfCacheNests,
): void {
  const cached = e.asm.label();
  emitUnlessOutOfCache(e, rcx, Math.ceil(e.tuning.nonTemporalBytes / sizeOf(counted.child)), alignmentBytes, cached);
  if (counted.targetBytes % alignmentBytes !== 0) {
    e.emit(general.cmp_rm64_imm8, rcx, 1);
    e.emit(general.jne_rel32, cached);
  }
  const { plan } = e;
  emitNests(new Emitter(e.assembly, new ModePlan({ ...plan.context, outOfCache }, plan.cached)), counted, nests);
  e.emit(general.sfence);
  e.emit(general.ret);
  e.asm.bind(cached);
}

/** Many at a time, then one by one. */
function emitNests(e: Emitter, counted: Counted, nests: readonly Nest[]): void {
  e.reframe();
  e.counted(
    nests.every(({ pair }) => isPlainPair(pair)),
    (counter) => {
      for (const nest of nests) whileLeft(e, counter, counted, nest);
    },
  );
}

/** So many children as one ordered pair. */
interface Nest {
  readonly children: number;
  readonly pair: Pair;
}

function nestsOf(counted: Counted, nonTemporal: boolean): readonly Nest[] {
  const { child, sourceBytes, targetBytes } = counted;
  const counts = new Set([togetherOf(counted), 1]);
  return [...counts].map((children) => ({
    children,
    pair: ordered(loop(children, sourceBytes, targetBytes, child), nonTemporal),
  }));
}

function whileLeft(
  e: Emitter,
  counter: Register | BasedMemory,
  { sourceBytes, targetBytes }: Counted,
  { children, pair }: Nest,
): void {
  const end = e.asm.label();
  e.emit(general.cmp_rm64_imm8, counter, children);
  e.emit(general.jl_rel32, end);
  const top = e.asm.here();
  emitPair(e, pair, at(0, 0));
  e.endRound(at(0, 0), at(children * sourceBytes, children * targetBytes));
  e.emit(general.sub_rm64_imm8, counter, children);
  e.emit(general.cmp_rm64_imm8, counter, children);
  e.emit(general.jge_rel32, top);
  e.asm.bind(end);
}
