import {
  general,
  mem,
  r12,
  r8,
  rax,
  rbx,
  rcx,
  rdi,
  rdx,
  rsi,
  sse,
  type Assembler,
  type Register,
} from "@stowage/asm-x64";
import { RECORD_NUMBERS } from "@stowage/host-plans";

/** Loads the five arguments of the artifact signature from a record, and its code's address into rax. */
export function emitRecord(asm: Assembler, record: Register): void {
  for (const [word, register] of [rdi, rsi, rdx, rcx, r8].entries()) {
    asm.emit(sse.cvttsd2si, [register, mem(record, 8 * (word + 1))]);
  }
  asm.emit(sse.cvttsd2si, [rax, mem(record)]);
}

/**
 * For each of r12 > 0 records from address rbx: calls its code. The stack is aligned to 16 bytes, as a call needs it.
 */
export function emitRecords(asm: Assembler): void {
  const top = asm.here();
  emitRecord(asm, rbx);
  asm.emit(general.call_rm64, [rax]);
  asm.emit(general.add_rm64_imm8, [rbx, 8 * RECORD_NUMBERS]);
  asm.emit(general.dec_rm64, [r12]);
  asm.emit(general.jne_rel8, [top]);
}
