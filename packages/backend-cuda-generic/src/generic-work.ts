import type { Binding, Conditions, Move } from "@stowage/backend-api";
import type { Launch, StreamHandle } from "@stowage/cuda-driver";
import { originAddress, writeAddresses, type AddressField, type Usage, type Work } from "@stowage/cuda-plans";
import { joined } from "./bind/plan-block.js";
import { transfersOf, type Transfer } from "./bind/transfer.js";
import type { DeviceState } from "./device-state.js";
import { HEADER_BYTES, TRANSFER, TRANSFER_BYTES } from "./kernel/plan-block.js";
import { chooseLaunch, type ChosenLaunch } from "./launch/choose-launch.js";
import { ChangingBlock } from "./launch/changing-block.js";
import type { Tuning } from "./options.js";
import type { EncodedMove, Payload } from "./payload.js";
import type { PlanRoom } from "./plan-memory.js";
import type { DeviceTables } from "./tables.js";

/** What work needs of its kernel. */
export interface WorkParts {
  readonly moves: readonly Move[];
  readonly conditions: Conditions;
  readonly payload: Payload;
  readonly device: DeviceState;
  readonly tuning: Tuning;
  readonly tables: DeviceTables;
  readonly usage: Usage;
}

/** A transfer and the move that it is of, or a part of. */
interface OwnedTransfer {
  readonly transfer: Transfer;
  readonly move: number;
}

/** Any number of moves as one launch: its list of transfers by value where that fits, all else in device memory. */
export class GenericWork implements Work {
  /** The widest word. */
  readonly congruentBytes = 16;
  readonly #tables: DeviceTables;
  readonly #launch: Launch | undefined;
  /** Layouts that lie in device memory, with their transfers or without. */
  readonly #block: ChangingBlock | undefined;
  readonly #nodes: PlanRoom | undefined;
  /** Where each move's addresses stand. */
  readonly #fields: readonly (readonly AddressField[])[];

  constructor(parts: WorkParts, bindings: readonly Binding[]) {
    const { moves, conditions, payload, device, tuning, tables, usage } = parts;
    this.#tables = tables;
    const owned = bindings.flatMap((binding, i) =>
      transfersIn(moves[i] as Move, payload.moves[i] as EncodedMove, binding, tuning, moves.length === 1).map(
        (transfer): OwnedTransfer => ({ transfer, move: i }),
      ),
    );
    if (owned.length === 0) {
      this.#fields = bindings.map(() => []);
      tables.hold();
      return;
    }
    const { multiprocessors } = device.context.device;
    const facts = {
      conditions,
      reduction: moves[0]?.reduction,
      payload,
      tuning,
      multiprocessors,
      lookasideAddress: tables.address,
      usage,
    };
    const chosen = chooseLaunch(
      owned.map(({ transfer }) => transfer),
      facts,
    );
    const { launch, block, nodes } = launchOf(device, chosen, owned.length);
    this.#launch = launch;
    this.#block = block;
    this.#nodes = nodes;
    const listIn = block ?? launch;
    this.#fields = bindings.map((binding, i) =>
      owned.flatMap(({ transfer, move }, at) =>
        move === i ? fieldsOf(transfer, binding, listIn, HEADER_BYTES + at * TRANSFER_BYTES) : [],
      ),
    );
    tables.hold();
  }

  get empty(): boolean {
    return this.#launch === undefined;
  }

  get readsOwnMemory(): boolean {
    return this.#launch !== undefined;
  }

  send(queue: StreamHandle): void {
    this.#block?.ready(queue);
    this.#launch?.run(queue);
    this.#block?.wasRead(queue);
  }

  /** A list that lies in device memory is uploaded ahead: a capture would read it anew at each run. */
  settle(): void {
    this.#block?.settle();
  }

  sendCaptured(queue: StreamHandle): void {
    this.#launch?.run(queue);
  }

  get launches(): readonly Launch[] | undefined {
    return this.#launch === undefined || this.#block !== undefined ? undefined : [this.#launch];
  }

  readdress(i: number, sourceAddress: number, targetAddress: number): void {
    writeAddresses(this.#fields[i] as readonly AddressField[], sourceAddress, targetAddress);
  }

  [Symbol.dispose](): void {
    this.#block?.[Symbol.dispose]();
    this.#nodes?.release();
    this.#tables.release();
  }
}

function transfersIn(move: Move, encoded: EncodedMove, binding: Binding, tuning: Tuning, alone: boolean) {
  return binding.length === 0 ? [] : transfersOf(move, encoded, binding, tuning, alone);
}

const POINTER_AND_LENGTH_BYTES = 12;

/** A launch, and what it reads from device memory. */
interface ReadyLaunch {
  readonly launch: Launch;
  readonly block?: ChangingBlock;
  readonly nodes?: PlanRoom;
}

function launchOf(device: DeviceState, chosen: ChosenLaunch, transfers: number): ReadyLaunch {
  const { variant, shape, block, builtIn } = chosen;
  const { space, planBytes, listBytes = 0 } = variant;
  const kernel =
    builtIn === undefined ? device.generic(variant) : device.specialised(chosen.key, variant, builtIn.distinct);
  const parameterBytes = space === "parameters" ? planBytes : listBytes + POINTER_AND_LENGTH_BYTES;
  const launch = kernel.launch(parameterBytes, { grid: { x: shape.blocks }, block: { x: shape.threads } });
  const own = new Uint8Array(launch.parameters.buffer);
  const point = (address: number, bytes: number): void => {
    launch.setWord(listBytes, address);
    launch.parameters.setUint32(listBytes + 8, bytes, true);
  };
  if (listBytes > 0) {
    own.set(block.list);
    const nodes = device.upload(block.nodes);
    point(nodes.address, block.nodes.byteLength);
    return { launch, nodes };
  }
  const whole = joined(block, transfers, builtIn !== undefined);
  if (space === "parameters") {
    own.set(whole);
    return { launch };
  }
  const there = new ChangingBlock(device, whole);
  point(there.address, whole.byteLength);
  return { launch, block: there };
}

/** The addresses in a transfer's record: see writeTransfer. */
function fieldsOf(transfer: Transfer, { source, target }: Binding, into: AddressField["into"], recordBytes: number) {
  const field = (side: "source" | "target", offset: number, written: number): AddressField => ({
    into,
    offsetBytes: recordBytes + offset,
    side,
    aheadBytes: written - originAddress(side === "source" ? source : target),
  });
  return [
    field("source", TRANSFER.source, transfer.source.baseBytes),
    field("target", TRANSFER.target, transfer.target.baseBytes),
    field("source", TRANSFER.readLow, transfer.readLow),
    field("source", TRANSFER.readHigh, transfer.readHigh),
  ];
}
