import { hostMemory, isAddressSpace, requireMemory, type Memory, type Span } from "@stowage/backend-api";
import { isDatatype, quoted } from "@stowage/ir";
import { BridgeError } from "../errors.js";
import { AN_OBJECT, ANYTHING, givenOptions, oneOf, rulesOf } from "../option-rules.js";
import { MOST_DIMENSIONS } from "./halo-agreement.js";
import { CARRIAGES, DEFAULT_ELEMENT, type Halo, type HaloCarriage, type HaloOptions } from "./halo-options.js";
import { processGrid } from "./process-grid.js";

const wrong = (what: string, expected: string, got: string): BridgeError =>
  new BridgeError(`halo exchange: ${what}`, expected, got);

const HALO_OPTIONS = rulesOf<HaloOptions>({
  array: { ...AN_OBJECT, expected: "an object of memory and sizes" },
  radius: ANYTHING,
  periodic: ANYTHING,
  grid: ANYTHING,
  exchange: oneOf(...CARRIAGES),
  engine: ANYTHING,
  queue: ANYTHING,
  pinned: ANYTHING,
});

/** Options as one rank gives them. Throws a BridgeError, a BindingError. */
export function readHalo(options: HaloOptions, ranks: number): Halo {
  const given = givenOptions(options, HALO_OPTIONS, "halo exchange");
  const { array, radius, periodic = [], grid, exchange = "persistent" } = given;
  if ((array as HaloOptions["array"] | undefined) === undefined)
    throw wrong("array", "an object of memory and sizes", "none");
  const { memory, sizes, element = DEFAULT_ELEMENT } = array;
  if (!isListOf(sizes, isNatural) || sizes.length < 1 || sizes.length > MOST_DIMENSIONS)
    throw wrong("sizes", `1 to ${MOST_DIMENSIONS} numbers of points`, quoted(sizes));
  if (!isDatatype(element)) throw wrong("element", "a datatype", quoted(element));
  const widths = typeof radius === "number" ? sizes.map(() => radius) : radius;
  if (!isListOf(widths, isNatural) || widths.length !== sizes.length)
    throw wrong("radius", `an integer of 0 or more, or ${sizes.length} of them`, quoted(radius));
  sizes.forEach((size, k) => {
    const least = 3 * (widths[k] as number);
    if (size < least)
      throw wrong(`points along dimension ${k}`, `${least} or more, ghosts of both sides included`, String(size));
  });
  if (!isListOf(periodic, (each) => typeof each === "boolean"))
    throw wrong("periodic", "a list of booleans", quoted(periodic));
  const shape = grid ?? processGrid(ranks, sizes.length);
  if (!isListOf(shape, isNatural) || shape.length !== sizes.length || shape.reduce((a, b) => a * b, 1) !== ranks)
    throw wrong("grid", `${sizes.length} numbers of ranks, ${ranks} together`, quoted(grid));
  const span = spanOf(memory);
  requireMemoryFor(exchange, span.memory, options);
  const rings = sizes.map((_, k) => periodic[k] === true);
  return { span, sizes, radius: widths, periodic: rings, grid: shape, exchange, element };
}

/** Packed regions of a device's array must lie where the device and MPI both reach them. */
function requireMemoryFor(exchange: HaloCarriage, memory: Memory, { pinned }: HaloOptions): void {
  if (isAddressSpace(memory)) throw wrong("memory", "one buffer", "an address space of several");
  if (exchange === "ipc" || exchange === "nccl") {
    if (memory.kind === "device" && memory.address !== undefined) return;
    throw wrong("memory", `a GPU's, for exchange ${exchange}`, `${memory.kind} memory`);
  }
  if (exchange === "auto") return;
  if (memory.kind !== "host" && typeof pinned !== "function")
    throw wrong("pinned", `a function that gives pinned memory, for an array in ${memory.kind} memory`, quoted(pinned));
}

const isNatural = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isListOf<Entry>(value: readonly Entry[], allows: (entry: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(allows);
}

function spanOf(given: HaloOptions["array"]["memory"]): Span {
  if (ArrayBuffer.isView(given) || given instanceof ArrayBuffer || given instanceof SharedArrayBuffer)
    return { memory: hostMemory(given), originBytes: 0 };
  if (typeof given === "object" && (given as object | null) !== null && "originBytes" in given) return given;
  return { memory: requireMemory(given as Memory, "halo exchange: memory"), originBytes: 0 };
}
