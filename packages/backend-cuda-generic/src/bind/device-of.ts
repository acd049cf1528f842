import { BindingError, isAddressSpace, type Binding, type Buffer } from "@stowage/backend-api";

/** The one device whose memory the bindings name; 0 where all of it is the host's. */
export function deviceOf(bindings: readonly Binding[]): number {
  const moving = bindings.filter(({ length }) => length > 0);
  const buffers = moving.flatMap(({ source, target }) => [source.memory, target.memory].flatMap(buffersOf));
  const named = [...new Set(buffers.filter(({ kind }) => kind === "device").map(({ device }) => device ?? 0))];
  if (named.length > 1) throw new BindingError("devices of a plan", "one", named.sort((a, b) => a - b).join(" and "));
  return named[0] ?? buffers.find(({ device }) => device !== undefined)?.device ?? 0;
}

const buffersOf = (memory: Binding["source"]["memory"]): readonly Buffer[] =>
  isAddressSpace(memory) ? memory.regions.map(({ buffer }) => buffer) : [memory];
