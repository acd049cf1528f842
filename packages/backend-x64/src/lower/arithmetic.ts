import { general, r11, r32d, type Assembler, type Register } from "@stowage/asm-x64";
import { fitsByte, MOST_UNSIGNED } from "../widths.js";

/** register += bytes, by the shortest instruction. Clobbers r11 past 32 bits. */
export function emitAdd(asm: Assembler, register: Register, bytes: number): void {
  if (bytes === 0) return;
  if (fitsByte(bytes)) asm.emit(general.add_rm64_imm8, [register, bytes]);
  else if (bytes === (bytes | 0)) asm.emit(general.add_rm64_imm32, [register, bytes]);
  else {
    asm.emit(general.mov_r64_imm64, [r11, BigInt(bytes)]);
    asm.emit(general.add_rm64_r64, [register, r11]);
  }
}

/** register = value, by the shortest instruction. */
export function emitSet(asm: Assembler, register: Register, value: number): void {
  const low = r32d(register.number);
  if (value === 0) asm.emit(general.xor_rm32_r32, [low, low]);
  else if (value > 0 && value <= MOST_UNSIGNED) asm.emit(general.mov_r32_imm32, [low, value]);
  else if (value === (value | 0)) asm.emit(general.mov_rm64_imm32, [register, value]);
  else asm.emit(general.mov_r64_imm64, [register, BigInt(value)]);
}

/** register *= factor. Clobbers r11 past 32 bits. */
export function emitMultiply(asm: Assembler, register: Register, factor: number): void {
  if (factor === 1) return;
  const shift = Math.log2(factor);
  if (Number.isInteger(shift)) asm.emit(general.shl_rm64_imm8, [register, shift]);
  else if (factor === (factor | 0)) asm.emit(general.imul_r64_rm64_imm32, [register, register, factor]);
  else {
    asm.emit(general.mov_r64_imm64, [r11, BigInt(factor)]);
    asm.emit(general.imul_r64_rm64, [register, r11]);
  }
}
