import { struct, type Datatype } from "@stowage/ir";

/** Allocations of the benchmark start on cache lines. */
const LINE_BYTES = 64;

const roundUp = (bytes: number): number => Math.ceil(bytes / LINE_BYTES) * LINE_BYTES;

/** An array of the application: the bytes that its allocation needs, and what of it is moved. */
export interface Field {
  readonly allocatedBytes: number;
  readonly datatype: Datatype;
}

/**
 * One struct over arrays allocated one after another, relative to the first. `memoryOrder` lists the fields as
 * they lie in memory, which is not the order in which they are packed.
 */
export function structOverBuffers(fields: readonly Field[], memoryOrder: readonly number[]): Datatype {
  const displacementsBytes = new Array<number>(fields.length).fill(0);
  let nextBytes = 0;
  for (const index of memoryOrder) {
    displacementsBytes[index] = nextBytes;
    nextBytes += roundUp((fields[index] as Field).allocatedBytes);
  }
  const blocklengths = fields.map(() => 1);
  return struct(
    blocklengths,
    displacementsBytes,
    fields.map((field) => field.datatype),
  );
}
