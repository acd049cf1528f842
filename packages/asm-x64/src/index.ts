export { Assembler, type Fragment, type Line, type OutsideReference } from "./assembler.js";
export { type Encoding } from "./encoding.js";
export { frameInstructions } from "./frame-instructions.js";
export { frameRows, type FrameRow, type FrameRows, type SavedRegister } from "./frame-rows.js";
export type { Masking } from "./masking.js";
export type { OperandForm } from "./form.js";
export { lineText, listing } from "./listing.js";
export {
  mem,
  rip,
  type BasedMemory,
  type Label,
  type LabelMemory,
  type MemoryOperand,
  type Operand,
} from "./operand.js";
export * from "./registers.js";
export { row, type OperandEncoding, type Row } from "./row.js";
export { avx } from "./table/avx2.js";
export { avx512 } from "./table/avx512.js";
export { general } from "./table/general.js";
export { sse } from "./table/sse2.js";
