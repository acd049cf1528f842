import { Assembler, general, mem, r11, r12, rax, rbx, sse } from "@stowage/asm-x64";
import { koffi, RECORD_NUMBERS, type Launcher } from "@stowage/host-plans";
import type { CodeArena } from "./executable.js";
import { functionAt } from "./function-at.js";
import { emitRecord, emitRecords } from "./launch-code.js";

/** Numbers of the mailbox behind its record: the address of other records, and how many there are. */
const TAIL_NUMBERS = 2;

/**
 * What of ours JavaScript calls: one function for one record, and one for many. An argument costs a call 12 ns, a store
 * to memory that the code reads costs 1: so they take none, and find in a mailbox what to call. It lives as long as the
 * thread of JavaScript does.
 */
export class X64Launcher implements Launcher {
  /** What launch() calls, for its caller to write: code of the artifact signature, and its arguments. */
  readonly record = new Float64Array(RECORD_NUMBERS + TAIL_NUMBERS);
  readonly #launch: () => void;
  readonly #launchAll: () => void;

  constructor(arena: CodeArena) {
    const address = koffi().address(this.record);
    this.#launch = functionAt<() => void>(arena.add(launchCode(address)).address, "void stowage_x64_launch()");
    this.#launchAll = functionAt<() => void>(
      arena.add(launchAllCode(address)).address,
      "void stowage_x64_launch_all()",
    );
  }

  /** Calls the record. */
  launch(): void {
    this.#launch();
  }

  /** Calls the code of `count` > 0 records at an address; they are the caller's to keep. */
  callAll(recordsAddress: number, count: number): void {
    this.record[RECORD_NUMBERS] = recordsAddress;
    this.record[RECORD_NUMBERS + 1] = count;
    this.#launchAll();
  }
}

/** Goes on as the code of the mailbox's record. */
function launchCode(mailbox: bigint): Uint8Array {
  const asm = new Assembler();
  asm.emit(general.mov_r64_imm64, [r11, mailbox]);
  emitRecord(asm, r11);
  asm.emit(general.jmp_rm64, [rax]);
  return asm.finish();
}

/** The call of every record that the mailbox names. */
function launchAllCode(mailbox: bigint): Uint8Array {
  const asm = new Assembler();
  for (const register of [rbx, r12, rax]) asm.emit(general.push_r64, [register]);
  asm.emit(general.mov_r64_imm64, [rax, mailbox]);
  asm.emit(sse.cvttsd2si, [rbx, mem(rax, 8 * RECORD_NUMBERS)]);
  asm.emit(sse.cvttsd2si, [r12, mem(rax, 8 * (RECORD_NUMBERS + 1))]);
  emitRecords(asm);
  for (const register of [rax, r12, rbx]) asm.emit(general.pop_r64, [register]);
  asm.emit(general.ret);
  return asm.finish();
}
