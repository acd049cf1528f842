import { general, mem, type Register } from "@stowage/asm-x64";
import { integerTable, type Blocks, type IntegerTable } from "@stowage/ir";
import { MOST_IMMEDIATE } from "../widths.js";
import type { Emitter } from "./emitter.js";
import type { Table } from "./tables.js";

/** Packed start of each block of varying length, where the last one ends, and a byte more: where one that is not there would. */
export function packedStarts({ blocklengths, displacementsBytes, child }: Blocks): IntegerTable {
  const count = displacementsBytes.length;
  const wide = new Float64Array(count + 2);
  for (let i = 0; i < count; i++) {
    wide[i + 1] = (wide[i] as number) + (blocklengths === 1 ? 1 : (blocklengths[i] as number)) * child.sizeBytes;
  }
  wide[count + 1] = (wide[count] as number) + 1;
  return (wide[count + 1] as number) <= MOST_IMMEDIATE
    ? Int32Array.from(wide)
    : integerTable(count + 2, (i) => wide[i] as number);
}

/** register = table[index], the table's address in `base`. */
export function emitIndexed(
  e: Emitter,
  register: Register,
  table: Table,
  base: Register,
  index: Register,
  disp = 0,
): void {
  const address = mem(base, disp, index, table.entryBytes);
  e.emit(table.entryBytes === 4 ? general.movsxd_r64_m32 : general.mov_r64_rm64, register, address);
}
