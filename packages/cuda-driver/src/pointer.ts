import type { Libcuda } from "./calls.js";
import { check } from "./check.js";
import type { ContextHandle } from "./context-handle.js";

/** What the driver knows of an address (cuPointerGetAttributes). */
export interface PointerFacts {
  /** The kind of memory; "host" is pageable. */
  readonly kind: "host" | "pinned" | "device" | "managed";
  /** The ordinal of the device that owns it, or that it was pinned through; absent for pageable host memory. */
  readonly device?: number;
  /** The first byte of the allocation that the address lies in; absent where the driver does not tell. */
  readonly startAddress?: number;
  /** The bytes of that allocation; absent where the driver does not tell. */
  readonly sizeBytes?: number;
}

// CUpointer_attribute, cuda.h 13.0: memory type, is managed, device ordinal, range start, range size.
const ATTRIBUTES = Int32Array.of(2, 8, 9, 11, 12);
const HOST = 1n;

/**
 * What one call writes, for the one thread that JavaScript has; and the addresses of its parts, which the call takes.
 */
interface Answer {
  readonly facts: BigUint64Array;
  readonly places: BigUint64Array;
}

const answers = new WeakMap<Libcuda, Answer>();

/**
 * Says which memory an address lies in, by one call of the driver. An address that is unknown to the driver is pageable
 * host memory.
 */
export function describePointer(context: ContextHandle, address: number): PointerFacts {
  const { libcuda } = context;
  const { facts, places } = answerOf(libcuda);
  facts.fill(0n);
  context.enter();
  const result = libcuda.cuPointerGetAttributes(ATTRIBUTES.length, ATTRIBUTES, places, address);
  check(libcuda, "cuPointerGetAttributes", result);
  const [type, managed, device, startAddress, sizeBytes] = facts;
  // The driver leaves every fact of an address that it does not know 0.
  if (type === 0n) return { kind: "host" };
  const range = sizeBytes === 0n ? {} : { startAddress: Number(startAddress), sizeBytes: Number(sizeBytes) };
  return { kind: managed === 1n ? "managed" : type === HOST ? "pinned" : "device", device: Number(device), ...range };
}

function answerOf(libcuda: Libcuda): Answer {
  const known = answers.get(libcuda);
  if (known !== undefined) return known;
  const facts = new BigUint64Array(ATTRIBUTES.length);
  const start = libcuda.addressOf(facts);
  const places = BigUint64Array.from(facts, (_, i) => BigInt(start + i * 8));
  const answer = { facts, places };
  answers.set(libcuda, answer);
  return answer;
}
