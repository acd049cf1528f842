import type { Binding } from "@stowage/backend-api";
import type { Context, Launch, StreamHandle } from "@stowage/cuda-driver";
import { originAddress, writeAddresses, type AddressField, type Work } from "@stowage/cuda-plans";
import { launchesFor, type LaunchOptions, type PlacedRecord } from "./launches.js";
import { FIELD } from "./record-fields.js";
import { transfersOf, type StridedMove } from "./transfer.js";

/** Launches ready to send. */
export class StridedWork implements Work {
  /** The widest word. */
  readonly congruentBytes = 16;
  readonly readsOwnMemory = false;
  readonly launches: readonly Launch[];
  /** Where each move's addresses stand. */
  readonly #fields: readonly (readonly AddressField[])[];

  constructor(context: Context, moves: readonly StridedMove[], bindings: readonly Binding[], options: LaunchOptions) {
    const transfers = bindings.flatMap((binding, i) => {
      const move = moves[i] as StridedMove;
      return transfersOf(move, i, binding).map((transfer) => ({ transfer, direction: move.direction, move: i }));
    });
    const { launches, records } =
      transfers.length === 0 ? { launches: [], records: [] } : launchesFor(context, transfers, options);
    this.launches = launches;
    this.#fields = bindings.map((binding, i) =>
      records.filter(({ move }) => move === i).flatMap((record) => fieldsOf(record, binding)),
    );
  }

  get empty(): boolean {
    return this.launches.length === 0;
  }

  send(queue: StreamHandle): void {
    for (const launch of this.launches) launch.run(queue);
  }

  readdress(i: number, sourceAddress: number, targetAddress: number): void {
    writeAddresses(this.#fields[i] as readonly AddressField[], sourceAddress, targetAddress);
  }

  [Symbol.dispose](): void {
    // Launches are memory of this process, and programs are the backend's.
  }
}

/** The two addresses of a record: see writeRecord. */
function fieldsOf({ launch, offsetBytes, transfer, direction }: PlacedRecord, { source, target }: Binding) {
  const { scatteredAddress, packedAddress, first, box, target: into } = transfer;
  const packs = direction !== "unpack";
  const field = (of: "packed" | "scattered", written: number): AddressField => {
    const side = packs === (of === "scattered") ? "source" : "target";
    const origin = originAddress(side === "source" ? source : target);
    return { into: launch, offsetBytes: offsetBytes + FIELD[of] * 8, side, aheadBytes: written - origin };
  };
  const packedStart = into === undefined ? packedAddress + first : into.address + into.box.startBytes;
  return [field("packed", packedStart), field("scattered", scatteredAddress + box.startBytes)];
}
