import { general, type BasedMemory, type Register } from "@stowage/asm-x64";
import { LINE_BYTES } from "../lower/cache.js";
import { at, type Emitter } from "../lower/emitter.js";
import { emitPair, isPlainPair } from "./emit-pair.js";
import { ordered } from "./nest.js";
import { loop, sizeOf, type Pair } from "./pair.js";

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

/** The routine of rcx children, 1 or more, the first at the registers; many at a time, then one by one. */
export function emitCounted(e: Emitter, counted: Counted): void {
  const { child, sourceBytes, targetBytes } = counted;
  const together = togetherOf(counted);
  const nest = ordered(loop(together, sourceBytes, targetBytes, child));
  const single = ordered(child);
  e.reframe();
  e.counted(isPlainPair(nest) && isPlainPair(single), (counter) => {
    if (together > 1) whileLeft(e, counter, counted, together, nest);
    whileLeft(e, counter, counted, 1, single);
  });
  e.emit(general.ret);
}

function whileLeft(e: Emitter, counter: Register | BasedMemory, { sourceBytes, targetBytes }: Counted, children: number, pair: Pair): void {
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

