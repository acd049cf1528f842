import type { Placed } from "../../message/place/placed.js";
import { BlockTransfer } from "../../message/place/block-transfer.js";
import { PartsTransfer } from "../../message/place/parts-transfer.js";
import { IN_PLACE } from "../../constants.js";
import { MOST_INT } from "../../message/datatype/large-datatype.js";
import { handlesOf } from "../../native/words.js";
import { BridgeError } from "../../errors.js";
import { quoted } from "@stowage/ir";
import { predefinedHandle } from "@stowage/mpi-abi";
import type { Endpoint } from "../endpoint.js";
import type { Prepared } from "./collective.js";
import type { Given, Parts, TypedParts } from "./collective-buffers.js";

type Side = Prepared["sides"][number];

/** Arguments of one side, and what is done to it before and after. */
export interface Placing {
  readonly args: readonly number[];
  readonly side: Side;
}

export type TableOf = (list: readonly number[]) => { readonly address: number };

/** The sides of collectives, as their arguments. */
export class CollectiveSides {
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  /** `ranks` equal parts, or one; an absent side is none of this rank's. */
  even(message: Given | undefined, act: "reads" | "writes" | "both", ranks = 1): Placing {
    if (message === undefined) return this.absent();
    if (message === IN_PLACE) return this.inPlace();
    const placed = this.#endpoint.context.places.of(message);
    // Open MPI leaves out its other side too where one side counts 0, even because it has no partner.
    const count = ranks === 0 ? 1 : placed.count / ranks;
    if (!Number.isInteger(count)) {
      throw new BridgeError(
        "buffer of a collective",
        `elements for ${ranks} ranks, as many for each`,
        String(placed.count),
      );
    }
    if (count > MOST_INT) throw new BridgeError("count of a collective", `at most ${MOST_INT} elements`, String(count));
    const transfer = new BlockTransfer(
      placed,
      this.#endpoint.shownInCollective(placed),
      this.#endpoint.context.staging,
    );
    return { args: [transfer.address, count, transfer.handle], side: sideOf(transfer, act) };
  }

  /** Parts of one datatype. */
  parts(parts: Parts | undefined, act: "reads" | "writes" | "both", ranks: number): Placing {
    if (parts === undefined) return this.absentParts();
    const { buffer, datatype, counts } = requireParts(parts);
    requireLength("counts", counts, ranks);
    const type = this.#endpoint.context.types.of(datatype);
    const displacements = parts.displacements ?? runningSums(counts);
    requireLength("displacements", displacements, ranks);
    requireIntegers("displacements", displacements);
    const base = this.#endpoint.context.places.at(buffer, type, 0);
    const placed = counts.map((count, i) =>
      count === 0
        ? base
        : this.#endpoint.context.places.beyond(base, type, count, (displacements[i] as number) * type.extentBytes),
    );
    const transfer = this.#partsTransfer(placed);
    const table = transfer.displacementsAddress(displacements);
    // MPI counts the displacements from the buffer, so that the buffer's own address is the base.
    const address = transfer.isPacked ? transfer.address : base.address;
    const handle = transfer.isPacked ? type.block : type.native;
    return { args: [address, transfer.countsAddress, table, handle], side: sideOf(transfer, act) };
  }

  /**
   * Parts of datatypes of their own; neighbour collectives take displacements as MPI_Aint's, others as ints.
   */
  typedParts(parts: TypedParts, act: "reads" | "writes", ranks: number, tableOf: TableOf): Placing {
    const { buffer, datatypes, counts, displacementsBytes } = requireParts(parts);
    for (const [name, list] of Object.entries({ datatypes, counts, displacementsBytes }))
      requireLength(name, list, ranks);
    requireIntegers("displacementsBytes", displacementsBytes);
    const placed = counts.map((count, i) => {
      const type = this.#endpoint.context.types.of(datatypes[i] as TypedParts["datatypes"][number]);
      const base = this.#endpoint.context.places.at(buffer, type, 0);
      return this.#endpoint.context.places.beyond(base, type, count, displacementsBytes[i] as number);
    });
    const transfer = this.#partsTransfer(placed);
    const handles = handlesOf(this.#endpoint.context.native.mpi, transfer.handles);
    const offsets = tableOf(transfer.displacementsBytes);
    const args = [transfer.address, transfer.countsAddress, offsets.address, handles.address];
    return { args, side: sideOf(transfer, act, [offsets, handles]) };
  }

  absent(): Placing {
    return { args: [0, 0, predefinedHandle(this.#endpoint.context.native.mpi, "MPI_BYTE")], side: {} };
  }

  inPlace(): Placing {
    const { mpi, constants } = this.#endpoint.context.native;
    return { args: [constants.inPlace, 0, predefinedHandle(mpi, "MPI_BYTE")], side: {} };
  }

  absentParts(): Placing {
    return { args: [0, 0, 0, predefinedHandle(this.#endpoint.context.native.mpi, "MPI_BYTE")], side: {} };
  }

  inPlaceParts(): Placing {
    const { mpi, constants } = this.#endpoint.context.native;
    return { args: [constants.inPlace, 0, 0, predefinedHandle(mpi, "MPI_BYTE")], side: {} };
  }

  #partsTransfer(placed: readonly Placed[]): PartsTransfer {
    const largest = placed.reduce<Placed | undefined>(
      (most, part) => ((most?.sizeBytes ?? -1) < part.sizeBytes ? part : most),
      undefined,
    );
    const shown = largest === undefined ? "native" : this.#endpoint.shownInCollective(largest);
    return new PartsTransfer(placed, shown, this.#endpoint.context.staging);
  }
}

type Movable = { readonly isThere: boolean; pack(): void; unpack(): void; release(): void };

const sideOf = (transfer: Movable, act: "reads" | "writes" | "both", tables?: readonly unknown[]): Side => ({
  reads: act === "writes" ? undefined : transfer,
  writes: act === "reads" ? undefined : transfer,
  transfer,
  tables,
});

export function requireLength(subject: string, list: readonly unknown[], ranks: number): void {
  if (Array.isArray(list) && list.length === ranks) return;
  throw new BridgeError(`${subject} of a collective`, `${ranks}, one a rank`, String(list?.length));
}

export function requireIntegers(subject: string, list: readonly number[]): void {
  const at = list.findIndex((value) => !Number.isSafeInteger(value));
  if (at >= 0) throw new BridgeError(`${subject} of a collective`, "integers", quoted(list[at]));
}

export function requireParts<T extends Parts | TypedParts>(parts: T): T {
  if (typeof parts === "object" && (parts as T | null) !== null) return parts;
  throw new BridgeError(
    "parts of a collective",
    "{ buffer, datatype, counts } or with lists of datatypes",
    quoted(parts),
  );
}

export function runningSums(counts: readonly number[]): readonly number[] {
  let sum = 0;
  return counts.map((count) => (sum += count) - count);
}
