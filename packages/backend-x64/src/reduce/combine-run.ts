import {
  avx,
  general,
  mem,
  r8,
  r9,
  rax,
  rdi,
  register,
  rsi,
  sse,
  xmm,
  type Assembler,
  type BasedMemory,
  type Register,
  type Row,
} from "@stowage/asm-x64";
import { ELEMENTS, type Operation, type Reduction } from "@stowage/backend-api";
import type { FeatureLevel } from "../feature-level.js";
import { DWORD_BYTES } from "../widths.js";
import type { Combination, ReducePlan } from "./reduce-plan.js";
import { vectorsOf, type Vectors } from "./vector-recipes.js";

/** Vectors of what arrives are the first, those of what is there come after them; these are scratch. */
const SCRATCH = [8, 9] as const;

/**
 * Combines r8 bytes of elements at rdi with those at rsi, in order, and stores at rsi: r8 is whole elements. Vectors
 * four at a time, then one, then elements. Leaves both registers behind what was combined; clobbers rax, r9 and
 * vectors.
 */
export function emitCombineRun(asm: Assembler, { reduction, combination }: ReducePlan, level: FeatureLevel): void {
  const { sizeBytes } = ELEMENTS[reduction.element];
  const { plan } = combination;
  if (plan.what === "elements") emitLoop(asm, sizeBytes, () => emitScalar(asm, reduction));
  else {
    const vectors = vectorsOf(asm, level);
    for (const count of [plan.together, 1])
      emitLoop(asm, count * vectors.widthBytes, () => emitVectors(asm, vectors, plan, count));
    emitLoop(asm, sizeBytes, () => emitElement(asm, vectors, plan, sizeBytes));
  }
  asm.emit(general.ret);
}

/** As often as r8 holds so many bytes. */
function emitLoop(asm: Assembler, stepBytes: number, body: () => void): void {
  const [end, top] = [asm.label(), asm.label()];
  asm.emit(general.sub_rm64_imm32, [r8, stepBytes]);
  asm.emit(general.jl_rel32, [end]);
  asm.bind(top);
  body();
  asm.emit(general.add_rm64_imm32, [rdi, stepBytes]);
  asm.emit(general.add_rm64_imm32, [rsi, stepBytes]);
  asm.emit(general.sub_rm64_imm32, [r8, stepBytes]);
  asm.emit(general.jge_rel32, [top]);
  asm.bind(end);
  asm.emit(general.add_rm64_imm32, [r8, stepBytes]);
}

type ByVectors = Extract<Combination, { what: "vectors" }>;

function emitVectors(asm: Assembler, v: Vectors, { recipe, together }: ByVectors, count: number): void {
  const [load, store] = v.hasAvx2 ? [avx.vmovdqu_ymm_load, avx.vmovdqu_ymm_store] : [sse.movups_load, sse.movups_store];
  const each = (visit: (i: number, offset: number) => void): void => {
    for (let i = 0; i < count; i++) visit(i, i * v.widthBytes);
  };
  each((i, offset) => asm.emit(load, [v.register(i), mem(rdi, offset)]));
  each((i, offset) => asm.emit(load, [v.register(together + i), mem(rsi, offset)]));
  each((i) => recipe(v, i, together + i, SCRATCH));
  each((i, offset) => asm.emit(store, [mem(rsi, offset), v.register(i)]));
}

/** One element by the vectors' own instructions: what other lanes come to goes nowhere. */
function emitElement(asm: Assembler, v: Vectors, { recipe, together }: ByVectors, sizeBytes: number): void {
  emitElementLoad(asm, v, 0, sizeBytes, mem(rdi));
  emitElementLoad(asm, v, together, sizeBytes, mem(rsi));
  recipe(v, 0, together, SCRATCH);
  emitElementStore(asm, v, sizeBytes);
}

