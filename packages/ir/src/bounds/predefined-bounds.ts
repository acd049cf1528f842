import { predefinedFacts, type PredefinedName } from "../datatype/predefined-table.js";
import type { Bounds } from "./bounds.js";

export function predefinedBounds(name: PredefinedName): Bounds {
  const { entries, alignmentBytes, extentBytes } = predefinedFacts(name);
  const last = entries.at(-1);
  return {
    sizeBytes: entries.reduce((sum, entry) => sum + entry.lengthBytes, 0),
    lowerBoundBytes: 0,
    extentBytes,
    trueLowerBoundBytes: 0,
    trueExtentBytes: last === undefined ? 0 : last.offsetBytes + last.lengthBytes,
    alignmentBytes,
    hasExplicitBounds: false,
  };
}
