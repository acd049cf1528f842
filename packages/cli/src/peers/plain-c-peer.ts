import { PLAIN_C, plainLoop } from "@stowage/bench/plain-c";
import { targetOf, type CellMemory, type OpenCell, type Peer, type Variant } from "@stowage/bench/peers";
import { lower } from "@stowage/ir";

/** Plain C loops, written by hand for each workload and compiled here. Throws one line where there is no compiler. */
export const plainCPeer = (): Peer => ({
  name: PLAIN_C,
  open,
  create: () => null,
  [Symbol.dispose]: () => undefined,
});

function open(cell: CellMemory): OpenCell {
  const loop = loopOf(cell);
  // A call costs it nothing but the call, in either mode.
  const variant =
    (compiled: { run(): unknown }) =>
    (mode: Variant["mode"]): Variant => ({
      name: PLAIN_C,
      mode,
      target: targetOf(cell),
      run: () => void compiled.run(),
    });
  return {
    variants: loop === undefined ? [] : cell.modes.map(variant(loop)),
    refusals: loop === undefined ? ["not for every workload: a loop is written by hand for each"] : [],
    [Symbol.dispose]: () => undefined,
  };
}

/** The loop of a workload, bound to a cell's memory; undefined where nobody has written one. */
function loopOf(cell: CellMemory): { run(): unknown } | undefined {
  const { subject, datatype, count, direction, scattered, packed, originBytes } = cell;
  if (subject.kind !== "workload") return undefined;
  const [workload = ""] = subject.name.split("@");
  const [elements, stream] = [
    { bytes: scattered, originBytes },
    { bytes: packed, originBytes: 0 },
  ] as const;
  const [source, target] = direction === "pack" ? [elements, stream] : [stream, elements];
  try {
    return plainLoop(
      workload,
      datatype,
      { count, extentBytes: lower(datatype).extentBytes, direction },
      source,
      target,
    );
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("plain loop of ")) return undefined;
    throw error;
  }
}
