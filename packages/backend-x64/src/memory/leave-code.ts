import { Assembler, general, mem, r32d, rax, rdi, rsi } from "@stowage/asm-x64";

// Linux on x86-64: arch/x86/entry/syscalls/syscall_64.tbl.
const SYS_MUNMAP = 11;

/** Two mappings of the same bytes. */
export interface Mappings {
  readonly writable: number;
  readonly executable: number;
  readonly capacityBytes: number;
  /** Address of a 64-bit word: unless it is 0, both stay. */
  readonly pins: number;
}

/**
 * What a thread of Node runs when it ends, however it does: unmaps the region that this code lies in. The last call is
 * a jump, because munmap must not return here.
 */
export function leaveCode({ writable, executable, capacityBytes, pins }: Mappings, munmapAddress: number): Uint8Array {
  const asm = new Assembler();
  const stay = asm.label();
  asm.emit(general.mov_r64_imm64, [rax, BigInt(pins)]);
  asm.emit(general.cmp_rm64_imm8, [mem(rax), 0]);
  asm.emit(general.jne_rel32, [stay]);
  asm.emit(general.mov_r64_imm64, [rdi, BigInt(writable)]);
  asm.emit(general.mov_r64_imm64, [rsi, BigInt(capacityBytes)]);
  asm.emit(general.mov_r32_imm32, [r32d(rax.number), SYS_MUNMAP]);
  asm.emit(general.syscall);
  asm.emit(general.mov_r64_imm64, [rdi, BigInt(executable)]);
  asm.emit(general.mov_r64_imm64, [rsi, BigInt(capacityBytes)]);
  asm.emit(general.mov_r64_imm64, [rax, BigInt(munmapAddress)]);
  asm.emit(general.jmp_rm64, [rax]);
  asm.bind(stay);
  asm.emit(general.ret);
  return asm.finish();
}
