import { readElf, refusal, type ElfObject, type Relocation } from "./read-elf.js";
import { applyOf, isUpper, writtenBytes } from "./relocate.js";

/** Code and its constants at their distances from each other: it runs at any multiple of a page. */
export interface Image {
  /** The processor that it is for, as ELF's e_machine has it. */
  readonly machine: number;
  /** The bytes to map. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The offset in `bytes` of each named symbol. */
  readonly symbols: ReadonlyMap<string, number>;
}

/**
 * Puts the sections of an object file one after another and resolves the relocations between them. That is all that our
 * code needs: it calls nothing outside, and every distance in it is relative. Throws an ArtifactError for a file that
 * is damaged, or refers to something outside.
 */
export function link(file: Uint8Array): Image {
  const object = readElf(file);
  const { starts, sizeBytes } = placed(object);
  const sizes = new Map(object.sections.map((section) => [section.index, section.sizeBytes]));
  const bytes = new Uint8Array(sizeBytes);
  for (const section of object.sections)
    if (section.bytes !== undefined) bytes.set(section.bytes, starts.get(section.index));
  const addressOf = (symbol: number): number => {
    const { name, section, offset } = object.symbols[symbol] ?? { name: "", section: 0, offset: 0 };
    const start = starts.get(section);
    const size = sizes.get(section);
    if (start === undefined || size === undefined)
      throw refusal("symbols that it defines", name === "" ? `number ${symbol}` : name);
    if (offset > size) throw refusal(`symbols within their section of ${size} bytes`, `one at byte ${offset}`);
    return start + offset;
  };
  for (const { section, offset, type } of object.relocations) {
    const size = sizes.get(section);
    if (size !== undefined && offset + writtenBytes(object.machine, type) > size)
      throw refusal(`relocations within their section of ${size} bytes`, `one at byte ${offset}`);
  }
  relocate(object, bytes, starts, addressOf);
  const named = object.symbols.flatMap(({ name, section }, i) =>
    name !== "" && starts.has(section) ? [[name, addressOf(i)] as const] : [],
  );
  return { machine: object.machine, bytes, symbols: new Map(named) };
}

function placed({ sections }: ElfObject): { readonly starts: ReadonlyMap<number, number>; readonly sizeBytes: number } {
  const starts = new Map<number, number>();
  let end = 0;
  for (const { index, alignment, sizeBytes } of sections) {
    const start = Math.ceil(end / alignment) * alignment;
    starts.set(index, start);
    end = start + sizeBytes;
  }
  return { starts, sizeBytes: end };
}

function relocate(
  { machine, relocations }: ElfObject,
  bytes: Uint8Array,
  starts: ReadonlyMap<number, number>,
  addressOf: (symbol: number) => number,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const kept = relocations.filter(({ section }) => starts.has(section));
  const placeOf = ({ section, offset }: Relocation): number => (starts.get(section) as number) + offset;
  const uppers = new Map(
    kept
      .filter(({ type }) => isUpper(machine, type))
      .map((each) => [placeOf(each), addressOf(each.symbol) + each.addend - placeOf(each)]),
  );
  const upper = (place: number): number => {
    const distance = uppers.get(place);
    if (distance === undefined) throw refusal("an upper half for each lower one", `none at byte ${place}`);
    return distance;
  };
  for (const each of kept) {
    const apply = applyOf(machine, each.type);
    apply({ view, place: placeOf(each), target: each.symbol === 0 ? 0 : addressOf(each.symbol) + each.addend, upper });
  }
}
