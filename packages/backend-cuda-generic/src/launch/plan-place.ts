import type { PlanBlock } from "../bind/plan-block.js";
import type { Shape } from "../bind/shape.js";
import type { Transfer } from "../bind/transfer.js";
import { LIST_CLASSES, PARAMETER_CLASSES, SHARED_CLASSES } from "../kernel/plan-block.js";
import type { Variant } from "../kernel/variant.js";
import type { Usage } from "@stowage/cuda-plans";
import type { Tuning } from "../options.js";

/** Where the parts of a plan block lie: the fields of a variant that say so. */
export type PlanPlacing = Required<Pick<Variant, "space" | "planBytes" | "listBytes">>;

/** So many blocks come and go that what each spends on copying the plan, and on waiting for it, is felt. */
const MANY_BLOCKS = 4096;

/** What the place depends on besides sizes. */
export interface LaunchUse {
  readonly transfers: readonly Transfer[];
  readonly shape: Shape;
  readonly usage: Usage;
}

/**
 * The list of transfers goes by value where it fits, so that other addresses cost no upload; but the list of several
 * that stay bound is read from shared memory: blocks search it a microsecond faster there (H200, 26 regions of a halo).
 * The nodes, parameters too, need no copy and no barrier, but threads that index them differently are served one after
 * the other. In launches of one wave the copy to shared memory takes less than first reads from the parameters' cache;
 * unpacking by lists, the copy spreads out the blocks' stores (H200: 64 MiB of random blocks pack in 57 us, not 61;
 * unpack in 99, not 98).
 */
export function placingOf(
  { list, nodes }: PlanBlock,
  planSpace: Tuning["planSpace"],
  { transfers, shape, usage }: LaunchUse,
): PlanPlacing {
  const wholeBytes = list.byteLength + nodes.byteLength;
  if (planSpace !== "fitting") return placed(planSpace, wholeBytes, 0);
  const packs = transfers.length === 1 && transfers[0]?.encoded.target.dense === true;
  if (nodes.byteLength === 0 || (packs && shape.tiles >= MANY_BLOCKS)) return placed("parameters", wholeBytes, 0);
  const byValue = transfers.length === 1 || usage.rebound;
  const listBytes = byValue ? (fitting(LIST_CLASSES, list.byteLength) ?? 0) : 0;
  return placed("shared", listBytes === 0 ? wholeBytes : nodes.byteLength, listBytes);
}

/** In device memory as it lies, where it does not fit. */
function placed(space: Variant["space"], bytes: number, listBytes: number): PlanPlacing {
  const classes = { parameters: PARAMETER_CLASSES, shared: SHARED_CLASSES, memory: [] }[space];
  const planBytes = fitting(classes, bytes);
  return planBytes === undefined ? { space: "memory", planBytes: 0, listBytes } : { space, planBytes, listBytes };
}

const fitting = (classes: readonly number[], bytes: number): number | undefined =>
  classes.find((size) => size >= bytes);
