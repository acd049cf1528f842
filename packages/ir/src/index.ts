// Datatypes: descriptions, bounds, lowering.
export type { Bounds, BoundsOptions, BoundsRule } from "./bounds/bounds.js";
export { applyPass } from "./canonicalise/apply-pass.js";
export { boundsOf } from "./bounds/bounds-of.js";
export type { ChildDatatype } from "./datatype/child-datatype.js";
export { childrenOf } from "./datatype/children-of.js";
export { contiguous } from "./datatype/contiguous.js";
export { darray, type DarrayArguments } from "./datatype/darray.js";
export type {
  Contiguous,
  Darray,
  Datatype,
  Dup,
  Hindexed,
  HindexedBlock,
  Hvector,
  Indexed,
  IndexedBlock,
  Predefined,
  Resized,
  Struct,
  Subarray,
  Vector,
} from "./datatype/datatype.js";
export type { Distribution } from "./datatype/distribution.js";
export { dup } from "./datatype/dup.js";
export { hindexed } from "./datatype/hindexed.js";
export { hindexedBlock } from "./datatype/hindexed-block.js";
export { hvector } from "./datatype/hvector.js";
export { indexed } from "./datatype/indexed.js";
export { indexedBlock } from "./datatype/indexed-block.js";
export { isDatatype } from "./datatype/is-datatype.js";
export type { IntegerList } from "./datatype/integer-list.js";
export {
  typeContiguous,
  typeCreateDarray,
  typeCreateHindexed,
  typeCreateHindexedBlock,
  typeCreateHvector,
  typeCreateIndexedBlock,
  typeCreateResized,
  typeCreateStruct,
  typeCreateSubarray,
  typeDup,
  typeIndexed,
  typeVector,
} from "./datatype/mpi-names.js";
export type { Order } from "./datatype/order.js";
export { predefined } from "./datatype/predefined.js";
export {
  isPredefinedName,
  PREDEFINED_NAMES,
  predefinedFacts,
  type PredefinedEntry,
  type PredefinedFacts,
  type PredefinedName,
} from "./datatype/predefined-table.js";
export { isGone } from "./checks/is-gone.js";
export { quoted } from "./checks/quoted.js";
export { requireArray, requireObject, requireOptions } from "./checks/require-argument.js";
export { requireRecord, type FieldRule, type FieldRules } from "./checks/require-record.js";
export { resized } from "./datatype/resized.js";
export { struct } from "./datatype/struct.js";
export { subarray, type SubarrayArguments } from "./datatype/subarray.js";
export { vector } from "./datatype/vector.js";
export { visitPostOrder } from "./datatype/visit-post-order.js";
export { withChildren } from "./datatype/with-children.js";
export type { DatatypeDocument } from "./document/document.js";
export { parseDatatype } from "./document/parse-datatype.js";
export { parseDatatypeText } from "./document/parse-datatype-text.js";
export { printDatatype } from "./document/print-datatype.js";
export { printDatatypeText } from "./document/print-datatype-text.js";
export { ARRAY_CONSTANTS, type ArrayConstants } from "./envelope/array-constants.js";
export type { Combiner } from "./envelope/combiner.js";
export { contents, type Contents } from "./envelope/contents.js";
export { envelope, type Envelope } from "./envelope/envelope.js";
export { fromContents, type ContentsArguments } from "./envelope/from-contents.js";
export { lower } from "./lower/lower.js";
export { matchSignatures, type MessageSide, type SignatureMatch } from "./signature/match-signatures.js";
export { prefixHash } from "./signature/prefix-hash.js";
export { printSignature } from "./signature/print-signature.js";
export { sameSignature } from "./signature/same-signature.js";
export type { Signature } from "./signature/signature.js";
export type { SignatureNode } from "./signature/signature-node.js";
export { signatureOf } from "./signature/signature-of.js";

export {
  ArgumentError,
  DatatypeError,
  StowageError,
  type DatatypeErrorDetails,
  type StowageErrorCode,
  type StowageErrorDetails,
} from "./errors.js";
export { integerTable, type IntegerTable } from "./integer-table.js";
export { blocks, uniformBlocks } from "./layout/blocks.js";
export { dense, EMPTY } from "./layout/dense.js";
export type { LayoutFacts } from "./layout/facts.js";
export {
  denseLayout,
  isDenseLayout,
  layout,
  repeat,
  requireLayout,
  type Layout,
  type LayoutBounds,
} from "./layout/layout.js";
export { childrenOfNode } from "./layout/children.js";
export type { Blocks, Dense, LayoutNode, Member, Sequence, Stream } from "./layout/node.js";
export { sequence } from "./layout/sequence.js";
export { stream } from "./layout/stream.js";

export { ascendingOrder, displacementOrder, type DisplacementOrder } from "./byte-map/displacement-order.js";
export { forEachRun } from "./byte-map/for-each-run.js";
export { iov, type Iov } from "./byte-map/iov.js";
export { locate } from "./byte-map/locate.js";
export type { PackedRange } from "./byte-map/packed-range.js";
export { runs, type Run } from "./byte-map/runs.js";
export type { VisitRun } from "./byte-map/visit-group.js";
export { decodeLayout, decodeLayouts } from "./codec/decode-layout.js";
export { encodeLayout, encodeLayouts } from "./codec/encode-layout.js";
export type { EncodedLayouts } from "./codec/encoded-layouts.js";

// Canonical form, equality, and looking at layouts.
export { canonicalise, PASSES, type CanonicaliseOptions } from "./canonicalise/canonicalise.js";
export type { Pass } from "./canonicalise/pass.js";
export { hexWord } from "./layout/hex-word.js";
export { layoutHash } from "./layout/layout-hash.js";
export { printLayout } from "./layout/print-layout.js";
export { sameLayout } from "./layout/same-layout.js";
export { verifyLayout } from "./layout/verify-layout.js";
export { boxBytes, boxOf, repeatedBox, type Box, type Dimension } from "./box/box.js";
export { boxesIn, type PackedBox } from "./box/boxes-in.js";
export { stridedBlock, type StridedBlock } from "./strided-block.js";

// What backends ask of layouts.
export { blockStatistics, type BlockStatistics } from "./analysis/block-statistics.js";
export { commonAlignment, layoutAlignment, nodeAlignment } from "./analysis/common-alignment.js";
export { distinctNodes } from "./analysis/distinct-nodes.js";
export { equalPieces, longestPieceBytes, piecesOf, type EqualPieces } from "./analysis/equal-pieces.js";
export { runUnitBytes } from "./analysis/run-unit.js";
export { runsApart } from "./analysis/runs-apart.js";
export { greatestCommonDivisor } from "./analysis/greatest-common-divisor.js";
export { isRuns, type RunBlocks } from "./analysis/is-runs.js";
export { layoutStatistics, type LayoutStatistics } from "./analysis/layout-statistics.js";
export { nodeStatistics, type NodeStatistics } from "./analysis/node-statistics.js";
