export { box, transposed, type BoxRange } from "./box.js";
export { elementType, type ScalarName } from "./element-type.js";
export {
  fromArrayInterface,
  type ArrayInterface,
  type Descriptor,
  type DescriptorField,
} from "./from-array-interface.js";
export { fromArrow, type ArrowData } from "./from-arrow.js";
export { fromNdarray, type Ndarray } from "./from-ndarray.js";
export { record } from "./record/record.js";
export type { FieldPlace, Fields, FieldType, FieldValue, Records, RecordType, Row } from "./record/record-type.js";
export type { FieldScalar, ScalarArray, ScalarValue } from "./record/scalar-access.js";
export { datatypeOf, spanOf, stridedArray, type StridedArray } from "./strided-array.js";
