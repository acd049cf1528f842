import { ByteWriter } from "./byte-writer.js";
import type { CodeFeature } from "./object-file.js";
import { asciiBytes } from "./string-table.js";

/** Linux Extensions to gABI, version 0.2, and the AMD64 supplement, version 1.0, section "Program Property". */
const NT_GNU_PROPERTY_TYPE_0 = 5;
const GNU_PROPERTY_X86_FEATURE_1_AND = 0xc0000002;
const BITS: Readonly<Record<CodeFeature, number>> = { ibt: 1, shstk: 2 };

export const PROPERTY_ALIGNMENT = 8;

/** The note that says what all code of a file keeps to; undefined where it is nothing. */
export function propertyNote(features: readonly CodeFeature[] = []): Uint8Array | undefined {
  const bits = features.reduce((sum, feature) => sum | BITS[feature], 0);
  if (bits === 0) return undefined;
  const property = new ByteWriter().u32(GNU_PROPERTY_X86_FEATURE_1_AND).u32(4).u32(bits).align(PROPERTY_ALIGNMENT);
  const name = asciiBytes("GNU\0");
  const head = new ByteWriter().u32(name.length).u32(property.length).u32(NT_GNU_PROPERTY_TYPE_0);
  return head.bytes(name).bytes(property.finish()).finish();
}
