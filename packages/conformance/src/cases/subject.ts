import { canonicalise, denseLayout, lower, printDatatype, printLayout, type Layout } from "@stowage/ir";
import { anyDatatype, anyLayout, type DatatypeOptions } from "@stowage/arbitraries";
import * as fc from "fast-check";
import type { ByteMap } from "../reference/byte-map.js";
import { byteMapOfLayout } from "../reference/layout-walk.js";
import { byteMapOfDatatype } from "../reference/reference-type-map.js";
import type { LawSettings } from "../settings.js";

/** One side of a move: the layout that a backend is given, and where its bytes are by the reference. */
export interface Subject {
  readonly layout: Layout;
  readonly map: ByteMap;
  /** Prints it in a counterexample. */
  readonly [fc.toStringMethod]: () => string;
}

const subject = (layout: Layout, map: ByteMap, print: () => string): Subject => ({
  layout,
  map,
  [fc.toStringMethod]: print,
});

/** The packed side: `sizeBytes` side by side. */
export function denseSubject(sizeBytes: number): Subject {
  const map = { entries: [{ offsetBytes: 0, lengthBytes: sizeBytes }], sizeBytes, extentBytes: sizeBytes };
  return subject(denseLayout(sizeBytes), map, () => `${sizeBytes} packed bytes`);
}

/** Datatypes, lowered alone or in canonical form, and layouts built by hand. */
export function anySubject(settings: LawSettings, options: DatatypeOptions): fc.Arbitrary<Subject> {
  const { maxSizeBytes, maxReachBytes, addressSpaces } = settings;
  const limits = { sparse: addressSpaces, maxSizeBytes, maxReachBytes, ...options };
  const ofDatatypes = fc.tuple(anyDatatype(limits), fc.boolean()).map(([datatype, isCanonical]) => {
    const layout = isCanonical ? canonicalise(lower(datatype)) : lower(datatype);
    const print = (): string => `${isCanonical ? "canonical " : ""}${JSON.stringify(printDatatype(datatype))}`;
    return subject(layout, byteMapOfDatatype(datatype), print);
  });
  const ofLayouts = anyLayout(limits).map((layout) => {
    return subject(layout, byteMapOfLayout(layout), () => printLayout(layout));
  });
  return fc.oneof({ weight: 3, arbitrary: ofDatatypes }, { weight: 1, arbitrary: ofLayouts });
}
