import { general, rcx, type BasedMemory, type Register } from "@stowage/asm-x64";
import { LINE_BYTES } from "../lower/cache.js";
import { at, MOST_IMMEDIATE, type Emitter } from "../lower/emitter.js";
import { emitUnlessStreamed, type StreamingPlan } from "../lower/streaming.js";
import { emitPair, isPlainPair } from "./emit-pair.js";
import { ordered } from "./nest.js";
import { loop, sizeOf, type Pair } from "./pair.js";
import { streamingOfPair } from "./streaming-pair.js";

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

/** The routine of rcx children, 1 or more, the first at the registers; past the cache where they are so many, and end on lines. */
export function emitCounted(e: Emitter, counted: Counted): void {
  const streamed = streamedOf(e, counted);
  if (streamed !== undefined) emitStreamed(e, counted, streamed);
  emitNests(e, counted, nestsOf(counted, false));
  e.emit(general.ret);
}

/** Children so small that this many stay below the streaming size are not worth a second copy of their code. */
const MOST_STREAMED_CHILDREN = 4096;

/** Children as they are stored past the cache. */
interface Streamed {
  readonly plan: StreamingPlan;
  readonly nests: readonly Nest[];
}

/** undefined: nothing is gained by it, or not in the same way for many and for one. */
function streamedOf(e: Emitter, counted: Counted): Streamed | undefined {
  const least = e.tuning.streamingBytes;
  if (!(least <= MOST_IMMEDIATE) || sizeOf(counted.child) < least / MOST_STREAMED_CHILDREN) return undefined;
  const nests = nestsOf(counted, true);
  const [plan, ...others] = nests.map(({ pair }) => streamingOfPair(e, pair));
  return plan !== undefined && others.every((other) => other?.streaming.what === plan.streaming.what)
    ? { plan, nests }
    : undefined;
}

/** The children again, stored past the cache: where the first one's target is aligned, and no other's that may not be. */
function emitStreamed(e: Emitter, counted: Counted, { plan: { streaming, alignmentBytes }, nests }: Streamed): void {
  const cached = e.asm.label();
  emitUnlessStreamed(e, rcx, Math.ceil(e.tuning.streamingBytes / sizeOf(counted.child)), alignmentBytes, cached);
  if (counted.targetBytes % alignmentBytes !== 0) {
    e.emit(general.cmp_rm64_imm8, rcx, 1);
    e.emit(general.jne_rel32, cached);
  }
  e.streaming = streaming;
  emitNests(e, counted, nests);
  e.streaming = undefined;
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

function nestsOf(counted: Counted, pastCache: boolean): readonly Nest[] {
  const { child, sourceBytes, targetBytes } = counted;
  const counts = new Set([togetherOf(counted), 1]);
  return [...counts].map((children) => ({
    children,
    pair: ordered(loop(children, sourceBytes, targetBytes, child), pastCache),
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
