/// <reference lib="esnext.disposable" preserve="true" />
export {
  findLibrary,
  isLibraryInstalled,
  libraryNames,
  noLibrary,
  TRIED_VERSIONS,
  type FoundLibrary,
} from "./find-library.js";
export { Jit } from "./jit.js";
export { Llvm, openLlvm } from "./llvm.js";
export { LlvmError } from "./llvm-error.js";
export { LlvmModule } from "./llvm-module.js";
export { TargetMachine, type OptimisationLevel, type TargetOptions } from "./target-machine.js";
