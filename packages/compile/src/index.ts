export { compileTypes, type CompileOptions, type Language, type OutputFile } from "./compile-types.js";
export type { NamedDatatype } from "./compiled-type.js";
export type { X64Target } from "./x64/target.js";
export { ptxBackend, ptxMove, type PtxKernel, type PtxMove, type PtxSide } from "./ptx/stored-kernel.js";
