/// <reference lib="esnext.disposable" preserve="true" />
export type { Abi, Constants, MpiFamily } from "./abi/abi.js";
export {
  REDUCTIONS,
  type Accumulation,
  type CommunicationConstants,
  type Reduction,
  type StatusLayout,
} from "./abi/communication.js";
export type { Handles } from "./abi/handles.js";
export type { LiveHandles } from "./datatype/live-handles.js";
export { call, check } from "./check.js";
export { constructDatatype, exportDatatype } from "./datatype/export-datatype.js";
export { importDatatype } from "./datatype/import-datatype.js";
export { MpiDatatype } from "./datatype/mpi-datatype.js";
export { predefinedHandle, predefinedName, typeName } from "./datatype/predefined-handle.js";
export { realContents, realEnvelope, type RealContents, type RealEnvelope } from "./datatype/real-contents.js";
export { trustHandle } from "./datatype/trust-handle.js";
export { typeBounds, type TypeBounds } from "./datatype/type-bounds.js";
export { MpiError, MpiLibraryError } from "./errors.js";
export type { Environment } from "./library/environment.js";
export { familyOfLibrary, isStandardLibrary } from "./library/family-of-library.js";
export { findMpis } from "./library/find-mpis.js";
export { loadMpi } from "./library/load-mpi.js";
export { mpiTools, type MpiTools } from "./library/tools-of.js";
export { finalise, initialise, type ThreadLevel } from "./lifetime.js";
export type { Mpi } from "./mpi.js";
export type { AllCalls, Calls, LargeCalls, Pointer } from "./native/calls.js";
export type { Packing } from "./packing-arguments.js";
export { pack, packSize, PackPlan, unpack } from "./packing.js";
