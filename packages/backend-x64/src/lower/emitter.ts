import {
  general,
  mem,
  r10,
  r11,
  r8,
  r9,
  rcx,
  rdi,
  rsi,
  rsp,
  type Assembler,
  type BasedMemory,
  type Label,
  type Register,
  type Row,
} from "@stowage/asm-x64";
import type { LayoutNode } from "@stowage/ir";
import type { Chunk } from "../loops/chunks.js";
import { nonTemporalWidthOf, widestMoveOf, type LoopContext } from "../loops/loop-context.js";
import type { ModePlan } from "../loops/loop-plan.js";
import type { OutOfCache } from "../loops/plans.js";
import type { Tuning } from "../options.js";
import { fitsDisplacement, MOST_IMMEDIATE, type Width } from "../widths.js";
import { emitAdd, emitMultiply, emitSet } from "./arithmetic.js";
import type { Assembly } from "./assembly.js";
import type { Isa } from "./isa.js";
import type { RoutineKind, Routines } from "./routines.js";
import type { Tables } from "./tables.js";
import type { VectorParts } from "./vector-parts.js";

/** Offsets from the zero of the current frame: on the scattered side, and on the packed side. */
export interface Offsets {
  readonly s: number;
  readonly p: number;
}

/** Where a run lies. */
export interface RunPlace extends Offsets {
  /** Holds what else is added on the scattered side: a displacement out of a table. */
  readonly index?: Register;
}

/** First bytes, in the frame, that no over-copy may touch: read on the scattered side, written on the packed side. */
export type Limits = Offsets;

export const at = (s: number, p: number): Offsets => ({ s, p });

// Registers that plain bodies leave alone; deeper nests than these count on the stack.
const COUNTERS: readonly Register[] = [rcx, r8, r9, r10];

/**
 * Writes one routine, by the plans of one mode. Two registers walk the two sides; they point before or behind the
 * frame's zero, so far as is known at compile time, and addresses have that in their displacement.
 */
export class Emitter {
  readonly assembly: Assembly;
  readonly asm: Assembler;
  readonly tables: Tables;
  readonly routines: Routines;
  readonly parts: VectorParts;
  readonly isa: Isa;
  readonly plan: ModePlan;
  readonly direction: "pack" | "unpack";
  readonly scattered: Register;
  readonly packed: Register;
  /** The widest move of a run. */
  readonly widest: Width;
  /** Width of non-temporal stores, where every run takes them. */
  readonly nonTemporalWidth: 8 | 16 | 32 | undefined;
  /** Where in the frame the registers point. */
  #pointsAt: Offsets = at(0, 0);

  constructor(assembly: Assembly, plan: ModePlan) {
    this.assembly = assembly;
    ({ asm: this.asm, tables: this.tables, routines: this.routines, parts: this.parts, isa: this.isa } = assembly);
    this.plan = plan;
    const { context } = plan;
    this.direction = context.direction;
    this.scattered = context.direction === "pack" ? rdi : rsi;
    this.packed = context.direction === "pack" ? rsi : rdi;
    this.widest = widestMoveOf(context);
    this.nonTemporalWidth = nonTemporalWidthOf(context);
  }

  get context(): LoopContext {
    return this.plan.context;
  }

  get tuning(): Tuning {
    return this.context.tuning;
  }

  /** What the routine does for full packs that the caches do not hold; undefined: nothing. */
  get outOfCache(): OutOfCache | undefined {
    return this.context.outOfCache;
  }

  /** The side that is written. */
  get target(): Register {
    return this.direction === "pack" ? this.packed : this.scattered;
  }

  emit(row: Row, ...operands: Parameters<Assembler["emit"]>[1] & unknown[]): void {
    this.asm.emit(row, operands);
  }

