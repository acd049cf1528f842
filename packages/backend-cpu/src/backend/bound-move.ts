import {
  BindingError,
  HostBuffer,
  isAddressSpace,
  bufferOriginOf,
  type Binding,
  type Buffer,
  type Region,
  type Span,
} from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { HostMemory, regionOf } from "../machine/host-memory.js";
import { MoveMachine, type LoadedMove } from "./move-machine.js";

/** A move on its memory, as a plan runs it. */
export interface Bound {
  /** Takes other memory, count or range, which have been checked. False: it stays as it was. */
  rebind(binding: Binding): boolean;
  /** Throws a BindingError where a buffer has been detached or has shrunk since it was bound. */
  requireAttached(): void;
  run(): void;
}

/** With all that running it needs made beforehand: from its second run on it allocates nothing. */
export class BoundMove implements Bound {
  readonly #machine: MoveMachine;
  /** Whether each side is one buffer of JavaScript's, so that another can take its place. */
  readonly #isPlain: boolean;
  #buffers: Buffer[];
  #sourceOrigin: number;
  #targetOrigin: number;
  #count: number;
  #first: number;
  #length: number;

  /** The binding has been checked; throws a BindingError where memory has an address but no bytes. */
  constructor(loaded: LoadedMove, binding: Binding) {
    const { move } = loaded;
    const from = reachedBy("source", move.source, binding.source, binding);
    const to = reachedBy("target", move.target, binding.target, binding);
    this.#sourceOrigin = binding.source.originBytes;
    this.#targetOrigin = binding.target.originBytes;
    this.#count = binding.count;
    this.#first = binding.first;
    this.#length = binding.length;
    this.#machine = new MoveMachine(loaded, memoryOf(from), memoryOf(to));
    this.#isPlain = onlyBuffer(from) !== undefined && onlyBuffer(to) !== undefined;
    this.#buffers = [...from.regions, ...to.regions].map(({ buffer }) => buffer);
  }

  /** Without an allocation. */
  rebind({ source, target, count, first, length }: Binding): boolean {
    if (!this.#isPlain || !HostBuffer.is(source.memory) || !HostBuffer.is(target.memory)) return false;
    this.#machine.hold(source.memory, target.memory);
    this.#machine.views.clear();
    this.#buffers[0] = source.memory;
    this.#buffers[1] = target.memory;
    this.#sourceOrigin = source.originBytes;
    this.#targetOrigin = target.originBytes;
    this.#count = count;
    this.#first = first;
    this.#length = length;
    return true;
  }

  requireAttached(): void {
    for (let i = 0; i < this.#buffers.length; i++) requireAllOf(this.#buffers[i] as Buffer);
  }

  run(): void {
    this.#machine.seek(this.#count, this.#first, this.#sourceOrigin, this.#targetOrigin);
    this.#machine.views.rewind();
    this.#machine.mover.move(this.#length);
  }
}

/** Throws a BindingError where a buffer has been detached or has shrunk. */
export function requireAllOf(buffer: Buffer): void {
  if (hasAll(buffer)) return;
  const { bytes, sizeBytes } = buffer;
  const got = `${bytes?.byteLength ?? 0}: detached, or shrunk since`;
  throw new BindingError("bound memory", `a view of ${sizeBytes} bytes`, got);
}

/** Throws a BindingError where memory has an address but no bytes. */
export function requireBytes(subject: string, { bytes }: Buffer): Uint8Array {
  if (bytes !== undefined) return bytes;
  throw new BindingError(subject, "a view of its bytes", "an address alone");
}

interface Reached {
  readonly regions: readonly Region[];
  readonly holdsAll: boolean;
}

const onlyBuffer = ({ regions, holdsAll }: Reached): HostBuffer | undefined => {
  const [only] = regions;
  return holdsAll && only?.startBytes === 0 && HostBuffer.is(only.buffer) ? only.buffer : undefined;
};

function memoryOf(reached: Reached): HostMemory {
  const only = onlyBuffer(reached);
  if (only === undefined) return new HostMemory(reached.regions, reached.holdsAll);
  const memory = new HostMemory([]);
  memory.hold(regionOf(only));
  return memory;
}

/**
 * The regions that the range may reach: most often one that holds all of it, else those of the space that are there.
 */
function reachedBy(side: string, layout: Layout, span: Span, range: Binding): Reached {
  if (range.length === 0) return { regions: [], holdsAll: false };
  const held = bufferOriginOf(layout, span, range);
  const all = isAddressSpace(span.memory) ? span.memory.regions : [];
  const regions = held ? [{ startBytes: span.originBytes - held.originBytes, buffer: held.buffer }] : all;
  for (const { buffer } of regions) requireBytes(`memory of a ${side}`, buffer);
  return { regions: regions.filter(isAttached), holdsAll: held !== undefined };
}

const isAttached = ({ buffer }: Region): boolean => hasAll(buffer);

const hasAll = (buffer: Buffer): boolean =>
  HostBuffer.is(buffer) ? buffer.isAttached : (buffer.bytes?.length ?? 0) >= buffer.sizeBytes;
