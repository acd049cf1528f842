export { compileTypes, type CompileOptions, type Language, type OutputFile } from "./compile-types.js";
export type { NamedDatatype } from "./compiled-type.js";
export type { X64Target } from "./x64/target.js";
export { GPU_ARTIFACT, gpuArtifact } from "./ptx/gpu-artifact.js";
export { cConstants, cName, cRecords } from "./formats/c-records.js";
export { ptxBackend } from "./ptx/stored-kernel.js";
