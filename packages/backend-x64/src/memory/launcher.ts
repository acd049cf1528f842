import { Assembler, general, mem, r12, rax, rbx, sse } from "@stowage/asm-x64";
import type { CodeArena } from "./executable.js";
import { functionAt } from "./function-at.js";
import { emitRecords, RECORD_NUMBERS } from "./launch-code.js";
import { koffi } from "./native.js";

/** Numbers of the mailbox before its own record: the address of the records to call, and how many there are. */
const HEADING_NUMBERS = 2;

/**
 * The one function of ours that JavaScript calls. An argument costs a call 12 ns, a store to memory that the code
 * reads costs 1: so the function takes none, and finds in a mailbox where the records are. It lives as long as the
 * thread of JavaScript does.
 */
export class Launcher {
  readonly #mailbox = new Float64Array(HEADING_NUMBERS + RECORD_NUMBERS);
  readonly #recordAddress: number;
  readonly #launch: () => void;

  constructor(arena: CodeArena) {
    const address = koffi().address(this.#mailbox);
    this.#recordAddress = Number(address) + 8 * HEADING_NUMBERS;
    this.#launch = functionAt<() => void>(arena.add(launchCode(address)).address, "void stowage_x64_launch()");
  }

  /** Calls code of the artifact signature. */
  call(code: number, source: number, target: number, count: number, first: number, length: number): void {
    const mailbox = this.#mailbox;
    mailbox[0] = this.#recordAddress;
    mailbox[1] = 1;
    mailbox[2] = code;
    mailbox[3] = source;
    mailbox[4] = target;
    mailbox[5] = count;
    mailbox[6] = first;
    mailbox[7] = length;
    this.#launch();
  }

  /** The same, of a record in an array. */
  callRecord(numbers: Float64Array): void {
    const mailbox = this.#mailbox;
    mailbox[0] = this.#recordAddress;
    mailbox[1] = 1;
    for (let i = 0; i < RECORD_NUMBERS; i++) mailbox[HEADING_NUMBERS + i] = numbers[i] as number;
    this.#launch();
  }

  /** Calls the code of `count` > 0 records at an address; they are the caller's to keep. */
  callAll(recordsAddress: number, count: number): void {
    this.#mailbox[0] = recordsAddress;
    this.#mailbox[1] = count;
    this.#launch();
  }
}

/** The call of every record that the mailbox names. */
function launchCode(mailbox: bigint): Uint8Array {
  const asm = new Assembler();
  for (const register of [rbx, r12, rax]) asm.emit(general.push_r64, [register]);
  asm.emit(general.mov_r64_imm64, [rax, mailbox]);
  asm.emit(sse.cvttsd2si, [rbx, mem(rax)]);
  asm.emit(sse.cvttsd2si, [r12, mem(rax, 8)]);
  emitRecords(asm);
  for (const register of [rax, r12, rbx]) asm.emit(general.pop_r64, [register]);
  asm.emit(general.ret);
  return asm.finish();
}
