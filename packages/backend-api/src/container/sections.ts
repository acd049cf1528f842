import { ArtifactError } from "../errors.js";
import type { DataTable } from "../artifact.js";

/** Where a table lies in the container; `offset` and `length` in bytes. */
export interface SectionEntry {
  readonly type: SectionType;
  readonly offset: number;
  readonly length: number;
}

export type SectionType = "uint8" | "int32" | "float64" | "bigint64";

const SECTION_ALIGNMENT = 64;

/** Where a section that may start at an offset does start. */
export const aligned = (offset: number): number => Math.ceil(offset / SECTION_ALIGNMENT) * SECTION_ALIGNMENT;

const CONSTRUCTORS = { uint8: Uint8Array, int32: Int32Array, float64: Float64Array, bigint64: BigInt64Array } as const;

/** Undefined for anything that no section can hold. */
export function sectionType(value: object): SectionType | undefined {
  if (value instanceof Uint8Array) return "uint8";
  if (value instanceof Int32Array) return "int32";
  if (value instanceof Float64Array) return "float64";
  return value instanceof BigInt64Array ? "bigint64" : undefined;
}

/** The bytes of a table as they stand, so that -0 and every NaN survive. */
export const bytesOfTable = (table: DataTable): Uint8Array =>
  new Uint8Array(table.buffer, table.byteOffset, table.byteLength);

/** The tables of a container, in the order of their first mention; one that is mentioned twice is held once. */
export class SectionWriter {
  readonly entries: SectionEntry[] = [];
  readonly tables: DataTable[] = [];
  endBytes = 0;
  private readonly indices = new Map<DataTable, number>();

  indexOf(table: DataTable, type: SectionType): number {
    const known = this.indices.get(table);
    if (known !== undefined) return known;
    const offset = aligned(this.endBytes);
    this.endBytes = offset + table.byteLength;
    this.indices.set(table, this.tables.length);
    this.entries.push({ type, offset, length: table.byteLength });
    return this.tables.push(table) - 1;
  }
}

/** A table of its own for each section, free of the container's memory. Throws an ArtifactError. */
export function readSections(entries: readonly SectionEntry[], sections: Uint8Array): readonly DataTable[] {
  return entries.map(({ type, offset, length }, i) => {
    const fits = isNatural(offset) && isNatural(length) && offset + length <= sections.length;
    const elementBytes = Object.hasOwn(CONSTRUCTORS, type) ? CONSTRUCTORS[type].BYTES_PER_ELEMENT : 0;
    if (!fits || elementBytes === 0 || length % elementBytes !== 0) {
      throw new ArtifactError(
        `section ${i} of an artifact: expected a table within ${sections.length} bytes, ` +
          `got ${length} bytes of ${type} at ${offset}`,
      );
    }
    return new CONSTRUCTORS[type](new Uint8Array(sections.subarray(offset, offset + length)).buffer);
  });
}

const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