  scatteredAt(offset: number, index?: Register): BasedMemory {
    if (!fitsDisplacement(offset - this.#pointsAt.s)) this.#settleScattered(offset);
    return mem(this.scattered, offset - this.#pointsAt.s, index);
  }

  packedAt(offset: number): BasedMemory {
    if (!fitsDisplacement(offset - this.#pointsAt.p)) this.settlePacked(offset);
    return mem(this.packed, offset - this.#pointsAt.p);
  }

  /** Moves the scattered register to an offset of the frame. */
  #settleScattered(offset: number): void {
    this.addTo(this.scattered, offset - this.#pointsAt.s);
    this.#pointsAt = at(offset, this.#pointsAt.p);
  }

  settlePacked(offset: number): void {
    this.addTo(this.packed, offset - this.#pointsAt.p);
    this.#pointsAt = at(this.#pointsAt.s, offset);
  }

  settle({ s, p }: Offsets): void {
    this.#settleScattered(s);
    this.settlePacked(p);
  }

  /** Says where in the frame the registers point once what was written last has moved them. */
  pointAt(offsets: Offsets): void {
    this.#pointsAt = offsets;
  }

  /** A new frame whose zero both registers point at. */
  reframe(): void {
    this.#pointsAt = at(0, 0);
  }

  /**
   * `count` rounds of `body`, each in a frame of its own that lies `step` further. The counter is a register where
   * the body keeps it (`plain`), else a word on the stack.
   */
  repeat(count: number, step: Offsets, plain: boolean, body: () => void): void {
    const start = this.#pointsAt;
    const counter = this.#openCounter(plain);
    this.#startCounter(counter, count);
    const top = this.asm.here();
    body();
    this.endRound(start, step);
    if (counter === undefined) this.emit(general.dec_rm64, mem(rsp));
    else this.emit(general.dec_rm64, counter);
    this.emit(general.jne_rel32, top);
    this.#closeCounter(counter);
    this.#pointsAt = at(start.s + count * step.s, start.p + count * step.p);
  }

  /** Puts both registers where the next round expects them. */
  endRound(start: Offsets, step: Offsets): void {
    this.addTo(this.scattered, step.s + start.s - this.#pointsAt.s);
    this.addTo(this.packed, step.p + start.p - this.#pointsAt.p);
    this.#pointsAt = start;
  }

  /** Runs `body` with its own counters: nothing outside keeps a register across it. */
  apart(body: () => void): void {
    const open = this.#open;
    this.#open = 0;
    body();
    this.#open = open;
  }

  /** A routine's own count, which it gets in rcx: there if the body keeps it (`plain`), else on the stack. */
  counted(plain: boolean, body: (counter: Register | BasedMemory) => void): void {
    const open = this.#open;
    this.#open = plain ? 1 : 0;
    if (!plain) this.emit(general.push_r64, rcx);
    body(plain ? rcx : mem(rsp));
    if (!plain) this.emit(general.lea, rsp, mem(rsp, 8));
    this.#open = open;
  }

  #open = 0;

  #openCounter(plain: boolean): Register | undefined {
    const counter = plain ? COUNTERS[this.#open] : undefined;
    if (counter !== undefined) this.#open++;
    return counter;
  }

  #startCounter(counter: Register | undefined, count: number): void {
    if (counter !== undefined) return this.set(counter, count);
    if (count <= MOST_IMMEDIATE) return this.emit(general.push_imm32, count);
    this.set(r11, count);
    this.emit(general.push_r64, r11);
  }

  #closeCounter(counter: Register | undefined): void {
    if (counter === undefined) this.emit(general.lea, rsp, mem(rsp, 8));
    else this.#open--;
  }

  /**
   * One chunk of a run, in the direction of this lowering. `heldMaskBytes`: of the mask that a register holds through a
   * loop.
   */
  move({ offset, width, bytes }: Chunk, place: RunPlace, heldMaskBytes?: number): void {
    const scattered = this.scatteredAt(place.s + offset, place.index);
    const packed = this.packedAt(place.p + offset);
    if (bytes === undefined) return this.transfer(width, scattered, packed);
    const [from, to] = this.direction === "pack" ? [scattered, packed] : [packed, scattered];
    this.parts.widen({ bytes, width, isHeld: bytes === heldMaskBytes }, this.assembly.nextRegister(), from, to);
  }

  /** One load and one store between the two sides, in the direction of this lowering. */
  transfer(width: Width, scattered: BasedMemory, packed: BasedMemory): void {
    const number = this.assembly.nextRegister();
    this.isa.load(this.asm, width, number, this.direction === "pack" ? scattered : packed);
    const target = this.direction === "pack" ? packed : scattered;
    if (this.nonTemporalWidth !== undefined) this.isa.storeNonTemporal(this.asm, width, number, target);
    else this.isa.store(this.asm, width, number, target);
  }

  /** register += bytes. Clobbers r11 past 32 bits. */
  addTo(register: Register, bytes: number): void {
    emitAdd(this.asm, register, bytes);
  }

  /** register = value. */
  set(register: Register, value: number): void {
    emitSet(this.asm, register, value);
  }

  /** register *= factor. Clobbers r11 past 32 bits. */
  multiply(register: Register, factor: number): void {
    emitMultiply(this.asm, register, factor);
  }

  /** The subroutine of a node, in the same mode or another. */
  routine(kind: RoutineKind, node: LayoutNode, plan: ModePlan = this.plan): Label {
    return this.routines.of(kind, node, plan);
  }

  /** The copy of a run-time length: r10 = from, r11 = to, rcx = bytes. Keeps rdi, rsi, r8, r9. */
  copyBytes(): Label {
    const { bytes, nonTemporal } = this.routines.copies();
    return this.outOfCache?.what === "long runs" ? nonTemporal : bytes;
  }
}
