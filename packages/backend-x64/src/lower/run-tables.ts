import { general, mem, type Register } from "@stowage/asm-x64";
import type { Emitter } from "./emitter.js";
import type { Table } from "./tables.js";

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
