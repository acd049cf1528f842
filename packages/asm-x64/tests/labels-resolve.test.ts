import { expect, test } from "vitest";
import { Assembler, general, lineText, listing, mem, r9, rax, rdi, rip, rsi } from "../src/index.js";
import { assembleByGnu, hasGnuAs } from "./oracle.js";

function loop(): Assembler {
  const asm = new Assembler({ listing: true });
  const table = asm.label();
  const end = asm.label();
  asm.emit(general.lea, [r9, rip(table)]);
  const top = asm.here();
  asm.emit(general.movsxd_r64_m32, [rax, mem(r9, 4)]);
  asm.emit(general.add_rm64_imm8, [rdi, 8]);
  asm.emit(general.je_rel32, [end]);
  asm.emit(general.cmp_rm64_r64, [rdi, rsi]);
  asm.emit(general.jne_rel8, [top]);
  asm.bind(end);
  asm.emit(general.ret);
  asm.bind(table);
  return asm;
}

test.runIf(hasGnuAs)("jumps back and forward and rip-relative addresses are what GNU as makes of them", () => {
  const asm = loop();
  const lines = asm.lines().map((line) => {
    const text = lineText(line);
    // GNU as picks the short jump by itself; the forward one is spelt as we encode it.
    return text.startsWith("je ") ? text.replace("je", "{disp32} je") : text;
  });
  const source = [lines[0]!, ".L2:", ...lines.slice(1, 6), ".L1:", lines[6]!, ".L0:"];
  expect(Buffer.from(asm.finish()).toString("hex")).toBe(Buffer.from(assembleByGnu(source)).toString("hex"));
});

test("the listing names every label and instruction", () => {
  const text = listing(loop());
  expect(text).toContain(".L2:\n");
  expect(text).toMatch(/movsxd rax, dword ptr \[r9 \+ 4\]/);
});

test("a label that is never bound, bound twice, or too far for a short jump is an error", () => {
  const unbound = new Assembler();
  unbound.emit(general.jmp_rel32, [unbound.label()]);
  expect(() => unbound.finish()).toThrow("label 0: expected to be bound, got none");

  const twice = new Assembler();
  const label = twice.here();
  expect(() => twice.bind(label)).toThrow("expected to be bound once");

  const far = new Assembler();
  const end = far.label();
  far.emit(general.jmp_rel8, [end]);
  far.data(new Uint8Array(128));
  far.bind(end);
  expect(() => far.finish()).toThrow("short jump: expected a distance of -128 to 127 bytes, got 128");
});
