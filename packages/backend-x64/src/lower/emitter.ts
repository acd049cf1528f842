import {
  Assembler,
  avx512,
  general,
  mem,
  r10,
  r11,
  r32d,
  r8,
  r9,
  rcx,
  rdi,
  rsi,
  rsp,
  type BasedMemory,
  type Label,
  type Register,
  type Row,
} from "@stowage/asm-x64";
import { dense, type LayoutNode } from "@stowage/ir";
import type { Tuning } from "../options.js";
import type { ClipKind } from "./clip-shared.js";
import type { Chunk } from "./chunks.js";
import type { Isa, Width } from "./isa.js";
import { Constants, firstBytes } from "./constants.js";
import type { MaskedWidth } from "./isa.js";
import type { Streaming } from "./streaming.js";
import { Tables } from "./tables.js";

/** Offsets from the zero of the current frame: on the scattered side, and on the packed side. */
export interface Place {
  readonly s: number;
  readonly p: number;
}

/** First bytes, in the frame, that no over-copy may touch: read on the scattered side, written on the packed side. */
export type Limits = Place;

export const at = (s: number, p: number): Place => ({ s, p });

// Registers that plain bodies leave alone; deeper nests than these count on the stack.
const COUNTERS: readonly Register[] = [rcx, r8, r9, r10];

const ANY_RUN: LayoutNode = dense(1);

/** The greatest number that an instruction carries as it is. */
export const MOST_IMMEDIATE = 0x7fffffff;

const fitsDisplacement = (offset: number): boolean => offset >= -0x7fffff00 && offset <= 0x7fffff00;

/** "runs": of blocks of varying length, from a known one on. */
export type RoutineKind = "loop" | "clip" | "whole" | "runs";
export interface Routine {
  readonly kind: RoutineKind;
  readonly node: LayoutNode;
  readonly label: Label;
  readonly streaming: Streaming | undefined;
}

/** Copies of a run-time length; `pastCache`: the lines inside a long one are stored past the cache. */
export interface CopyRoutines {
  readonly bytes: Label;
  readonly pastCache: Label;
}

/**
 * The state of one lowering. Two registers walk the two sides; they lag behind or run ahead of the frame's zero by
 * a drift known at compile time, which addresses fold into their displacement.
 */
export class Emitter {
  readonly asm: Assembler;
  readonly tables = new Tables();
  readonly constants = new Constants();
  scattered: Register;
  packed: Register;
  /** Added to every scattered address: a displacement out of a table. */
  index: Register | undefined;
  /** What the routine being written stores past the cache; undefined: nothing. */
  streaming: Streaming | undefined;
  driftS = 0;
  driftP = 0;
  #turn = 0;
  /** Of each node, few. */
  readonly #routines = new Map<LayoutNode, Routine[]>();
  readonly #pending: Routine[] = [];
  #copyRoutines: CopyRoutines | undefined;
  readonly #sharedClips = new Map<ClipKind, Label>();

  readonly isa: Isa;
  /** Whether every instruction is to be told. */
  readonly listing: boolean;
  readonly tuning: Tuning;
  readonly direction: "pack" | "unpack";

  constructor(isa: Isa, tuning: Tuning, direction: "pack" | "unpack", listing: boolean) {
    this.isa = isa;
    this.listing = listing;
    this.tuning = tuning;
    this.direction = direction;
    this.asm = new Assembler({ listing });
    this.scattered = direction === "pack" ? rdi : rsi;
    this.packed = direction === "pack" ? rsi : rdi;
  }

  /** The side that is written. */
  get target(): Register {
    return this.direction === "pack" ? this.packed : this.scattered;
  }

  emit(row: Row, ...operands: Parameters<Assembler["emit"]>[1] & unknown[]): void {
    this.asm.emit(row, operands);
  }

  scatteredAt(offset: number): BasedMemory {
    if (!fitsDisplacement(offset - this.driftS)) this.settleScattered(offset);
    return mem(this.scattered, offset - this.driftS, this.index);
  }

  packedAt(offset: number): BasedMemory {
    if (!fitsDisplacement(offset - this.driftP)) this.settlePacked(offset);
    return mem(this.packed, offset - this.driftP);
  }

