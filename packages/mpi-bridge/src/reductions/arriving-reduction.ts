import type { Reduction } from "@stowage/backend-api";
import { isPredefinedName, signatureOf, type PredefinedName, type SignatureNode } from "@stowage/ir";
import type { Staging } from "../buffer/staging.js";
import type { BridgeType } from "../datatype/bridge-type.js";
import type { Context } from "../world/context.js";
import { ElementAccumulator, PackedAccumulator, type Accumulator, type PackedMemory } from "./accumulator.js";
import type { Course } from "./course.js";
import { ElementStream } from "./element-stream.js";
import type { PartMessages } from "./part-messages.js";
import { evenParts, partsOf, type StreamPart } from "./parts-of-stream.js";
import { prefixChain } from "./prefix-chain.js";
import { reduceParts } from "./reduce-parts.js";
import type { ReductionCall } from "./reduction-call.js";

/** A reduction whose elements are combined as they arrive. */
export function* arrivingReduction(
  context: Context,
  call: ReductionCall,
  move: Reduction,
  messages: PartMessages,
): Course {
  const { input, result } = call;
  const types = [input.type.hold(), ...(result === undefined ? [] : [result.type.hold()])];
  let isOver = false;
  try {
    yield* courseOf(context, call, move, messages);
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

function courseOf(context: Context, call: ReductionCall, move: Reduction, messages: PartMessages): Course {
  const { name, input } = call;
  const packed = packedMemory(context, input.type, move, messages);
  if (name !== "scan" && name !== "exscan") return reduceParts(partsJob(call, move, messages, packed));
  const result = new ElementStream(call.result ?? input, move);
  const before = name === "exscan" ? result : undefined;
  const own =
    before === undefined ? accumulatorOf(call, move, packed, result) : packedOf(call, move, packed, undefined);
  return prefixChain({ messages, sizeBytes: input.sizeBytes, own, before });
}

function partsJob(call: ReductionCall, move: Reduction, messages: PartMessages, packed: PackedMemory) {
  const { name, input, isInPlace, root, partsBytes } = call;
  const { rank, size } = messages;
  const parts = partsBytes === undefined ? evenParts(input.sizeBytes, size) : partsOf(partsBytes);
  const readers = readersOf(name, root, size);
  const result = call.result && new ElementStream(call.result, move, startOf(call, parts, rank));
  const own =
    partsBytes === undefined && result !== undefined
      ? accumulatorOf(call, move, packed, result)
      : packedOf(call, move, packed, result);
  const overwritesInput = isInPlace && partsBytes !== undefined;
  return { messages, parts, input: new ElementStream(input, move), own, readers, result, overwritesInput };
}

/** Where the result of a rank begins in the packed stream of all. */
const startOf = ({ partsBytes }: ReductionCall, parts: readonly StreamPart[], rank: number): number =>
  partsBytes === undefined ? 0 : (parts[rank] as StreamPart).first;

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
  const basic = types.of(basicNameOf(signatureOf(type.datatype).root));
  return {
    take: (bytes) => messages.take(bytes),
    combine: (from, into, length) =>
      void basic.committed.unpack(from.bytes, into.bytes, { count: length / basic.sizeBytes, ...move }).wait(),
  };
}

function basicNameOf(node: SignatureNode): PredefinedName {
  if (node.kind === "repeat") return basicNameOf(node.child);
  return node.kind === "basic" && isPredefinedName(node.name) ? node.name : "MPI_BYTE";
}
