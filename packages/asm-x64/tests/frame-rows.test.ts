import { expect, test } from "vitest";
import { Assembler, frameRows, general, mem, r12, rax, rbx, rcx, registerName, rip, rsp } from "../src/index.js";

/** Rows as texts: where from, how far the canonical frame address lies, what is saved how far below it. */
const textOf = (asm: Assembler): readonly string[] =>
  frameRows(asm).rows.map(({ offset, cfaBytes, saved }) => {
    const registers = saved.map(({ register, belowCfaBytes }) => ` ${registerName(register)}:${belowCfaBytes}`);
    return `${offset} ${cfaBytes}${registers.join("")}`;
  });

const listed = (): Assembler => new Assembler({ listing: true });

test("a register is saved by its push until its pop, and what was pushed since is counted", () => {
  const asm = listed();
  asm.emit(general.push_r64, [rbx]);
  asm.emit(general.push_r64, [rcx]);
  asm.emit(general.sub_rm64_imm32, [rsp, 256]);
  asm.emit(general.mov_rm64_imm32, [rbx, 1]);
  asm.emit(general.add_rm64_imm32, [rsp, 256]);
  asm.emit(general.lea, [rsp, mem(rsp, 8)]);
  asm.emit(general.pop_r64, [rbx]);
  asm.emit(general.ret);
  expect(textOf(asm)).toEqual([
    "0 8",
    "1 16 rbx:16",
    "2 24 rbx:16",
    "9 280 rbx:16",
    "23 24 rbx:16",
    "28 16 rbx:16",
    "29 8",
  ]);
  expect(frameRows(asm).endBytes).toBe(30);
});

test("a register that was changed before is not what the caller had, nor is a slot that was stored to", () => {
  const asm = listed();
  asm.emit(general.mov_rm64_imm32, [rbx, 1]);
  asm.emit(general.push_r64, [rbx]);
  asm.emit(general.push_r64, [r12]);
  asm.emit(general.dec_rm64, [mem(rsp)]);
  asm.emit(general.pop_r64, [rax]);
  asm.emit(general.pop_r64, [rbx]);
  asm.emit(general.ret);
  expect(textOf(asm)).toEqual(["0 8", "8 16", "10 24 r12:24", "14 24", "15 16", "16 8"]);
});

test("routines that are called, or named in words, begin with a frame of their own; loops and tails share one", () => {
  const asm = listed();
  const [called, named, tail] = [asm.label(), asm.label(), asm.label()];
  asm.emit(general.push_r64, [rcx]);
  const top = asm.here();
  asm.emit(general.call_rel32, [called]);
  asm.emit(general.dec_rm64, [mem(rsp)]);
  asm.emit(general.jne_rel32, [top]);
  asm.emit(general.pop_r64, [rcx]);
  asm.emit(general.jmp_rel32, [tail]);
  asm.bind(called);
  asm.emit(general.push_r64, [rbx]);
  asm.emit(general.pop_r64, [rbx]);
  asm.emit(general.ret);
  asm.bind(named);
  asm.emit(general.push_r64, [r12]);
  asm.emit(general.pop_r64, [r12]);
  asm.bind(tail);
  asm.emit(general.ret);
  asm.distance64(named);
  expect(textOf(asm)).toEqual(["0 8", "1 16", "17 8", "23 16 rbx:16", "24 8", "27 16 r12:16", "29 8"]);
});

test("what was assembled apart brings its routines along", () => {
  const part = listed();
  const routine = part.label();
  part.emit(general.ret);
  part.bind(routine);
  part.emit(general.push_r64, [rbx]);
  part.emit(general.pop_r64, [rbx]);
  part.emit(general.ret);
  part.distance64(routine);
  const asm = listed();
  const start = asm.label();
  asm.emit(general.jmp_rel32, [start]);
  asm.bind(start);
  asm.splice({ code: part.finish(), assembler: part });
  expect(textOf(asm)).toEqual(["0 8", "7 16 rbx:16", "8 8"]);
});

test("frames that no table can tell are errors", () => {
  const unknown = listed();
  unknown.emit(general.and_rm64_imm8, [rsp, -64]);
  expect(() => frameRows(unknown)).toThrow("rsp at 0: expected to be moved by a constant, got and");

  const uneven = listed();
  const end = uneven.label();
  uneven.emit(general.je_rel32, [end]);
  uneven.emit(general.push_r64, [rcx]);
  uneven.bind(end);
  uneven.emit(general.ret);
  expect(() => frameRows(uneven)).toThrow(/frame at 7: expected one size, got \d+ and \d+ bytes|end of a routine at 7/);

  const left = listed();
  left.emit(general.push_r64, [rcx]);
  left.emit(general.ret);
  expect(() => frameRows(left)).toThrow("end of a routine at 1: expected an empty frame, got 8 bytes");

  const taken = listed();
  taken.emit(general.pop_r64, [rcx]);
  expect(() => frameRows(taken)).toThrow("frame at 0: expected what was pushed to be taken off, got 8 bytes");
});

test("distances to places outside stay 0, and are told", () => {
  const asm = new Assembler();
  const [word, routine] = [asm.outside(), asm.outside()];
  asm.emit(general.cmp_rm32_imm8, [rip(word), 2]);
  asm.emit(general.call_rel32, [routine]);
  expect(Buffer.from(asm.finish()).toString("hex")).toBe("833d0000000002e800000000");
  expect(asm.outsideReferences()).toEqual([
    { label: word, offset: 2, from: 7 },
    { label: routine, offset: 8, from: 12 },
  ]);
});
