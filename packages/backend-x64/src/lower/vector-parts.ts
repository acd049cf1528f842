import { avx, avx512, rip, xmm, ymm, type Assembler, type BasedMemory, type Register } from "@stowage/asm-x64";
import { ALL_BYTES, firstBytes, type Constants } from "../loops/facts/constants.js";
import { hasMasks } from "../loops/facts/vector-levels.js";
import type { Width } from "../widths.js";
import { dwordMask, maskRegister } from "./constants.js";
import type { Isa, MaskedWidth } from "./isa.js";
import type { Tables } from "./tables.js";

/** The vector register that holds a mask of double words through a loop. */
const DWORD_MASK = 15;

/** The first bytes of a vector. */
export interface VectorPart {
  readonly bytes: number;
  readonly width: Width;
  /** Whether a mask of them is in its register, from before the loop on (`holdDwordMask`). */
  readonly isHeld: boolean;
}

/**
 * Moves of some bytes of a vector that touch no other byte of memory: by masks at AVX-512, loads by double words at
 * AVX2.
 */
export class VectorParts {
  readonly #asm: Assembler;
  readonly #isa: Isa;
  readonly #tables: Tables;
  readonly #constants: Constants;

  constructor(asm: Assembler, isa: Isa, tables: Tables, constants: Constants) {
    this.#asm = asm;
    this.#isa = isa;
    this.#tables = tables;
    this.#constants = constants;
  }

  /** Whether there are masks of bytes, for loads and stores. */
  get hasMasks(): boolean {
    return hasMasks(this.#isa.level);
  }

  /** Loads the first bytes of a vector, and stores all of it. */
  widen(part: VectorPart, register: number, from: BasedMemory, to: BasedMemory): void {
    const { bytes, width } = part;
    const number = register % DWORD_MASK;
    if (this.hasMasks)
      this.#isa.loadMasked(this.#asm, width as MaskedWidth, number, this.#maskOf(firstBytes(bytes)), from);
    else this.#loadDwords(part, number, from);
    this.#isa.store(this.#asm, width, number, to);
  }

  /** Loads the first bytes of a zmm register. */
  loadFirst(bytes: number, register: Register, from: BasedMemory): void {
    if (firstBytes(bytes) === ALL_BYTES) this.#asm.emit(avx512.vmovdqu64_zmm_load, [register, from]);
    else {
      const mask = this.#maskOf(firstBytes(bytes));
      this.#asm.emit(avx512.vmovdqu8_zmm_load, [register, from], { mask, zeroing: true });
    }
  }

  /** Stores the bytes of a zmm register that a mask names. */
  storeMasked(mask: bigint, to: BasedMemory, register: Register): void {
    if (mask === ALL_BYTES) this.#asm.emit(avx512.vmovdqu64_zmm_store, [to, register]);
    else this.#asm.emit(avx512.vmovdqu8_zmm_store, [to, register], { mask: this.#maskOf(mask) });
  }

  /** Goes before a loop over blocks of so many bytes, which moves nothing else. */
  holdDwordMask(bytes: number): void {
    this.#loadDwordMask(bytes, DWORD_MASK);
  }

  #loadDwords({ bytes, width, isHeld }: VectorPart, number: number, from: BasedMemory): void {
    const [file, load] = width === 16 ? [xmm, avx.vpmaskmovd_xmm_load] : [ymm, avx.vpmaskmovd_load];
    if (!isHeld) this.#loadDwordMask(bytes, number);
    this.#asm.emit(load, [file(number), file(isHeld ? DWORD_MASK : number), from]);
  }

  #loadDwordMask(bytes: number, number: number): void {
    const { label } = this.#tables.add(this.#asm, dwordMask(bytes));
    this.#asm.emit(avx.vmovdqu_ymm_load, [ymm(number), rip(label)]);
  }

  #maskOf(mask: bigint): Register {
    return maskRegister(this.#constants.masks, mask);
  }
}
