import { BindingError, isAddressSpace, type Binding, type Buffer, type Memory } from "@stowage/backend-api";

const buffersOf = (memory: Memory): readonly Buffer[] =>
  isAddressSpace(memory) ? memory.regions.map(({ buffer }) => buffer) : [memory];

/** The buffers of bindings that move bytes. */
const movingBuffers = (bindings: readonly Binding[]): readonly Buffer[] =>
  bindings
    .filter(({ length }) => length > 0)
    .flatMap(({ source, target }) => [source.memory, target.memory].flatMap(buffersOf));

/**
 * The ordinal of the one device whose memory the bindings name; 0 where all of it is the host's. Throws a BindingError
 * where there are two.
 */
export function soleDeviceOf(bindings: readonly Binding[]): number {
  const buffers = movingBuffers(bindings);
  const named = [...new Set(buffers.filter(({ kind }) => kind === "device").map(({ device }) => device ?? 0))];
  if (named.length > 1) throw new BindingError("devices of a plan", "one", named.sort((a, b) => a - b).join(" and "));
  return named[0] ?? buffers.find(({ device }) => device !== undefined)?.device ?? 0;
}

/**
 * The device of a move between two that a kernel runs on: it pushes its own bytes to the peer ("source"), or pulls the
 * peer's ("target").
 */
export type RunsOn = "source" | "target";

/**
 * The ordinals of the devices whose memory the bindings name, the one that a kernel runs on first; device 0 where all
 * of it is the host's.
 */
export function devicesOf(
  bindings: readonly Binding[],
  runsOn: RunsOn = "source",
): readonly [own: number, ...others: number[]] {
  const inOrder = movingBuffers(bindings);
  const buffers = runsOn === "source" ? inOrder : inOrder.toReversed();
  const named = new Set(buffers.filter(({ kind }) => kind === "device").map(({ device }) => device ?? 0));
  const [own, ...others] = named;
  return own === undefined ? [soleDeviceOf(bindings)] : [own, ...others];
}
