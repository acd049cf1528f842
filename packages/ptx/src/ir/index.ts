export type * from "./instruction.js";
export type { Kernel, Parameter } from "./kernel.js";
export { isSigned, isWide, type Immediate, type Operand, type Register, type RegisterType } from "./register.js";
