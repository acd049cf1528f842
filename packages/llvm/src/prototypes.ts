/**
 * The calls of LLVM's C API that are used, by name (llvm-c/Core.h, IRReader.h, Analysis.h, TargetMachine.h,
 * Transforms/PassBuilder.h, LLJIT.h). Handles and strings that LLVM allocates are addresses.
 */
export const PROTOTYPES = {
  LLVMContextCreate: "uintptr_t LLVMContextCreate()",
  LLVMContextDispose: "void LLVMContextDispose(uintptr_t context)",
  LLVMCreateMemoryBufferWithMemoryRangeCopy:
    "uintptr_t LLVMCreateMemoryBufferWithMemoryRangeCopy(const void *data, size_t length, const char *name)",
  LLVMGetBufferStart: "uintptr_t LLVMGetBufferStart(uintptr_t buffer)",
  LLVMGetBufferSize: "size_t LLVMGetBufferSize(uintptr_t buffer)",
  LLVMDisposeMemoryBuffer: "void LLVMDisposeMemoryBuffer(uintptr_t buffer)",
  LLVMDisposeMessage: "void LLVMDisposeMessage(uintptr_t message)",
  LLVMParseIRInContext:
    "int LLVMParseIRInContext(uintptr_t context, uintptr_t buffer, _Out_ uintptr_t *module, _Out_ uintptr_t *message)",
  LLVMDisposeModule: "void LLVMDisposeModule(uintptr_t module)",
  LLVMPrintModuleToString: "uintptr_t LLVMPrintModuleToString(uintptr_t module)",
  LLVMSetTarget: "void LLVMSetTarget(uintptr_t module, const char *triple)",
  LLVMSetDataLayout: "void LLVMSetDataLayout(uintptr_t module, const char *layout)",
  LLVMVerifyModule: "int LLVMVerifyModule(uintptr_t module, int action, _Out_ uintptr_t *message)",
  LLVMGetDefaultTargetTriple: "uintptr_t LLVMGetDefaultTargetTriple()",
  LLVMGetTargetFromTriple:
    "int LLVMGetTargetFromTriple(const char *triple, _Out_ uintptr_t *target, _Out_ uintptr_t *message)",
  LLVMCreateTargetMachine:
    "uintptr_t LLVMCreateTargetMachine(uintptr_t target, const char *triple, const char *cpu, const char *features, int level, int relocation, int model)",
  LLVMDisposeTargetMachine: "void LLVMDisposeTargetMachine(uintptr_t machine)",
  LLVMCreateTargetDataLayout: "uintptr_t LLVMCreateTargetDataLayout(uintptr_t machine)",
  LLVMCopyStringRepOfTargetData: "uintptr_t LLVMCopyStringRepOfTargetData(uintptr_t layout)",
  LLVMDisposeTargetData: "void LLVMDisposeTargetData(uintptr_t layout)",
  LLVMTargetMachineEmitToMemoryBuffer:
    "int LLVMTargetMachineEmitToMemoryBuffer(uintptr_t machine, uintptr_t module, int kind, _Out_ uintptr_t *message, _Out_ uintptr_t *buffer)",
  LLVMCreatePassBuilderOptions: "uintptr_t LLVMCreatePassBuilderOptions()",
  LLVMDisposePassBuilderOptions: "void LLVMDisposePassBuilderOptions(uintptr_t options)",
  LLVMRunPasses: "uintptr_t LLVMRunPasses(uintptr_t module, const char *passes, uintptr_t machine, uintptr_t options)",
  LLVMGetErrorMessage: "uintptr_t LLVMGetErrorMessage(uintptr_t error)",
  LLVMDisposeErrorMessage: "void LLVMDisposeErrorMessage(uintptr_t message)",
  LLVMOrcCreateLLJIT: "uintptr_t LLVMOrcCreateLLJIT(_Out_ uintptr_t *jit, uintptr_t builder)",
  LLVMOrcDisposeLLJIT: "uintptr_t LLVMOrcDisposeLLJIT(uintptr_t jit)",
  LLVMOrcLLJITGetMainJITDylib: "uintptr_t LLVMOrcLLJITGetMainJITDylib(uintptr_t jit)",
  LLVMOrcLLJITAddObjectFile: "uintptr_t LLVMOrcLLJITAddObjectFile(uintptr_t jit, uintptr_t dylib, uintptr_t buffer)",
  LLVMOrcLLJITLookup: "uintptr_t LLVMOrcLLJITLookup(uintptr_t jit, _Out_ uintptr_t *address, const char *name)",
} as const;
