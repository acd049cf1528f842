import koffi from "koffi";
import { describe, expect, test } from "vitest";
import { addressOf } from "../../src/peers/child/address-of.js";
import { hasNativeCalls, NativeCall } from "../../src/peers/native/native-call.js";

const libc = (symbol: string): number => Number(koffi.load("libc.so.6").symbol(symbol) as bigint);

describe.skipIf(!hasNativeCalls())("calls of C functions whose arguments wait in memory (x86-64 Linux only)", () => {
  test("give the function's result, as often as they are made", () => {
    const call = new NativeCall(libc("abs"), [-5 >>> 0], []);
    expect([call.run(), call.run()]).toEqual([5, 5]);
  });

  test("pass seven arguments in order, the last on the stack", () => {
    const text = new Uint8Array(64);
    const format = Buffer.from("%d %d %d %d\0");
    // snprintf(text, 64, format, 1, 2, 3, 4): seven in all.
    const args = [addressOf(text), 64, addressOf(format), 1, 2, 3, 4];
    expect(new NativeCall(libc("snprintf"), args, [text, format]).run()).toBe(7);
    expect(Buffer.from(text.subarray(0, 7)).toString()).toBe("1 2 3 4");
  });

  test("of which there are several do not disturb each other", () => {
    const [one, two] = [new NativeCall(libc("abs"), [1], []), new NativeCall(libc("abs"), [2], [])];
    expect([one.run(), two.run(), one.run()]).toEqual([1, 2, 1]);
  });

  test("hold the memory that they work on", () => {
    const memory = new Uint8Array(64);
    expect(new NativeCall(libc("abs"), [addressOf(memory)], [memory]).memories).toEqual([memory]);
  });

  test("refuse an eighth argument", () => {
    expect(() => new NativeCall(libc("abs"), [1, 2, 3, 4, 5, 6, 7, 8], [])).toThrow(/expected at most 7, got 8/);
  });
});
