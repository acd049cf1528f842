import { avx, sse, xmm, ymm, type BasedMemory, type Row } from "@stowage/asm-x64";
import { XMM_BYTES } from "../widths.js";
import type { Emitter } from "./emitter.js";

const LANE_BYTES = XMM_BYTES;
/** vperm2i128: the lower lanes of both operands, or the upper ones. */
const [LOWER_LANES, UPPER_LANES] = [0x20, 0x31];
/** Registers of one step; the next step's are as many others. */
const BANK = 8;

/** A tile of a transpose: so many rows of the source by so many columns, in registers. */
export interface Tile {
  readonly rows: number;
  readonly columns: number;
}

export type AddressOf = (index: number) => BasedMemory;

type ElementBytes = 1 | 2 | 4 | 8 | 16;

const UNPACK: Readonly<
  Record<1 | 2 | 4 | 8, { readonly avx: readonly [Row, Row]; readonly sse: readonly [Row, Row] }>
> = {
  1: { avx: [avx.vpunpcklbw, avx.vpunpckhbw], sse: [sse.punpcklbw, sse.punpckhbw] },
  2: { avx: [avx.vpunpcklwd, avx.vpunpckhwd], sse: [sse.punpcklwd, sse.punpckhwd] },
  4: { avx: [avx.vpunpckldq, avx.vpunpckhdq], sse: [sse.punpckldq, sse.punpckhdq] },
  8: { avx: [avx.vpunpcklqdq, avx.vpunpckhqdq], sse: [sse.punpcklqdq, sse.punpckhqdq] },
};

const hasAvx = (e: Emitter): boolean => e.isa.widest > LANE_BYTES;

/**
 * Moves a tile: row i of the source begins at `rowAt(i)`, column j of the target at `columnAt(j)`.
 *
 * Interleaving registers i and i + n/2 rotates the bits of an element's index, (register, position), by one: after as
 * many steps as a register's number has bits, rows have become columns.
 */
export function emitTile(
  e: Emitter,
  elementBytes: number,
  { rows, columns }: Tile,
  rowAt: AddressOf,
  columnAt: AddressOf,
): void {
  const element = elementBytes as ElementBytes;
  const lane = LANE_BYTES / element;
  if (rows > lane && columns > lane) return emitSquare(e, rowAt, columnAt);
  if (rows < lane || columns > lane) return emitWide(e, element, { rows, columns }, rowAt, columnAt);
  const network = new Network(e, element);
  const upper = rows > lane;
  for (let i = 0; i < columns; i++) network.gather(i, columns, rowAt, upper);
  const transposed = network.transpose(columns);
  transposed.forEach((register, j) => e.emit(tileStore(e, upper), columnAt(j), upper ? ymm(register) : xmm(register)));
}

const SQUARE = [0, 1, 2, 3];

/** 4 x 4 doubles by whole vectors of both sides: pairs within each lane, then the lanes. */
function emitSquare(e: Emitter, rowAt: AddressOf, columnAt: AddressOf): void {
  for (const i of SQUARE) e.emit(avx.vmovdqu_ymm_load, ymm(i), rowAt(i));
  for (const i of [0, 2]) {
    e.emit(avx.vpunpcklqdq, ymm(4 + i), ymm(i), ymm(i + 1));
    e.emit(avx.vpunpckhqdq, ymm(5 + i), ymm(i), ymm(i + 1));
  }
  for (const i of [0, 1]) {
    e.emit(avx.vperm2i128, ymm(i), ymm(4 + i), ymm(6 + i), LOWER_LANES);
    e.emit(avx.vperm2i128, ymm(2 + i), ymm(4 + i), ymm(6 + i), UPPER_LANES);
  }
  for (const j of SQUARE) e.emit(tileStore(e, true), columnAt(j), ymm(j));
}

/** Non-temporal where columns are: each tile then begins at a multiple of its width. */
function tileStore(e: Emitter, upper: boolean): Row {
  const isNonTemporal = e.outOfCache?.what === "columns";
  if (upper) return isNonTemporal ? avx.vmovntdq_ymm : avx.vmovdqu_ymm_store;
  if (isNonTemporal) return hasAvx(e) ? avx.vmovntdq_xmm : sse.movntdq;
  return xmmStore(e);
}

const xmmStore = (e: Emitter): Row => (hasAvx(e) ? avx.vmovdqu_xmm_store : sse.movups_store);
const xmmLoad = (e: Emitter): Row => (hasAvx(e) ? avx.vmovdqu_xmm_load : sse.movups_load);

/** Fewer rows than a lane has elements: full vectors of each row, from which several columns' pieces are stored. */
function emitWide(
  e: Emitter,
  element: ElementBytes,
  { rows, columns }: Tile,
  rowAt: AddressOf,
  columnAt: AddressOf,
): void {
  const lane = LANE_BYTES / element;
  const network = new Network(e, element);
  const twoLanes = columns > lane;
  for (let i = 0; i < rows; i++)
    e.emit(twoLanes ? avx.vmovdqu_ymm_load : xmmLoad(e), twoLanes ? ymm(i) : xmm(i), rowAt(i));
  const pieces = lane / rows;
  network.transpose(rows).forEach((register, j) => {
    storePieces(e, register, pieces, (piece) => columnAt(j * pieces + piece));
    if (!twoLanes) return;
    if (pieces === 1) return e.emit(avx.vextracti128, columnAt(lane + j), ymm(register), 1);
    e.emit(avx.vextracti128, xmm(register), ymm(register), 1);
    storePieces(e, register, pieces, (piece) => columnAt(lane + j * pieces + piece));
  });
}

