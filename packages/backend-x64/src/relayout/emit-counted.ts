import { general, rcx, type BasedMemory, type Register } from "@stowage/asm-x64";
import { at, Emitter } from "../lower/emitter.js";
import { emitUnlessOutOfCache } from "../lower/out-of-cache-guard.js";
import type { CopyMode, LevelPlan, NestPlan, NestsPlan } from "./copy-plan.js";
import { emitPair } from "./emit-pair.js";

/**
 * The routine of rcx children, 1 or more, the first at the registers; non-temporal where there are enough and they end
 * on lines.
 */
export function emitCounted(e: Emitter, level: LevelPlan): void {
  if (level.outOfCache !== undefined) emitOutOfCache(e, level, level.outOfCache);
  emitNests(e, level, level.cached);
  e.emit(general.ret);
}

/** The children out of cache: where the first one's target is aligned, and with it all others'. */
function emitOutOfCache(e: Emitter, level: LevelPlan, mode: CopyMode): void {
  const cached = e.asm.label();
  emitUnlessOutOfCache(e, rcx, mode.fromChildren, mode.alignmentBytes, cached);
  if (!mode.keepsAlignment) {
    e.emit(general.cmp_rm64_imm8, rcx, 1);
    e.emit(general.jne_rel32, cached);
  }
  emitNests(e, level, mode);
  e.emit(general.sfence);
  e.emit(general.ret);
  e.asm.bind(cached);
}

/** Many at a time, then one by one. */
function emitNests({ assembly }: Emitter, level: LevelPlan, { mode, nests, isPlain }: NestsPlan): void {
  const e = new Emitter(assembly, mode);
  e.counted(isPlain, (counter) => {
    for (const nest of nests) whileLeft(e, counter, level, nest);
  });
}

function whileLeft(
  e: Emitter,
  counter: Register | BasedMemory,
  { sourceBytes, targetBytes }: LevelPlan,
  { children, pair }: NestPlan,
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
