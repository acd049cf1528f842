import { ArgumentError } from "@stowage/ir";
import type { ArchiveMember } from "./archive-member.js";
import { ByteWriter } from "./byte-writer.js";
import { requireMembers } from "./require-object-file.js";
import { asciiBytes } from "./string-table.js";

const MAGIC = asciiBytes("!<arch>\n");
const HEADER_BYTES = 60;
/** Offsets in the symbol index have 32 bits. */
const MOST_BYTES = 2 ** 32 - 1;

/**
 * The bytes of a static library as GNU ar and LLVM's write it: an index of symbols, a table of long names, the members.
 * The same members give the same bytes: dates and owners are zero. Throws an ArgumentError where it would pass 4 GiB,
 * or a member is none.
 */
export function archive(members: readonly ArchiveMember[]): Uint8Array<ArrayBuffer> {
  requireMembers(members);
  const longNames = longNamesOf(members);
  const symbols = members.flatMap((member, i) => member.symbols.map((name) => ({ name, member: i })));
  const namesBytes = symbols.reduce((sum, { name }) => sum + name.length + 1, 0);
  const indexBytes = 4 + 4 * symbols.length + namesBytes;
  let at = MAGIC.length + roomOf(indexBytes) + (longNames.bytes.length === 0 ? 0 : roomOf(longNames.bytes.length));
  const offsets = members.map(({ bytes }) => {
    const offset = at;
    at += roomOf(bytes.length);
    return offset;
  });
  if (at > MOST_BYTES) throw new ArgumentError("static library", `at most ${MOST_BYTES} bytes`, `${at}`);
  const to = new ByteWriter().bytes(MAGIC);
  const index = indexOf(symbols.map(({ name, member }) => ({ name, offset: offsets[member] as number })));
  writeMember(to, "/", index);
  if (longNames.bytes.length > 0) writeMember(to, "//", longNames.bytes);
  members.forEach(({ bytes }, i) => writeMember(to, longNames.headers[i] as string, bytes));
  return to.finish();
}

const roomOf = (bytes: number): number => HEADER_BYTES + bytes + (bytes % 2);

/** Big-endian: the number of symbols, where the header of each one's member lies, their names. */
function indexOf(symbols: readonly { readonly name: string; readonly offset: number }[]): Uint8Array {
  const words = new DataView(new ArrayBuffer(4 + 4 * symbols.length));
  words.setUint32(0, symbols.length);
  symbols.forEach(({ offset }, i) => words.setUint32(4 + 4 * i, offset));
  const names = asciiBytes(symbols.map(({ name }) => `${name}\0`).join(""));
  return new ByteWriter().bytes(new Uint8Array(words.buffer)).bytes(names).finish();
}

/** A member's header names it in 16 characters, or says where its name stands in the table. */
function longNamesOf(members: readonly ArchiveMember[]) {
  let table = "";
  const headers = members.map(({ name }) => {
    if (name.length < 16) return `${name}/`;
    const at = table.length;
    table += `${name}/\n`;
    return `/${at}`;
  });
  return { headers, bytes: asciiBytes(table) };
}

function writeMember(to: ByteWriter, header: string, bytes: Uint8Array): void {
  const mode = header === "/" || header === "//" ? "0" : "644";
  const fields = [header.padEnd(16), "0".padEnd(12), "0".padEnd(6), "0".padEnd(6), mode.padEnd(8)];
  to.bytes(asciiBytes(`${fields.join("")}${String(bytes.length).padEnd(10)}\`\n`)).bytes(bytes);
  if (bytes.length % 2 === 1) to.bytes(asciiBytes("\n"));
}