/** One piece of 16 bytes, or two of 8. */
function storePieces(e: Emitter, register: number, pieces: number, to: (piece: number) => BasedMemory): void {
  if (pieces === 1) return e.emit(xmmStore(e), to(0), xmm(register));
  e.emit(hasAvx(e) ? avx.vmovlps_store : sse.movlps_store, to(0), xmm(register));
  e.emit(hasAvx(e) ? avx.vmovhps_store : sse.movhps_store, to(1), xmm(register));
}

const ONE = [0];

/** Vector registers 0 to 15 while a tile is transposed. */
class Network {
  readonly #e: Emitter;
  readonly #element: ElementBytes;

  constructor(e: Emitter, element: ElementBytes) {
    this.#e = e;
    this.#element = element;
  }

  /**
   * Register i = what the rows i, i + columns, i + 2 columns, ... give, interleaved; `upper`: as many rows again in its
   * upper lane.
   */
  gather(i: number, columns: number, rowAt: AddressOf, upper: boolean): void {
    const lane = LANE_BYTES / this.#element;
    if (upper && columns === lane) {
      this.#e.emit(avx.vmovdqu_xmm_load, xmm(i), rowAt(i));
      this.#e.emit(avx.vinserti128, ymm(i), ymm(i), rowAt(lane + i), 1);
      return;
    }
    const bytes = columns * this.#element;
    this.#interleaved(i, { row: i, every: columns, bytes, rowAt }, BANK);
    if (!upper) return;
    const above = (row: number): BasedMemory => rowAt(lane + row);
    this.#interleaved(BANK, { row: i, every: columns, bytes, rowAt: above }, BANK + 1);
    this.#e.emit(avx.vinserti128, ymm(i), ymm(i), xmm(BANK), 1);
  }

  /** `register` = every `every`-th row from `row` on; may use the registers from `free` on. */
  #interleaved(register: number, rows: Rows, free: number): void {
    const { row, every } = rows;
    if (every * this.#element === LANE_BYTES) return this.#load(register, rows);
    this.#interleaved(register, { ...rows, every: 2 * every }, free);
    this.#interleaved(free, { ...rows, row: row + every, every: 2 * every }, free + 1);
    this.#interleave("low", register, register, free);
  }

  /** What fills no lane leaves its upper part zero. */
  #load(register: number, { row, bytes, rowAt }: Rows): void {
    const [quarter, half] = hasAvx(this.#e) ? [avx.vmovd_load, avx.vmovq_load] : [sse.movd_load, sse.movq_load];
    this.#e.emit(bytes === LANE_BYTES ? xmmLoad(this.#e) : bytes === 8 ? half : quarter, xmm(register), rowAt(row));
  }

  /** Transposes registers 0 to n - 1; says which register each result is in. */
  transpose(n: number): readonly number[] {
    if (n === 1) return ONE;
    let places: readonly number[] = Array.from({ length: n }, (_, i) => i);
    for (let step = 1; step < n; step *= 2)
      places = hasAvx(this.#e) ? this.#transposedOnce(places) : this.#transposedInPlace(places);
    return places;
  }

  /** From one half of the registers into the other. */
  #transposedOnce(places: readonly number[]): readonly number[] {
    const half = places.length / 2;
    const bank = places[0] === 0 ? BANK : 0;
    for (let i = 0; i < half; i++) {
      const [a, b] = [places[i] as number, places[i + half] as number];
      this.#interleave("low", bank + 2 * i, a, b);
      this.#interleave("high", bank + 2 * i + 1, a, b);
    }
    return places.map((_, i) => bank + i);
  }

  /** Two operands: the first is overwritten, so that a copy of it goes where the last pair left a register free. */
  #transposedInPlace(places: readonly number[]): readonly number[] {
    const half = places.length / 2;
    const used = new Set(places);
    let free = Array.from({ length: BANK + 1 }, (_, i) => i).find((register) => !used.has(register)) as number;
    const transposed: number[] = [];
    for (let i = 0; i < half; i++) {
      const [a, b] = [places[i] as number, places[i + half] as number];
      this.#e.emit(sse.movaps_load, xmm(free), xmm(a));
      this.#interleave("low", a, a, b);
      this.#interleave("high", free, free, b);
      transposed.push(a, free);
      free = b;
    }
    return transposed;
  }

  /** Without AVX, `to` must be `a`. */
  #interleave(part: "low" | "high", to: number, a: number, b: number): void {
    const rows = UNPACK[this.#element as 1 | 2 | 4 | 8];
    const index = part === "low" ? 0 : 1;
    if (hasAvx(this.#e)) this.#e.emit(rows.avx[index], ymm(to), ymm(a), ymm(b));
    else this.#e.emit(rows.sse[index], xmm(to), xmm(b));
  }
}

/** Rows that are interleaved: of each, `bytes` bytes. */
interface Rows {
  readonly row: number;
  readonly every: number;
  readonly bytes: number;
  readonly rowAt: AddressOf;
}
