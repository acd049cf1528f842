import type { Reduction } from "@stowage/backend-api";
import type { Staging } from "../../message/place/staging.js";
import type { BridgeType } from "../../message/datatype/bridge-type.js";
import type { Context } from "../../message/context.js";
import { ElementAccumulator, PackedAccumulator, type Accumulator, type PackedMemory } from "./accumulator.js";
import type { Schedule } from "./schedule.js";
import { ElementStream } from "./element-stream.js";
import { basicNameOf } from "./move-of-operation.js";
import type { PartMessages } from "./part-messages.js";
import { evenParts, onePart, partsOf, segmentsOf, type StreamPart } from "./parts-of-stream.js";
import { prefixChain, type ChainJob } from "./prefix-chain.js";
import { reduceParts, type PartsJob } from "./reduce-parts.js";
import type { ReductionCall } from "./reduction-call.js";

/** A reduction whose elements are combined as they arrive. */
export function* arrivingReduction(
  context: Context,
  call: ReductionCall,
  move: Reduction,
  messages: PartMessages,
): Schedule {
  const { input, result } = call;
  const types = [input.type.hold(), ...(result === undefined ? [] : [result.type.hold()])];
  let isOver = false;
  try {
    yield* scheduleOf(context, call, move, messages);
    isOver = true;
  } finally {
    if (isOver) messages.release();
    else messages.giveUp();
    for (const type of types) type.release();
  }
}

/** Packed bytes lie where a device of either side reaches them, and the MPI. */
export const stagingOf = ({ staging }: Context, { input, result }: ReductionCall): Staging =>
  (input.device ?? result?.device)?.pinned ?? staging;

function scheduleOf(context: Context, call: ReductionCall, move: Reduction, messages: PartMessages): Schedule {
  const { name, input } = call;
  const packed = packedMemory(context, input.type, move, messages);
  if (name === "scan" || name === "exscan") return prefixChain(chainJob(call, move, messages, packed));
  const parts = dividedAmong(call, messages.size);
  return call.isInPlace && call.partsBytes !== undefined
    ? scatterInPlace(call, move, { messages, parts, packed })
    : reduceParts(partsJob(call, move, { messages, parts, packed }));
}

function chainJob(call: ReductionCall, move: Reduction, messages: PartMessages, packed: PackedMemory): ChainJob {
  const { name, input } = call;
  const result = new ElementStream(call.result ?? input, move);
  const isExclusive = name === "exscan";
  const own = isExclusive ? packedOf(call, move, packed, undefined) : accumulatorOf(call, move, packed, result);
  return { messages, sizeBytes: input.sizeBytes, own, before: isExclusive ? result : undefined };
}

interface Parts {
  readonly messages: PartMessages;
  readonly parts: readonly StreamPart[];
  readonly packed: PackedMemory;
}

function partsJob(call: ReductionCall, move: Reduction, { messages, parts, packed }: Parts): PartsJob {
  const { name, input, root } = call;
  const result = resultOf(call, move, parts, messages.rank);
  const own = result === undefined ? packedOf(call, move, packed, result) : accumulatorOf(call, move, packed, result);
  const readers = readersOf(name, root, messages.size);
  return { messages, parts, input: new ElementStream(input, move), own, readers, result };
}

/** Results lie where the input of other ranks does, which is sent until the end: they are put there behind it. */
function* scatterInPlace(call: ReductionCall, move: Reduction, { messages, parts, packed }: Parts): Schedule {
  const input = new ElementStream(call.input, move);
  const own = new PackedAccumulator(input, undefined, packed, Infinity);
  yield* reduceParts({ messages, parts, input, own, readers: [], result: undefined });
  const result = resultOf(call, move, parts, messages.rank) as ElementStream;
  own.putAll(segmentsOf(parts[messages.rank] as StreamPart), result);
}

/**
 * The part of the stream that each rank combines. The root of a reduction on two ranks combines all: parts would travel
 * twice.
 */
function dividedAmong({ name, input, root, partsBytes }: ReductionCall, size: number): readonly StreamPart[] {
  if (partsBytes !== undefined) return partsOf(partsBytes);
  return name === "reduce" && size === 2 ? onePart(input.sizeBytes, size, root) : evenParts(input.sizeBytes, size);
}

/** Where a rank's result is scattered: of ranks that have parts, its own part begins it. */
function resultOf({ result, partsBytes }: ReductionCall, move: Reduction, parts: readonly StreamPart[], rank: number) {
  const start = partsBytes === undefined ? 0 : (parts[rank] as StreamPart).first;
  return result && new ElementStream(result, move, start);
}

function readersOf(name: ReductionCall["name"], root: number, size: number): readonly number[] {
  if (name === "reduce") return [root];
  return name === "allreduce" ? Array.from({ length: size }, (_, rank) => rank) : [];
}

/** In place, elements are combined where they are; else packed bytes, which are scattered once. */
const accumulatorOf = (
  call: ReductionCall,
  move: Reduction,
  packed: PackedMemory,
  result: ElementStream,
): Accumulator => (call.isInPlace ? new ElementAccumulator(result, packed) : packedOf(call, move, packed, result));

const packedOf = (
  { input }: ReductionCall,
  move: Reduction,
  packed: PackedMemory,
  result: ElementStream | undefined,
): Accumulator => new PackedAccumulator(new ElementStream(input, move), result, packed);

/** Memory for packed elements of the basic type that a datatype is made of, which the host combines. */
function packedMemory({ types }: Context, type: BridgeType, move: Reduction, messages: PartMessages): PackedMemory {
  const basic = types.of(basicNameOf(type));
  return {
    take: (bytes) => messages.take(bytes),
    combine: (from, into, length) =>
      void basic.committed.unpack(from.bytes, into.bytes, { count: length / basic.sizeBytes, ...move }).wait(),
  };
}
