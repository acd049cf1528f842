import { copyMove } from "@stowage/backend-api";
import { pageCode, type PageCode } from "@stowage/backend-cuda-generic";
import type { CompiledType } from "../compiled-type.js";
import { pythonDocument } from "../languages/described.js";

/** What a program is told of a page besides its kernels. */
export interface PageFacts {
  readonly sizeBytes: number;
  readonly trueLowerBounds: readonly [source: number, target: number];
  readonly trueExtents: readonly [source: number, target: number];
  readonly sourceDocument: string;
  readonly targetDocument: string;
}

/** A copy of pages, ready to be written in a language. */
export interface CompiledPages {
  readonly symbol: string;
  readonly facts: PageFacts;
  readonly code: PageCode;
}

/**
 * Pages of a type, to the type that it is copied to where there is one. Throws an ArgumentError for a type of no bytes,
 * or one with more nodes than fit a launch.
 */
export function compiledPages({
  symbol,
  datatype,
  copiesTo,
  layout,
  copyLayout = layout,
}: CompiledType): CompiledPages {
  return {
    symbol,
    code: pageCode(copyMove(layout, copyLayout)),
    facts: {
      sizeBytes: layout.sizeBytes,
      trueLowerBounds: [layout.trueLowerBoundBytes, copyLayout.trueLowerBoundBytes],
      trueExtents: [layout.trueExtentBytes, copyLayout.trueExtentBytes],
      sourceDocument: pythonDocument(datatype),
      targetDocument: pythonDocument(copiesTo ?? datatype),
    },
  };
}
