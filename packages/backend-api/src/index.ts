/// <reference lib="esnext.disposable" preserve="true" />
export { artifactKey } from "./artifact-key.js";
export { requireArtifact, requireArtifactOf, type Artifact, type Data, type DataTable } from "./artifact.js";
export {
  BACKEND,
  NO_REDUCTIONS,
  NO_TABLES,
  SUPPORTED,
  supportOf,
  unsupported,
  type Backend,
  type CapturablePlan,
  type CaptureOptions,
  type Kernel,
  type PlainCall,
  type Plan,
  type Prediction,
  type Support,
} from "./backend.js";
export type { Binding, BoundTables, Span } from "./binding.js";
export { checkApart } from "./check/check-apart.js";
export { checkBinding, checkBindings } from "./check/check-bindings.js";
export { QuickCheck, type QuickReaches } from "./check/quick-check.js";
export { DONE, type Completion } from "./completion.js";
export { conditions, requireConditions, type Conditions, type Stores } from "./conditions.js";
export { costNs, type Amounts } from "./cost/amounts.js";
export type { CostModel } from "./cost/cost-model.js";
export { memoryTraffic, walkOver, type Walk } from "./cost/memory-traffic.js";
export { predictBy } from "./cost/predict-by.js";
export type { Figures } from "./cost/figures.js";
export { figuresOf, requireProfile, UNCALIBRATED, type FigureOf, type Profile } from "./cost/profile.js";
export {
  MODELS_VERSION,
  parseProfile,
  profileOf,
  PROFILE_SCHEMA,
  profileText,
  type ProfileDocument,
  type ProfiledMachine,
} from "./cost/profile-document.js";
export { scatteredSides, type ScatteredSide } from "./cost/scattered-sides.js";
export { decodeArtifact } from "./container/decode-artifact.js";
export { encodeArtifact } from "./container/encode-artifact.js";
export { ARTIFACT_FRAMES, CONTAINER_RECORDS, CONTAINER_VERSION, FRAMES_ALIGNMENT } from "./container/format.js";
export { ArtifactError, BindingError, DeviceError, DisposedError, UnsupportedMoveError } from "./errors.js";
export {
  addressSpace,
  isAddressSpace,
  requireMemory,
  type AddressSpace,
  type Buffer,
  type Memory,
  type MemoryKind,
  type Region,
} from "./memory.js";
export { canChangeSize, HostBuffer, hostMemory } from "./host-buffer.js";
export {
  copyMove,
  directionOf,
  isReducing,
  isTabled,
  packMove,
  reduceMove,
  requireMoves,
  scatteredLayout,
  tabledMove,
  unpackMove,
  type Direction,
  type Move,
} from "./move.js";
export {
  ELEMENT_NAMES,
  ELEMENTS,
  type Element,
  type ElementFacts,
  type ElementKind,
  type TypeGroup,
} from "./reduce/elements.js";
export { OPERATION_NAMES, OPERATIONS, type Operation, type OperationFacts } from "./reduce/operations.js";
export {
  isDefinedFor,
  reductionOf,
  reductionOfBasic,
  requireReduction,
  UNPACK_OPERATIONS,
  wholeBytesOf,
  type Reduction,
  type UnpackOperation,
} from "./reduce/reduction.js";
export {
  describeTables,
  sameTables,
  TABLE_ENTRY_BYTES,
  type ElementTable,
  type MoveTables,
  type TableIndex,
} from "./tables/move-tables.js";
export {
  countInMemory,
  elementPlaces,
  TableReadings,
  entryBounds,
  tabledSide,
  type ElementPlaces,
  type TabledSide,
  type TableReading,
} from "./tables/table-entries.js";
export { bufferOriginOf, reachOf, type BufferOrigin, type Reach } from "./reach.js";
export { regionAt } from "./region-at.js";
export { addressesOf, type AddressAt } from "./address-at.js";
export {
  bytesOf,
  recordFormat,
  type FieldType,
  type RecordField,
  type RecordFormat,
  type RecordRow,
} from "./record-format.js";
export { withinRegions, type PlacedBox } from "./within-regions.js";
export type { Queue } from "./queue.js";
export { DESCRIPTION_KINDS, DESCRIPTION_NODE, describeType } from "./type-key/describe-type.js";
export { typeKey, variantText, type KeyVariant } from "./type-key/type-key.js";
