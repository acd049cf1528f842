import { integerTable, type Blocks, type IntegerTable } from "@stowage/ir";

/** Packed start of each block of varying length, and one past the last. */
export function packedStarts({ blocklengths, displacementsBytes, child }: Blocks): IntegerTable {
  const count = displacementsBytes.length;
  const wide = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) {
    wide[i + 1] = (wide[i] as number) + (blocklengths === 1 ? 1 : (blocklengths[i] as number)) * child.sizeBytes;
  }
  return (wide[count] as number) <= 0x7fffffff ? Int32Array.from(wide) : integerTable(count + 1, (i) => wide[i] as number);
}

/** Whether every block is one contiguous run. */
export const isRuns = ({ child, strideBytes }: Blocks): boolean => child.kind === "dense" && child.lengthBytes === strideBytes;
