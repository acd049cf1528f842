import type { Span } from "@stowage/backend-api";
import type { Accumulation } from "@stowage/mpi-abi";
import { pack } from "../message/place/pack.js";
import type { BridgeType } from "../message/datatype/bridge-type.js";
import { addressOf } from "../native/words.js";
import { basicNameOf, moveOfOperation } from "../parts/reductions/move-of-operation.js";
import type { Context } from "../message/context.js";

/**
 * What elements are to hold once packed ones that arrived are combined with them: by an unpack with the operation into
 * packed ones, or by the MPI where no unpack combines such elements.
 */
export function combineLocally(
  { native, types }: Context,
  { op, count }: { readonly op?: Accumulation; readonly count: number },
  type: BridgeType,
  span: Span,
  arrived: Uint8Array,
): Uint8Array {
  if (op === undefined || op === "replace" || op === "no_op" || arrived.length === 0) return arrived;
  const held = new Uint8Array(arrived.length);
  pack(type, span, held, { count }).wait();
  const reduction = moveOfOperation(op, type);
  const { handle, perElement } = type.reducible;
  const elements = count * perElement;
  const basic = type.datatype.kind === "predefined" ? type : types.of(basicNameOf(type));
  if (reduction !== undefined) {
    basic.committed.unpack(arrived, held, { count: elements, ...reduction }).wait();
    return held;
  }
  // The MPI wants them at their extents: a pair has padding.
  const [from, into] = [arrived, held].map((packed) => {
    const spread = new Uint8Array(elements * basic.extentBytes);
    basic.committed.unpack(packed, spread, { count: elements }).wait();
    return spread;
  }) as [Uint8Array, Uint8Array];
  const operation = native.constants.reductions[op];
  native.call("MPI_Reduce_local", addressOf(from), addressOf(into), elements, handle, operation);
  basic.committed.pack(into, held, { count: elements }).wait();
  return held;
}
