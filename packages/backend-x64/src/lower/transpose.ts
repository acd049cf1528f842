import { avx, ymm, type Register } from "@stowage/asm-x64";
import type { LayoutNode } from "@stowage/ir";
import { at, type Emitter, type Place } from "./emitter.js";

/** Bytes of one cache line: so many columns are moved together, and each line is fetched once. */
const LINE_BYTES = 64;
const VECTOR_BYTES = 32;

/** Neighbouring columns of single elements: the packed stream has them one after another, memory side by side. */
export interface Transpose {
  readonly elementBytes: 8 | 16;
  readonly rows: number;
  readonly rowStrideBytes: number;
  /** Columns that move together. */
  readonly columns: number;
}

/** Whether children `strideBytes` apart are such columns; undefined where they are not. */
export function transposeOf(e: Emitter, child: LayoutNode, strideBytes: number): Transpose | undefined {
  if (e.isa.widest < VECTOR_BYTES || e.streamingWidth !== undefined || child.kind !== "stream" || child.child.kind !== "dense") return undefined;
  const elementBytes = child.child.lengthBytes;
  if ((elementBytes !== 8 && elementBytes !== 16) || strideBytes !== elementBytes) return undefined;
  if (child.count < VECTOR_BYTES / elementBytes || Math.abs(child.strideBytes) < LINE_BYTES) return undefined;
  return { elementBytes, rows: child.count, rowStrideBytes: child.strideBytes, columns: LINE_BYTES / elementBytes };
}

/** A line's worth of columns, from the first one at `place`. */
export function emitColumns(e: Emitter, { elementBytes, rows, rowStrideBytes, columns }: Transpose, place: Place): void {
  const edge = VECTOR_BYTES / elementBytes;
  const rounds = Math.floor(rows / edge);
  const step = at(edge * rowStrideBytes, edge * elementBytes);
  const columnBytes = rows * elementBytes;
  e.repeat(rounds, step, true, () => {
    for (let column = 0; column < columns; column += edge) {
      const tile = at(place.s + column * elementBytes, place.p + column * columnBytes);
      emitTile(e, edge, tile, rowStrideBytes, columnBytes);
    }
  });
  for (let row = rounds * edge; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const corner = at(place.s + row * rowStrideBytes + column * elementBytes, place.p + column * columnBytes + row * elementBytes);
      e.move({ offset: 0, width: elementBytes }, corner);
    }
  }
}

/** A square of `edge` rows by `edge` columns through registers. A transpose is its own inverse. */
function emitTile(e: Emitter, edge: number, place: Place, rowStrideBytes: number, columnBytes: number): void {
  const rowAt = (i: number) => e.scatteredAt(place.s + i * rowStrideBytes);
  const columnAt = (i: number) => e.packedAt(place.p + i * columnBytes);
  const [from, to] = e.direction === "pack" ? [rowAt, columnAt] : [columnAt, rowAt];
  const loaded = Array.from({ length: edge }, (_, i) => ymm(i));
  loaded.forEach((register, i) => e.emit(avx.vmovdqu_ymm_load, register, from(i)));
  const turned = edge === 2 ? turn2(e, loaded) : turn4(e, loaded);
  turned.forEach((register, i) => e.emit(avx.vmovdqu_ymm_store, to(i), register));
}

/** 2 × 2 elements of 16 bytes. */
function turn2(e: Emitter, [a, b]: readonly Register[]): readonly Register[] {
  if (a === undefined || b === undefined) throw new RangeError("tile: expected two rows");
  e.emit(avx.vperm2i128, ymm(4), a, b, 0x20);
  e.emit(avx.vperm2i128, ymm(5), a, b, 0x31);
  return [ymm(4), ymm(5)];
}

/** 4 × 4 elements of 8 bytes: pairs within each half, then the halves. */
function turn4(e: Emitter, rows: readonly Register[]): readonly Register[] {
  const [a, b, c, d] = rows;
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new RangeError("tile: expected four rows");
  e.emit(avx.vunpcklpd, ymm(4), a, b);
  e.emit(avx.vunpckhpd, ymm(5), a, b);
  e.emit(avx.vunpcklpd, ymm(6), c, d);
  e.emit(avx.vunpckhpd, ymm(7), c, d);
  e.emit(avx.vperm2i128, ymm(8), ymm(4), ymm(6), 0x20);
  e.emit(avx.vperm2i128, ymm(9), ymm(5), ymm(7), 0x20);
  e.emit(avx.vperm2i128, ymm(10), ymm(4), ymm(6), 0x31);
  e.emit(avx.vperm2i128, ymm(11), ymm(5), ymm(7), 0x31);
  return [ymm(8), ymm(9), ymm(10), ymm(11)];
}