const MOVES = {
  4: [sse.movd_load, sse.movd_store, avx.vmovd_load, avx.vmovd_store],
  8: [sse.movq_load, sse.movq_store, avx.vmovq_load, avx.vmovq_store],
  16: [sse.movups_load, sse.movups_store, avx.vmovdqu_xmm_load, avx.vmovdqu_xmm_store],
} as const satisfies Record<number, readonly Row[]>;

const isShort = (sizeBytes: number): boolean => sizeBytes < DWORD_BYTES;
const movesOf = (v: Vectors, sizeBytes: number): readonly [Row, Row] => {
  const [load, store, wideLoad, wideStore] = MOVES[Math.max(DWORD_BYTES, sizeBytes) as keyof typeof MOVES];
  return v.hasAvx2 ? [wideLoad, wideStore] : [load, store];
};

const eax = register("r32", 0);

function emitElementLoad(asm: Assembler, v: Vectors, to: number, sizeBytes: number, from: BasedMemory): void {
  if (isShort(sizeBytes)) asm.emit(sizeBytes === 1 ? general.movzx_r32_m8 : general.movzx_r32_m16, [eax, from]);
  asm.emit(movesOf(v, sizeBytes)[0], [xmm(to), isShort(sizeBytes) ? eax : from]);
}

function emitElementStore(asm: Assembler, v: Vectors, sizeBytes: number): void {
  asm.emit(movesOf(v, sizeBytes)[1], [isShort(sizeBytes) ? eax : mem(rsi), xmm(0)]);
  if (isShort(sizeBytes)) emitStore(asm, sizeBytes);
}

/** One element in general registers: what arrives in rax, what is there in r9. */
function emitScalar(asm: Assembler, { op, element }: Reduction): void {
  const { kind, sizeBytes } = ELEMENTS[element];
  const isSigned = kind === "signed";
  emitLoad(asm, rax, sizeBytes, isSigned, mem(rdi));
  emitLoad(asm, r9, sizeBytes, isSigned, mem(rsi));
  if (op === "MPI_PROD") asm.emit(general.imul_r64_rm64, [rax, r9]);
  else {
    asm.emit(general.cmp_rm64_r64, [rax, r9]);
    asm.emit(displacing(op, isSigned), [rax, r9]);
  }
  emitStore(asm, sizeBytes);
}

/** Takes what is there unless what arrives is greater (less). */
function displacing(op: Operation, isSigned: boolean): Row {
  if (op === "MPI_MAX") return isSigned ? general.cmovl_r64_rm64 : general.cmovb_r64_rm64;
  if (op === "MPI_MIN") return isSigned ? general.cmovg_r64_rm64 : general.cmova_r64_rm64;
  throw new TypeError(`element by element: expected MPI_PROD, MPI_MAX or MPI_MIN, got ${op}`);
}

function emitLoad(asm: Assembler, to: Register, sizeBytes: number, isSigned: boolean, from: BasedMemory): void {
  const low = register("r32", to.number);
  if (sizeBytes === 1) asm.emit(isSigned ? general.movsx_r64_m8 : general.movzx_r32_m8, [isSigned ? to : low, from]);
  else if (sizeBytes === 2)
    asm.emit(isSigned ? general.movsx_r64_m16 : general.movzx_r32_m16, [isSigned ? to : low, from]);
  else if (sizeBytes === 8) asm.emit(general.mov_r64_rm64, [to, from]);
  else asm.emit(isSigned ? general.movsxd_r64_m32 : general.mov_r32_rm32, [isSigned ? to : low, from]);
}

/** The low bytes of rax, to rsi. */
function emitStore(asm: Assembler, sizeBytes: number): void {
  const stores = { 1: general.mov_m8_r8, 2: general.mov_m16_r16, 4: general.mov_rm32_r32, 8: general.mov_rm64_r64 };
  const classes = { 1: "r8", 2: "r16", 4: "r32", 8: "r64" } as const;
  const bytes = sizeBytes as 1 | 2 | 4 | 8;
  asm.emit(stores[bytes], [mem(rsi), register(classes[bytes], 0)]);
}
