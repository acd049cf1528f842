import { Assembler, general, mem, r8, r9, rax, rcx, rdi, rdx, rsi, rsp } from "@stowage/asm-x64";
import koffi from "koffi";
import { describe, expect, it } from "vitest";
import { executable } from "../../src/native/executable.js";
import { hasMachineCode, MachineLauncher, PlainLauncher, WrittenCall } from "../../src/native/launcher.js";

const ARGUMENTS = 10;

/** A C function of ten integers: each of them, and its place, is in the lower half of what it returns. */
function mixing(): Uint8Array {
  const asm = new Assembler();
  asm.emit(general.mov_r64_imm64, [rax, 0n]);
  for (const register of [rdi, rsi, rdx, rcx, r8, r9]) {
    asm.emit(general.imul_r64_rm64_imm32, [rax, rax, 31]);
    asm.emit(general.add_rm64_r64, [rax, register]);
  }
  for (let i = 0; i < ARGUMENTS - 6; i++) {
    asm.emit(general.imul_r64_rm64_imm32, [rax, rax, 31]);
    asm.emit(general.add_r64_rm64, [rax, mem(rsp, 8 * (1 + i))]);
  }
  asm.emit(general.ret);
  return asm.finish();
}

const mixed = (list: readonly number[]): number =>
  Number(
    BigInt.asIntN(
      32,
      list.reduce((sum, each) => sum * 31n + BigInt(each), 0n),
    ),
  );

const LISTS: readonly (readonly number[])[] = [
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  [-1, -2, -3, -4, -5, -6, -7, -8, -9, -10],
  [2 ** 32, 2 ** 31, -(2 ** 31), 2 ** 32 - 1, -(2 ** 32), 2 ** 47 - 4096, -(2 ** 52), 2 ** 53 - 1, 0x44000000, -1],
];

describe.skipIf(!hasMachineCode())(
  "a call that was written, one by a list and one by arguments are the same call",
  () => {
    const address = executable(mixing());
    const prototype = koffi.proto(
      `int stowage_mixing(${Array.from({ length: ARGUMENTS }, () => "int64_t").join(", ")})`,
    );
    const plain = koffi.decode(BigInt(address), prototype) as (...args: number[]) => number;
    const launchers = {
      "by machine code": new MachineLauncher(() => address),
      "through koffi": new PlainLauncher(() => plain),
    };

    it.each(Object.entries(launchers))("%s", (_, launcher) => {
      const entry = launcher.entryOf("any");
      const call = new WrittenCall();
      call.write(0, entry);
      for (const list of LISTS) {
        list.forEach((each, i) => call.write(1 + i, each));
        expect(list.map((__, i) => call.read(1 + i))).toEqual(list);
        expect(launcher.runList(entry, list)).toBe(mixed(list));
        expect(launcher.runWritten(call)).toBe(mixed(list));
        const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = list;
        launcher.runList(entry, LISTS[0] as readonly number[]);
        const eight = [a, b, c, d, e, f, g, h];
        // Machine code leaves the last two as they were; koffi wants as many as there are.
        if (launcher instanceof MachineLauncher)
          expect(launcher.run(entry, a, b, c, d, e, f, g, h)).toBe(mixed([...eight, 9, 10]));
      }
    });
  },
);