  /** Moves the scattered register to an offset of the frame. */
  settleScattered(offset: number): void {
    this.addTo(this.scattered, offset - this.driftS);
    this.driftS = offset;
  }

  settlePacked(offset: number): void {
    this.addTo(this.packed, offset - this.driftP);
    this.driftP = offset;
  }

  settle({ s, p }: Place): void {
    this.settleScattered(s);
    this.settlePacked(p);
  }

  /** A new frame whose zero both registers stand on. */
  reframe(): void {
    this.driftS = 0;
    this.driftP = 0;
  }

  /**
   * `count` rounds of `body`, each in a frame of its own that lies `step` further. The counter is a register where
   * the body keeps it (`plain`), else a place on the stack.
   */
  repeat(count: number, step: Place, plain: boolean, body: () => void): void {
    const start = at(this.driftS, this.driftP);
    const counter = this.#openCounter(plain);
    this.#startCounter(counter, count);
    const top = this.asm.here();
    body();
    this.endRound(start, step);
    if (counter === undefined) this.emit(general.dec_rm64, mem(rsp));
    else this.emit(general.dec_rm64, counter);
    this.emit(general.jne_rel32, top);
    this.#closeCounter(counter);
    this.driftS = start.s + count * step.s;
    this.driftP = start.p + count * step.p;
  }

  /** Puts both registers where the next round expects them. */
  endRound(start: Place, step: Place): void {
    this.addTo(this.scattered, step.s + start.s - this.driftS);
    this.addTo(this.packed, step.p + start.p - this.driftP);
    this.driftS = start.s;
    this.driftP = start.p;
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

  /** One chunk of a block at `place`, in the direction of this lowering. */
  move({ offset, width, bytes }: Chunk, place: Place): void {
    const scattered = this.scatteredAt(place.s + offset);
    const packed = this.packedAt(place.p + offset);
    if (bytes === undefined) this.transfer(width, scattered, packed);
    else this.#transferFirst(bytes, width as MaskedWidth, scattered, packed);
  }

  /** Whether masks move exactly their bytes here. */
  get masks(): boolean {
    return this.isa.level === "avx512";
  }

  /** Whether a move of the first `bytes` bytes of a vector is at hand. */
  readonly masksFirst = (bytes: number): boolean =>
    this.masks &&
    this.tuning.maskedTails &&
    this.streamingWidth === undefined &&
    this.constants.mask(firstBytes(bytes)) !== undefined;

  #transferFirst(bytes: number, width: MaskedWidth, scattered: BasedMemory, packed: BasedMemory): void {
    const mask = this.#maskOf(firstBytes(bytes));
    const number = this.#turn++;
    const [from, to] = this.direction === "pack" ? [scattered, packed] : [packed, scattered];
    this.isa.loadMasked(this.asm, width, number, mask, from);
    this.isa.storeMasked(this.asm, width, number, mask, to);
  }

  /** Loads the first `bytes` bytes of a zmm register; no other byte is read. */
  loadFirst(bytes: number, register: Register, from: BasedMemory): void {
    if (bytes === 64) this.emit(avx512.vmovdqu64_zmm_load, register, from);
    else
      this.asm.emit(avx512.vmovdqu8_zmm_load, [register, from], {
        mask: this.#maskOf(firstBytes(bytes)),
        zeroing: true,
      });
  }

