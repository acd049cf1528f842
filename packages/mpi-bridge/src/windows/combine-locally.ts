import type { Span } from "@stowage/backend-api";
import type { Accumulation } from "@stowage/mpi-abi";
import { pack } from "../buffer/pack.js";
import type { BridgeType } from "../datatype/bridge-type.js";
import { addressOf } from "../native/words.js";
import type { Context } from "../world/context.js";

/** Combines what elements hold into packed ones that arrived, by the MPI. */
export function combineLocally(
  { native }: Context,
  { op, count }: { readonly op?: Accumulation; readonly count: number },
  type: BridgeType,
  span: Span,
  arrived: Uint8Array,
): void {
  if (op === undefined || op === "replace" || op === "no_op" || arrived.length === 0) return;
  const held = new Uint8Array(arrived.length);
  pack(type, span, held, { count }).wait();
  const { handle, perElement } = type.reducible;
  const operation = native.constants.reductions[op];
  native.call("MPI_Reduce_local", addressOf(held), addressOf(arrived), count * perElement, handle, operation);
}
