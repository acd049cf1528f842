import type { Buffer, Reduction } from "@stowage/backend-api";
import { printDatatypeText } from "@stowage/ir";
import type { Accumulation } from "@stowage/mpi-abi";
import { pack, unpack } from "../message/place/pack.js";
import type { Placed } from "../message/place/placed.js";
import type { Communicator } from "../communicator/communicator.js";
import type { BridgeType } from "../message/datatype/bridge-type.js";
import { moveOfOperation } from "../parts/reductions/move-of-operation.js";
import type { Context } from "../message/context.js";
import { combineLocally } from "./combine-locally.js";
import { exchangeBytes } from "../communicator/exchange-bytes.js";
import { KnownTypes } from "../message/datatype/known-types.js";
import type { Told } from "./operation.js";
import type { CheckedTarget } from "./target.js";

/** An operation of this epoch that waits for the fence: what its target is told, and what goes there or comes back. */
interface Pending {
  readonly told: Told;
  readonly packed: Uint8Array | undefined;
  readonly arriving: Placed | undefined;
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
const NONE: readonly Pending[] = [];

/**
 * Operations that travel packed, in an epoch between fences: both sides take part in a fence, so that each packs and
 * unpacks its own memory. The origin's bytes go with what they are; the target puts them where they belong.
 */
export class PackedEpoch implements Disposable {
  readonly #context: Context;
  readonly #comm: Communicator;
  readonly #memory: Buffer;
  readonly #originBytes: number;
  readonly #pending = new Map<number, Pending[]>();
  readonly #types: KnownTypes;

  constructor(context: Context, comm: Communicator, memory: Buffer, originBytes: number) {
    this.#context = context;
    this.#comm = comm;
    this.#memory = memory;
    this.#originBytes = originBytes;
    this.#types = new KnownTypes(context.types);
  }

  add(act: Told["act"], origin: Placed, target: CheckedTarget, op?: Accumulation): void {
    const { rank, atBytes, type, count } = target;
    const datatype = printDatatypeText(type.datatype);
    const told = { act, atBytes, count, datatype, sizeBytes: origin.sizeBytes, ...(op === undefined ? {} : { op }) };
    const packed = act === "get" ? undefined : packedOf(origin);
    if (act === "get") origin.type.hold();
    const list = this.#pending.get(rank) ?? [];
    list.push({ told, packed, arriving: act === "get" ? origin : undefined });
    this.#pending.set(rank, list);
  }

  /** Whether any rank has some, and whether any wants figures of both carriers. All ranks call it. */
  asked(wantsTerms: boolean): { readonly isUsed: boolean; readonly wantsTerms: boolean } {
    const most = new Int32Array(2);
    this.#comm.allreduce(Int32Array.of(this.#pending.size, Number(wantsTerms)), most, { op: "max" });
    return { isUsed: (most[0] as number) > 0, wantsTerms: most[1] === 1 };
  }

  /** Carries out what other ranks asked of this one's window, and ends what this one asked. All ranks call it. */
  carryOut(): void {
    const { size } = this.#comm;
    const lists = Array.from({ length: size }, (_, rank) => this.#pending.get(rank) ?? NONE);
    this.#pending.clear();
    const asked = exchangeBytes(this.#comm, lists.map(messageOf));
    const replies = asked.map((bytes) => this.#serve(bytes));
    const answers = exchangeBytes(this.#comm, replies);
    lists.forEach((list, rank) => receive(list, answers[rank] as Uint8Array));
  }

  /** All that one rank asked; the bytes that it gets back. */
  #serve(bytes: Uint8Array): readonly Uint8Array[] {
    if (bytes.length === 0) return [];
    const headerBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const told = JSON.parse(DECODER.decode(bytes.subarray(4, 4 + headerBytes))) as readonly Told[];
    let at = 4 + headerBytes;
    return told.flatMap((each) => {
      const type = this.#types.of(each.datatype);
      const span = { memory: this.#memory, originBytes: this.#originBytes + each.atBytes };
      const { count } = each;
      if (each.act === "get") {
        const packed = new Uint8Array(each.sizeBytes);
        pack(type, span, packed, { count }).wait();
        return [packed];
      }
      const arrived = bytes.slice(at, (at += each.sizeBytes));
      if (each.op === "no_op") return [];
      const reduction = this.#reductionOf(each.op, type);
      const put = reduction === undefined ? combineLocally(this.#context, each, type, span, arrived) : arrived;
      unpack(type, put, span, { count, ...reduction }).wait();
      return [];
    });
  }

  /** What an unpack into the window combines by itself: not pairs nor long doubles, and in memory of the host. */
  #reductionOf(op: Accumulation | undefined, type: BridgeType): Reduction | undefined {
    return op === undefined || this.#memory.kind === "device" ? undefined : moveOfOperation(op, type);
  }

  [Symbol.dispose](): void {
    this.#types[Symbol.dispose]();
  }
}

function packedOf({ type, buffer, originBytes, count, sizeBytes }: Placed): Uint8Array {
  const packed = new Uint8Array(sizeBytes);
  if (sizeBytes > 0) pack(type, { memory: buffer, originBytes }, packed, { count }).wait();
  return packed;
}

/** What it is, as text, behind its length; then the bytes. */
function messageOf(list: readonly Pending[]): readonly Uint8Array[] {
  if (list.length === 0) return [];
  const header = ENCODER.encode(JSON.stringify(list.map(({ told }) => told)));
  const length = new Uint8Array(Uint32Array.of(header.length).buffer);
  return [length, header, ...list.flatMap(({ packed }) => packed ?? [])];
}

function receive(list: readonly Pending[], answer: Uint8Array): void {
  let at = 0;
  for (const { arriving } of list) {
    if (arriving === undefined) continue;
    const { type, buffer, originBytes, count, sizeBytes } = arriving;
    const bytes = answer.slice(at, (at += sizeBytes));
    if (sizeBytes > 0) unpack(type, bytes, { memory: buffer, originBytes }, { count }).wait();
    type.release();
  }
}
