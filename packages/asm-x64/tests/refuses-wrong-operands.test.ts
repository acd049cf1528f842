import { expect, test } from "vitest";
import { Assembler, avx, avx512, general, k, mem, rax, rdi, register, rsp, xmm, ymm, zmm } from "../src/index.js";

const emit =
  (...args: Parameters<Assembler["emit"]>) =>
  (): void =>
    new Assembler().emit(...args);

test("operands that the row cannot encode are refused by name", () => {
  expect(emit(general.mov_rm64_r64, [rax])).toThrow("MOV r/m64, r64: expected 2 operands, got 1");
  expect(emit(general.add_rm64_imm8, [rax, 256])).toThrow("expected operand 2 of that form, got 256");
  expect(emit(general.cmp_rm64_imm8, [rax, 128])).toThrow("expected operand 2 of that form, got 128");
  expect(emit(avx.vmovdqu_ymm_load, [xmm(0), mem(rdi)])).toThrow("expected operand 1 of that form, got xmm 0");
  expect(emit(avx.vmovdqu_ymm_load, [ymm(16), mem(rdi)])).toThrow("got ymm 16");
  expect(emit(general.mov_m8_r8, [register("r8", 0), register("r8", 1)])).toThrow("expected operand 1 of that form");
  expect(emit(avx.vmovdqu_ymm_load, [ymm(0), mem(rdi)], { mask: k(1) })).toThrow("expected a mask");
  expect(emit(avx512.vmovdqu8_zmm_store, [mem(rdi), zmm(0)], { mask: k(1), zeroing: true })).toThrow("expected a mask");
});

test("addresses and registers that do not exist are refused", () => {
  expect(() => mem(rax, 2 ** 31)).toThrow("displacement: expected a signed 32-bit integer");
  expect(() => mem(rax, 0, rsp)).toThrow("index register: expected any but rsp");
  expect(() => register("k", 8)).toThrow("register: expected k 0 to 7, got 8");
});
