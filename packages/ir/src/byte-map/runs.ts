import type { Layout } from "../layout/layout.js";
import type { PackedRange } from "./packed-range.js";
import { RunCursor } from "./run-cursor.js";

/** Bytes [offsetBytes, offsetBytes + lengthBytes) from the address 0 of element zero. */
export interface Run {
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** The runs that forEachRun visits, one by one and on demand. Throws as it does, when the first run is asked for. */
export function* runs(layout: Layout, range: PackedRange): Generator<Run, void, void> {
  const cursor = new RunCursor(layout, range);
  while (cursor.next()) yield { offsetBytes: cursor.offsetBytes, lengthBytes: cursor.lengthBytes };
}
