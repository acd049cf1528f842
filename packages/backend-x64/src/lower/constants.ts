import { avx512, general, k, rax, rip, zmm, type Assembler, type Register } from "@stowage/asm-x64";
import { DWORD_BYTES } from "../widths.js";
import { emitSet } from "./arithmetic.js";
import type { Table, Tables } from "./tables.js";

/** k7 and zmm0 to zmm15 stay free for what changes from move to move; k0 means no mask. */
const MASKS = [1, 2, 3, 4, 5, 6].map(k);
const FIRST_VECTOR = 16;
const VECTORS = 16;

/**
 * Masks and index vectors that no move changes: each has a register of its own, filled where the program is entered.
 */
export class Constants {
  readonly #asm: Assembler;
  readonly #tables: Tables;
  readonly #masks: bigint[] = [];
  readonly #vectors = new Map<string, { readonly register: Register; readonly table: Table }>();

  constructor(asm: Assembler, tables: Tables) {
    this.#asm = asm;
    this.#tables = tables;
  }

  /** The register of a mask; undefined where all are taken. */
  mask(value: bigint): Register | undefined {
    const found = this.#masks.indexOf(value);
    if (found >= 0) return MASKS[found];
    return this.#masks.length === MASKS.length ? undefined : MASKS[this.#masks.push(value) - 1];
  }

  get isEmpty(): boolean {
    return this.#masks.length + this.#vectors.size === 0;
  }

  /** Whether so many masks more would find registers, even if none of them is known. */
  hasMasks(count: number): boolean {
    return this.#masks.length + count <= MASKS.length;
  }

  /** The register of 64 bytes; undefined where all are taken. */
  vector(bytes: Uint8Array<ArrayBuffer>): Register | undefined {
    const key = bytes.join();
    const found = this.#vectors.get(key);
    if (found !== undefined) return found.register;
    if (this.#vectors.size === VECTORS) return undefined;
    const register = zmm(FIRST_VECTOR + this.#vectors.size);
    this.#vectors.set(key, { register, table: this.#tables.add(this.#asm, new Int32Array(bytes.buffer)) });
    return register;
  }

  /** Fills every register. Clobbers rax. */
  emitLoads(): void {
    this.#masks.forEach((mask, i) => {
      if (mask < 1n << 32n) emitSet(this.#asm, rax, Number(mask));
      else this.#asm.emit(general.mov_r64_imm64, [rax, mask]);
      this.#asm.emit(avx512.kmovq_k_r64, [MASKS[i] as Register, rax]);
    });
    for (const { register, table } of this.#vectors.values())
      this.#asm.emit(avx512.vmovdqu64_zmm_load, [register, rip(table.label)]);
  }
}

const DWORDS = 8;

/** Masks of the first double words of a vector at AVX2, by how many they are. */
const DWORD_MASKS = Array.from({ length: DWORDS + 1 }, (_, dwords) => new Int32Array(DWORDS).fill(-1, 0, dwords));

export const dwordMask = (bytes: number): Int32Array<ArrayBuffer> =>
  DWORD_MASKS[bytes / DWORD_BYTES] as Int32Array<ArrayBuffer>;

/** The mask of the first `bytes` bytes. */
export const firstBytes = (bytes: number): bigint => (1n << BigInt(bytes)) - 1n;
