import { conditions, copyMove, describeType, encodeArtifact, packMove, unpackMove } from "@stowage/backend-api";
import { portableArtifact } from "@stowage/backend-x64";
import type { CompiledType } from "./compiled-type.js";
import { gpuArtifact } from "./ptx/gpu-artifact.js";
import { ptxBackend } from "./ptx/stored-kernel.js";
import { VARIANTS, type X64Target } from "./x64/target.js";

/** A stored artifact, and what stands between the files' name and the ending. */
export interface StoredArtifact {
  readonly suffix: string;
  readonly bytes: Uint8Array;
}

/**
 * The stored artifacts of datatypes, which runtime/stowage.h loads: of each a pack, an unpack and, where it was asked
 * for, a copy, in this order, and its description; one a level, since a program loads what its processor runs.
 * Throws an UnsupportedMoveError.
 */
export function storedArtifacts(types: readonly CompiledType[], target: X64Target | "ptx"): readonly StoredArtifact[] {
  return types.flatMap((type) => {
    const prefix = types.length === 1 ? "" : `.${type.symbol}`;
    if (target === "ptx") return [{ suffix: prefix, bytes: storedForGpus(type) }];
    const variants = VARIANTS[target];
    return variants.map(({ level, options }) => ({
      suffix: variants.length === 1 ? prefix : `${prefix}.${level}`,
      bytes: encodeArtifact({
        ...portableArtifact(movesOf(type), conditions(), { ...options, level }),
        description: describeType(type.datatype),
      }),
    }));
  });
}

const movesOf = ({ layout, copyLayout }: CompiledType) => [
  packMove(layout),
  unpackMove(layout),
  ...(copyLayout === undefined ? [] : [copyMove(layout, copyLayout)]),
];

function storedForGpus({ layout, datatype }: CompiledType): Uint8Array {
  using backend = ptxBackend();
  return gpuArtifact(layout, describeType(datatype), backend);
}
