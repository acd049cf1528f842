export { compileDame } from "./compile/compile-dame.js";
export { DameError } from "./language/dame-error.js";
export { parseDame } from "./language/parse-dame.js";
export type {
  BlockIndex,
  Contig,
  ContigFinal,
  Control,
  Index,
  Primitive,
  ReturnTo,
  Struct,
  Vector,
} from "./language/primitive.js";
export { printDame, type PrintDameOptions } from "./language/print-dame.js";
export { dameProgram, type DameProgram } from "./language/program.js";
export { verifyDame } from "./language/verify-dame.js";
export type { DameState, TraceEntry } from "./machine/dame-state.js";
export { copy, pack, startState, unpack, type StartOptions } from "./machine/interpret.js";
export { flattenDame } from "./machine/flatten-dame.js";
export { loadDame, type LoadedDame } from "./machine/load-dame.js";
export { CpuBackend } from "./backend/cpu-backend.js";
export { CPU_COSTS } from "./backend/cost-model.js";
export { registerCpu } from "./register.js";
