import { Assembler, general, mem, r11, r12, rax, rbx, sse } from "@stowage/asm-x64";
import { koffi, mailboxRecordAddress, type Launcher } from "@stowage/host-plans";
import type { CodeArena } from "./executable.js";
import { functionAt } from "./function-at.js";
import { emitRecord, emitRecords } from "./launch-code.js";

/**
 * What of ours JavaScript calls: one function for the record in the mailbox, and one for many records. It lives as long
 * as the thread of JavaScript does.
 */
export class X64Launcher implements Launcher {
  /** The address of the records of callAll, and how many there are. */
  readonly #many = new Float64Array(2);
  readonly #launch: () => void;
  readonly #launchAll: () => void;

  constructor(arena: CodeArena) {
    const [launch, launchAll] = [launchCode(mailboxRecordAddress()), launchAllCode(koffi().address(this.#many))];
    this.#launch = functionAt<() => void>(arena.add(launch).address, "void stowage_x64_launch()");
    this.#launchAll = functionAt<() => void>(arena.add(launchAll).address, "void stowage_x64_launch_all()");
  }

  /** Calls the record. */
  launch(): void {
    this.#launch();
  }

  /** Calls the code of `count` > 0 records at an address; they are the caller's to keep. */
  callAll(recordsAddress: number, count: number): void {
    this.#many[0] = recordsAddress;
    this.#many[1] = count;
    this.#launchAll();
  }
}

/** Goes on as the code of the mailbox's record. */
function launchCode(record: bigint): Uint8Array {
  const asm = new Assembler();
  asm.emit(general.mov_r64_imm64, [r11, record]);
  emitRecord(asm, r11);
  asm.emit(general.jmp_rm64, [rax]);
  return asm.finish();
}

/** The call of as many records as a second number says, from the address on that the first one is. */
function launchAllCode(many: bigint): Uint8Array {
  const asm = new Assembler();
  for (const register of [rbx, r12, rax]) asm.emit(general.push_r64, [register]);
  asm.emit(general.mov_r64_imm64, [rax, many]);
  asm.emit(sse.cvttsd2si, [rbx, mem(rax)]);
  asm.emit(sse.cvttsd2si, [r12, mem(rax, 8)]);
  emitRecords(asm);
  for (const register of [rax, r12, rbx]) asm.emit(general.pop_r64, [register]);
  asm.emit(general.ret);
  return asm.finish();
}
