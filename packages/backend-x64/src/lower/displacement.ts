import { general, mem, rip, type Register } from "@stowage/asm-x64";
import type { Emitter } from "./emitter.js";
import type { Table } from "./tables.js";

/** register = address of entry `index` of the table (index × entryBytes further). Clobbers `index`. */
export function emitTableAddress(e: Emitter, register: Register, table: Table, index?: Register): void {
  e.emit(general.lea, register, rip(table.label));
  if (index !== undefined) e.emit(general.lea, register, mem(register, 0, index, table.entryBytes));
}

/** register = entry at `entry` entries past the address in `from`. */
export function emitEntry(e: Emitter, register: Register, table: Table, from: Register, entry: number): void {
  const address = mem(from, entry * table.entryBytes);
  e.emit(table.entryBytes === 4 ? general.movsxd_r64_m32 : general.mov_r64_rm64, register, address);
}
