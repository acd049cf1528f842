import { targetOf, type CellMemory, type OpenCell, type Peer, type Variant } from "@stowage/bench/peers";
import { lower, type Datatype } from "@stowage/ir";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the loops lie in a checkout; packages as published leave benchmarks out. */
const LOOPS = new URL("../../../backend-x64/bench/plain-c.mjs", import.meta.url);

/** What that file gives: a loop that gcc compiled for one workload, bound to memory. */
interface PlainC {
  readonly COMPILE: readonly string[];
  readonly PlainPlan: new (
    workload: string,
    datatype: Datatype,
    count: number,
    extentBytes: number,
    direction: "pack" | "unpack",
    source: Uint8Array,
    target: Uint8Array,
    sourceOriginBytes: number,
    targetOriginBytes: number,
  ) => { run(): void };
}

export const hasPlainC = (): boolean => existsSync(fileURLToPath(LOOPS));

/** Plain C loops, written by hand for each workload and compiled here. Throws one line where there is no compiler. */
export async function plainCPeer(): Promise<Peer> {
  const loops = (await import(LOOPS.href)) as PlainC;
  const name = `c${loops.COMPILE[0]}`;
  return {
    name,
    open: (cell) => open(name, loops, cell),
    create: () => null,
    [Symbol.dispose]: () => undefined,
  };
}

function open(name: string, loops: PlainC, cell: CellMemory): OpenCell {
  const plan = planOf(loops, cell);
  // A call costs it nothing but the call, in either mode.
  const variant =
    (compiled: { run(): void }) =>
    (mode: Variant["mode"]): Variant => ({ name, mode, target: targetOf(cell), run: () => compiled.run() });
  return {
    variants: plan === undefined ? [] : cell.modes.map(variant(plan)),
    refusals: plan === undefined ? ["not for every workload: a loop is written by hand for each"] : [],
    [Symbol.dispose]: () => undefined,
  };
}

/** The loop of a workload, bound to a cell's memory; undefined where nobody has written one. */
function planOf({ PlainPlan }: PlainC, cell: CellMemory): { run(): void } | undefined {
  const { subject, datatype, count, direction, scattered, packed, originBytes } = cell;
  if (subject.kind !== "workload") return undefined;
  const [workload = ""] = subject.name.split("@");
  const { extentBytes } = lower(datatype);
  try {
    return direction === "pack"
      ? new PlainPlan(workload, datatype, count, extentBytes, direction, scattered, packed, originBytes, 0)
      : new PlainPlan(workload, datatype, count, extentBytes, direction, packed, scattered, 0, originBytes);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("plain loop of ")) return undefined;
    throw error;
  }
}
