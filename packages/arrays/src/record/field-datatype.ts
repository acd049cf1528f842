import { boundsOf, contiguous, type Datatype } from "@stowage/ir";
import { elementType } from "../element-type.js";
import { requireObject } from "../strided-array.js";
import { isRecordType, type FieldType } from "./record-type.js";

/** The datatype of one field. Throws a DatatypeError for names and lengths that are none. */
export function fieldDatatype(type: FieldType): Datatype {
  if (typeof type === "string") return elementType(type);
  requireObject("field of a record", type);
  return isRecordType(type) ? type.datatype : contiguous(type[1], elementType(type[0]));
}

/** C's alignment of a field: that of its strictest scalar. */
export function alignmentOf(type: FieldType): number {
  if (isRecordType(type)) return type.alignmentBytes;
  return boundsOf(elementType(typeof type === "string" ? type : type[0])).extentBytes;
}
