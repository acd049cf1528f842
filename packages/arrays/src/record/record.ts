import { boundsOf, DatatypeError, resized, struct } from "@stowage/ir";
import { alignmentOf, fieldDatatype } from "./field-datatype.js";
import type { FieldPlace, Fields, RecordType } from "./record-type.js";
import { RecordView } from "./record-view.js";
import { requireObject } from "../strided-array.js";

/**
 * Makes a record with the padding that C gives a struct of these fields in this order (System V x86-64 ABI, section
 * 3.1.2): each at the next multiple of its alignment, the whole a multiple of the strictest. Throws a DatatypeError
 * where there is no field, or a type is none.
 *
 * @example
 * ```ts
 * const particle = record({ position: ["f64", 3], id: "i32" });
 * particle.sizeBytes; // 32: 24 + 4, and 4 of padding
 * const memory = new ArrayBuffer(10 * particle.sizeBytes);
 * particle.over(memory).at(3).id = 7;
 * ```
 */
export function record<const F extends Fields>(types: F): RecordType<F> {
  requireObject("fields of a record", types);
  const names = Object.keys(types);
  if (names.length === 0)
    throw new DatatypeError({ subject: "fields of a record", expected: "one or more", got: "none" });
  const members = Object.values(types).map((type) => ({
    datatype: fieldDatatype(type),
    alignmentBytes: alignmentOf(type),
  }));
  const places: FieldPlace[] = [];
  let endBytes = 0;
  for (const { datatype, alignmentBytes } of members) {
    const place = { offsetBytes: roundUp(endBytes, alignmentBytes), sizeBytes: boundsOf(datatype).extentBytes };
    places.push(Object.freeze(place));
    endBytes = place.offsetBytes + place.sizeBytes;
  }
  const alignmentBytes = Math.max(...members.map((member) => member.alignmentBytes));
  const sizeBytes = roundUp(endBytes, alignmentBytes);
  const offsets = places.map(({ offsetBytes }) => offsetBytes);
  const datatypes = members.map(({ datatype }) => datatype);
  const made: RecordType<F> = {
    datatype: resized(0, sizeBytes, struct(names.map(() => 1), offsets, datatypes)), // prettier-ignore
    sizeBytes,
    alignmentBytes,
    types: Object.freeze({ ...types }),
    fields: Object.freeze(Object.fromEntries(names.map((name, i) => [name, places[i]]))) as RecordType<F>["fields"],
    over: (memory, originBytes = 0) => new RecordView(made, memory, originBytes),
  };
  return Object.freeze(made);
}

const roundUp = (bytes: number, alignmentBytes: number): number => Math.ceil(bytes / alignmentBytes) * alignmentBytes;
