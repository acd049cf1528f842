import { ByteWriter } from "./byte-writer.js";
import type { FrameTable, Section } from "./object-file.js";

/** DWARF 5, sections 6.4.1 and 6.4.2, and Linux Standard Base 5, section 10.6, of registers by the AMD64 supplement. */
const [RSP, RETURN_ADDRESS] = [7, 16];
const CFA = { defCfa: 0x0c, offset: 0x80 } as const;
const WORD_BYTES = 8;
/** A signed distance of 4 bytes from where it stands. */
const POINTER_ENCODING = 0x1b;
/** Bytes of a record's length, and of its id, before what it is about. */
const [LENGTH_BYTES, ID_BYTES] = [4, 4];

/** Where in .eh_frame the distance to a section's code stands. */
export interface FrameReference {
  readonly section: number;
  readonly offsetBytes: number;
  /** Where the code begins in that section. */
  readonly codeBytes: number;
}

export interface EhFrame {
  readonly bytes: Uint8Array;
  readonly references: readonly FrameReference[];
}

/** Where a record of a function begins, before the distance to its code. */
const recordOf = ({ offsetBytes }: FrameReference): number => offsetBytes - LENGTH_BYTES - ID_BYTES;

/** A common record, and one for each section that has frames; undefined where none has. */
export function ehFrameOf(sections: readonly Section[]): EhFrame | undefined {
  const to = new ByteWriter().bytes(record(0, common()));
  const references: FrameReference[] = [];
  sections.forEach(({ frames }, section) => {
    if (frames === undefined) return;
    const offsetBytes = to.length + LENGTH_BYTES + ID_BYTES;
    references.push({ section, offsetBytes, codeBytes: frames.startBytes });
    to.bytes(record(to.length + LENGTH_BYTES, ofFunction(frames)));
  });
  return references.length === 0 ? undefined : { bytes: to.finish(), references };
}

/** A record, filled up to a multiple of 8 bytes; `id`: how far before it the common one lies, or 0 for that itself. */
function record(id: number, contents: Uint8Array): Uint8Array {
  const filled = Math.ceil((LENGTH_BYTES + ID_BYTES + contents.length) / WORD_BYTES) * WORD_BYTES - LENGTH_BYTES;
  return new ByteWriter().u32(filled).u32(id).bytes(contents).align(WORD_BYTES).finish();
}

/** Version 1, augmentation "zR": code in bytes, data in words of the stack, which grows downwards. */
const common = (): Uint8Array =>
  Uint8Array.of(
    ...[1, 0x7a, 0x52, 0, 1, 0x80 - WORD_BYTES, RETURN_ADDRESS, 1, POINTER_ENCODING],
    ...[CFA.defCfa, RSP, WORD_BYTES, CFA.offset | RETURN_ADDRESS, 1],
  );

const ofFunction = ({ startBytes, endBytes, instructions }: FrameTable): Uint8Array =>
  new ByteWriter()
    .u32(0)
    .u32(endBytes - startBytes)
    .u8(0)
    .bytes(instructions)
    .finish();

const HEADER_START_BYTES = 12;
const HEADER_ENTRY_BYTES = 8;

/** How long the table is that unwinders look functions up in. */
export const ehFrameHeaderBytes = ({ references }: EhFrame): number =>
  HEADER_START_BYTES + HEADER_ENTRY_BYTES * references.length;

/**
 * That table: Linux Standard Base 5, section 10.6.2. Version 1; .eh_frame as a distance from where it stands; the
 * number of functions; their addresses and records, by address, as distances from the table.
 */
export function ehFrameHeader(
  { references }: EhFrame,
  headerAt: number,
  framesAt: number,
  sections: readonly number[],
): Uint8Array {
  const to = new ByteWriter().bytes(Uint8Array.of(1, POINTER_ENCODING, 0x03, 0x3b));
  to.u32(framesAt - (headerAt + 4)).u32(references.length);
  const entries = references.map((reference) => ({
    code: (sections[reference.section] as number) + reference.codeBytes - headerAt,
    record: framesAt + recordOf(reference) - headerAt,
  }));
  for (const { code, record: at } of entries.toSorted((a, b) => a.code - b.code)) to.u32(code).u32(at);
  return to.finish();
}
