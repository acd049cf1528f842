export type { Kernel, Parameter } from "./ir/kernel.js";
export type * from "./ir/instruction.js";
export type { Immediate, Operand, Register, RegisterType } from "./ir/register.js";
export { encodeParameters, type ParameterType, type ParameterValue } from "./ir/parameter-layout.js";
export type { AccessCounters, Counters } from "./simulate/counters.js";
export { SimulationError } from "./simulate/errors.js";
export type { Dimensions, Launch, TranslateOptions, Translation } from "./simulate/launch.js";
export { SimulatedMemory, type AllocateOptions, type Allocation } from "./simulate/memory.js";
