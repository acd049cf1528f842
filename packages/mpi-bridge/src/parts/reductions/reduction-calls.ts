import { quoted } from "@stowage/ir";
import type { Reduction as Operation } from "@stowage/mpi-abi";
import type { Message } from "../../message/place/message.js";
import type { Placed } from "../../message/place/placed.js";
import { IN_PLACE } from "../../constants.js";
import { BridgeError } from "../../errors.js";
import { requireAlike, type ReductionCall, type ReductionName } from "./reduction-call.js";
import type { Given } from "../collectives/collective-buffers.js";
import type { Endpoint } from "../endpoint.js";

/** Arguments of each reduction, looked at. */
export class ReductionCalls {
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  reduceOf(sent: Given, received: Message | undefined, op: Operation, root: number): ReductionCall {
    this.#endpoint.requireNumbers("reduce", root, 0);
    const isRoot = this.#endpoint.rank === root;
    if (isRoot && (received === undefined || (received as unknown) === null))
      throw new BridgeError("buffer of the root of reduce", "one", "none");
    if (sent === IN_PLACE && !isRoot)
      throw new BridgeError("buffer of reduce in place", "the root's", `rank ${this.#endpoint.rank}'s`);
    return this.#checked("reduce", sent, isRoot ? received : undefined, op, { root });
  }

  /** The call of a reduction that gives every rank a result. */
  reductionOf(name: ReductionName, sent: Given, received: Message, op: Operation): ReductionCall {
    return this.#checked(name, sent, received, op, {});
  }

  /** So many elements of the result for each rank; one number: as many for each. */
  reduceScatterOf(sent: Given, received: Message, op: Operation, counts?: readonly number[]): ReductionCall {
    const name = counts === undefined ? "reduce_scatter_block" : "reduce_scatter";
    const call = this.#checked(name, sent, received, op, {});
    const { input, result = input } = call;
    const parted = counts === undefined ? this.#evenly(call) : this.#byCounts(call, counts);
    const made = { ...call, result: this.#firstOf(result, parted, call), partsBytes: parted };
    requireAlike(made, this.#endpoint.rank);
    return made;
  }

  #checked(
    name: ReductionName,
    sent: Given,
    received: Message | undefined,
    op: Operation,
    rest: object,
  ): ReductionCall {
    if ((sent as unknown) === undefined || (received === undefined && name !== "reduce"))
      throw new BridgeError(`buffers of ${name}`, "one to send and one to receive into", "undefined");
    const { reductions } = this.#endpoint.context.native.constants;
    if (typeof op !== "string" || !Object.hasOwn(reductions, op))
      throw new BridgeError("op of a reduction", "one of MPI's, such as sum", quoted(op));
    const isInPlace = sent === IN_PLACE;
    const result = received === undefined ? undefined : this.#endpoint.context.places.of(received);
    const input = isInPlace ? (result as Placed) : this.#endpoint.context.places.of(sent);
    const call = { name, op, input, isInPlace, result, root: 0, ...rest };
    if (!name.startsWith("reduce_scatter")) requireAlike(call, this.#endpoint.rank);
    return call;
  }

  #evenly({ name, input }: ReductionCall): readonly number[] {
    if ((input.count * input.type.reducible.perElement) % this.#endpoint.size === 0)
      return Array.from({ length: this.#endpoint.size }, () => input.sizeBytes / this.#endpoint.size);
    throw new BridgeError(
      `buffer of ${name}`,
      `elements for ${this.#endpoint.size} ranks, as many for each`,
      String(input.count),
    );
  }

  #byCounts({ name, input, result = input }: ReductionCall, counts: readonly number[]): readonly number[] {
    const isList = Array.isArray(counts) && counts.length === this.#endpoint.size;
    if (!isList || !counts.every((count) => Number.isSafeInteger(count) && count >= 0))
      throw new BridgeError(
        `counts of ${name}`,
        `${this.#endpoint.size} integers of 0 or more, one a rank`,
        quoted(counts),
      );
    const parts = counts.map((count) => count * result.type.sizeBytes);
    const total = parts.reduce((sum, bytes) => sum + bytes, 0);
    if (total === input.sizeBytes) return parts;
    throw new BridgeError(`buffer of ${name}`, `${total} bytes, as its counts say`, String(input.sizeBytes));
  }

  /** In place, the result comes to be where the elements begin (MPI 4.1, section 6.10). */
  #firstOf(result: Placed, partsBytes: readonly number[], { name, isInPlace }: ReductionCall): Placed {
    if (!isInPlace) return result;
    const sizeBytes = partsBytes[this.#endpoint.rank] as number;
    const count = sizeBytes === 0 ? 0 : sizeBytes / result.type.sizeBytes;
    if (Number.isInteger(count)) return { ...result, count, sizeBytes };
    throw new BridgeError(
      `buffer of ${name}`,
      "whole elements for each rank",
      `${count} of rank ${this.#endpoint.rank}`,
    );
  }
}
