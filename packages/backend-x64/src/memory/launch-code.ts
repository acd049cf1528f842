import { general, mem, r12, r8, rbx, rcx, rdi, rdx, rsi, type Assembler } from "@stowage/asm-x64";

/** Words of a launch record: code, source, target, count, first, length. */
export const RECORD_WORDS = 6;

/**
 * For each of r12 > 0 records from address rbx: loads the five arguments of the artifact signature and calls its code. The stack
 * is aligned to 16 bytes, as a call needs it.
 */
export function emitRecords(asm: Assembler): void {
  const top = asm.here();
  for (const [word, register] of [rdi, rsi, rdx, rcx, r8].entries()) {
    asm.emit(general.mov_r64_rm64, [register, mem(rbx, 8 * (word + 1))]);
  }
  asm.emit(general.call_rm64, [mem(rbx)]);
  asm.emit(general.add_rm64_imm8, [rbx, 8 * RECORD_WORDS]);
  asm.emit(general.dec_rm64, [r12]);
  asm.emit(general.jne_rel8, [top]);
}
