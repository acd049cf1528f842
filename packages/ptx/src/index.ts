export { buildKernel, type Arguments, type KernelOptions } from "./build/build-kernel.js";
export type { AccessOptions, Builder } from "./build/builder.js";
export {
  divideByConstant,
  divideByMagic,
  divideByShortMagic,
  divideInParts,
  magicOf,
  narrowMagicOf,
  remainder,
  shortMagicOf,
  type Magic,
  type Parts,
  type ShortMagic,
} from "./build/division.js";
export type { Term, Value, Variable } from "./build/value.js";
export type * from "./ir/index.js";
export { encodeParameters, type ParameterType, type ParameterValue } from "./ir/parameter-layout.js";
export { print } from "./print/print.js";
export { OLDEST_ARCH, type Target } from "./print/target.js";
export type { AccessCounters, Counters } from "./simulate/counters.js";
export { SimulationError } from "./simulate/errors.js";
export type { Dimensions, Launch, TranslateOptions, Translation, WarpAccess } from "./simulate/launch.js";
export { SimulatedMemory, type AllocateOptions, type Allocation } from "./simulate/memory.js";
export { translate } from "./simulate/translate.js";
