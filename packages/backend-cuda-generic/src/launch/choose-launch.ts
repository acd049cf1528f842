import type { Conditions, Reduction } from "@stowage/backend-api";
import type { Usage } from "@stowage/cuda-plans";
import { planBlock, type PlanBlock } from "../bind/plan-block.js";
import { shapeOf, type Shape } from "../bind/shape.js";
import type { Transfer } from "../bind/transfer.js";
import { MODES, stepBytes, variantName, type DataHints, type Variant } from "../kernel/variant.js";
import type { Tuning } from "../options.js";
import type { Payload } from "../payload.js";
import { builtInOf, type BuiltInLayouts } from "./built-in.js";
import { placingOf } from "./plan-place.js";

/** A launch as it was decided: which kernel, how many blocks, and what they read. */
export interface ChosenLaunch {
  readonly variant: Variant;
  readonly shape: Shape;
  readonly block: PlanBlock;
  /** The layouts of a specialised kernel; undefined for the general one. */
  readonly builtIn: BuiltInLayouts | undefined;
  /** Names the kernel, its layouts too where it has some built in. */
  readonly key: string;
}

export interface LaunchFacts {
  readonly conditions: Conditions;
  /** The reduction that all moves of the launch share, if they reduce. */
  readonly reduction: Reduction | undefined;
  readonly payload: Payload;
  readonly tuning: Tuning;
  readonly multiprocessors: number;
  readonly lookasideAddress: number;
  readonly usage: Usage;
}

/** Decides the launch that moves these transfers, of which there are some. */
export function chooseLaunch(transfers: readonly Transfer[], facts: LaunchFacts): ChosenLaunch {
  const { conditions, payload, tuning, multiprocessors, lookasideAddress, usage } = facts;
  const shape = shapeOf(transfers, { ...tuning, multiprocessors, smBudget: conditions.smBudget });
  const builtIn = tuning.tier === "generic" ? undefined : builtInOf(transfers, payload);
  const block = planBlock(transfers, { shape, lookasideAddress, builtIn: builtIn?.ofTransfers });
  const used = new Set(transfers.map(({ mode }) => mode));
  const variant: Variant = {
    positionBits: transfers.every(({ endBytes }) => endBytes <= NARROW_BYTES) ? 32 : 64,
    tableBits: payload.tableBits,
    modes: MODES.filter((mode) => used.has(mode)),
    branching: transfers.some(({ encoded }) => encoded.source.branching || encoded.target.branching),
    searched: transfers.some(({ encoded }) => encoded.source.searched || encoded.target.searched),
    denseSide: denseSideOf(transfers),
    regions: transfers.some(({ source, target }) => source.regions.length + target.regions.length > 0),
    unroll: shape.unroll,
    maxThreads: shape.maxThreads,
    hints: fittingHints(transfers, tuning.hints),
    alone: transfers.length === 1,
    reduction: facts.reduction,
    ...placingOf(block, tuning.planSpace, { transfers, shape, usage }),
  };
  return { variant, shape, block, builtIn, key: [variantName(variant), ...(builtIn?.texts ?? [])].join() };
}

/** Positions below this stay within what narrow magic numbers divide. */
const NARROW_BYTES = 2 ** 31;

function denseSideOf(transfers: readonly Transfer[]): Variant["denseSide"] {
  if (transfers.every(({ encoded }) => encoded.target.dense)) return "target";
  return transfers.every(({ encoded }) => encoded.source.dense) ? "source" : "none";
}

/** Half of an H200's L2: as much again is read, and past that nothing stays for the next call anyway. */
const STREAMED_BYTES = 2 ** 25;

/**
 * H200, repeated packs: 12 MB of atoms by index 26.7 us as usual, 25.2 so; the halo 26.0 and 24.9; 64 MiB lose half a
 * microsecond. What is unpacked by a list keeps its sectors until all their parts are there (4.2 M floats: 69 us, 72
 * so).
 */
function fittingHints(transfers: readonly Transfer[], { bypassL1, storeOperator }: Tuning["hints"]): DataHints {
  if (storeOperator !== "fitting") return { bypassL1, storeOperator };
  const bytes = transfers.reduce((sum, { words, mode }) => sum + words * stepBytes(mode), 0);
  const inOrder = transfers.every(({ encoded: { target } }) => target.dense || target.strided);
  return { bypassL1, storeOperator: inOrder && bytes < STREAMED_BYTES ? "cs" : "wb" };
}