  /** Stores the bytes of a zmm register that a mask names. */
  storeMasked(mask: bigint, to: BasedMemory, register: Register): void {
    if (mask === firstBytes(64)) this.emit(avx512.vmovdqu64_zmm_store, to, register);
    else this.asm.emit(avx512.vmovdqu8_zmm_store, [to, register], { mask: this.#maskOf(mask) });
  }

  #maskOf(mask: bigint): Register {
    const register = this.constants.mask(mask);
    if (register === undefined) throw new RangeError("masks: expected a register for each, got none");
    return register;
  }

  /** One load and one store between the two sides, in the direction of this lowering. */
  transfer(width: Width, scattered: BasedMemory, packed: BasedMemory): void {
    const number = this.#turn++;
    this.isa.load(this.asm, width, number, this.direction === "pack" ? scattered : packed);
    const target = this.direction === "pack" ? packed : scattered;
    if (this.streamingWidth !== undefined) this.isa.stream(this.asm, width, number, target);
    else this.isa.store(this.asm, width, number, target);
  }

  /** Width of stores past the cache, where every run takes them; it divides each run and the target's address. */
  get streamingWidth(): 8 | 16 | 32 | undefined {
    return this.streaming?.what === "runs" ? this.streaming.width : undefined;
  }

  /** Whether assembled blocks are stored past the cache too: each store is then aligned to 32 bytes. */
  get streamsAssembled(): boolean {
    return this.streaming?.what === "runs" && this.streaming.assembled;
  }

  /** The widest move of a run. */
  get widest(): Width {
    return this.streamingWidth ?? this.isa.widest;
  }

  /** register += bytes, by the shortest instruction. Clobbers r11 past 32 bits. */
  addTo(register: Register, bytes: number): void {
    if (bytes === 0) return;
    if (bytes >= -128 && bytes <= 127) this.emit(general.add_rm64_imm8, register, bytes);
    else if (bytes === (bytes | 0)) this.emit(general.add_rm64_imm32, register, bytes);
    else {
      this.emit(general.mov_r64_imm64, r11, BigInt(bytes));
      this.emit(general.add_rm64_r64, register, r11);
    }
  }

  /** register = value, by the shortest instruction. */
  set(register: Register, value: number): void {
    if (value === 0) this.emit(general.xor_rm32_r32, low32(register), low32(register));
    else if (value > 0 && value <= 0xffffffff) this.emit(general.mov_r32_imm32, low32(register), value);
    else if (value === (value | 0)) this.emit(general.mov_rm64_imm32, register, value);
    else this.emit(general.mov_r64_imm64, register, BigInt(value));
  }

  /** register *= factor. Clobbers r11 past 32 bits. */
  multiply(register: Register, factor: number): void {
    if (factor === 1) return;
    const shift = Math.log2(factor);
    if (Number.isInteger(shift) && shift < 63) this.emit(general.shl_rm64_imm8, register, shift);
    else if (factor === (factor | 0)) this.emit(general.imul_r64_rm64_imm32, register, register, factor);
    else {
      this.emit(general.mov_r64_imm64, r11, BigInt(factor));
      this.emit(general.imul_r64_rm64, register, r11);
    }
  }

  /** The subroutine of a node; written once, when the queue of routines is drained. */
  routine(kind: RoutineKind, wanted: LayoutNode): Label {
    // A part of a run is found alike whatever its length.
    const node = kind === "clip" && wanted.kind === "dense" ? ANY_RUN : wanted;
    const { streaming } = this;
    const known = this.#routines.get(node) ?? [];
    const found = known.find((routine) => routine.kind === kind && routine.streaming === streaming);
    if (found !== undefined) return found.label;
    const routine = { kind, node, label: this.asm.label(), streaming };
    known.push(routine);
    this.#routines.set(node, known);
    this.#pending.push(routine);
    return routine.label;
  }

  nextRoutine(): Routine | undefined {
    return this.#pending.pop();
  }

  /** The code that finds parts of all nodes of a kind; written once, at the end. */
  sharedClip(kind: ClipKind): Label {
    const label = this.#sharedClips.get(kind) ?? this.asm.label();
    this.#sharedClips.set(kind, label);
    return label;
  }

  get sharedClips(): ReadonlyMap<ClipKind, Label> {
    return this.#sharedClips;
  }

  /** The copy of a run-time length: r10 = from, r11 = to, rcx = bytes. Keeps rdi, rsi, r8, r9. */
  copyBytes(): Label {
    this.#copyRoutines ??= { bytes: this.asm.label(), pastCache: this.asm.label() };
    const { bytes, pastCache } = this.#copyRoutines;
    return this.streaming?.what === "long runs" ? pastCache : bytes;
  }

  get copyRoutines(): CopyRoutines | undefined {
    return this.#copyRoutines;
  }
}

const low32 = ({ number }: Register): Register => r32d(number);
