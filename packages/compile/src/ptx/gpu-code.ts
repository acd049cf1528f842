import { recordFormat } from "@stowage/backend-api";
import { matchedBytes } from "./matched-bytes.js";
import type { PtxKernel, PtxMove, PtxSide } from "./stored-kernel.js";

/** The section's format version; C reads this one alone. */
export const GPU_CODE_VERSION = 5;
/** Kernels for words of 16, 8, 4, 2 and 1 bytes. */
const MOST_KERNELS = 5;
/** All texts of a section have at most so many bytes: a damaged section takes no more memory. */
const MOST_TEXT_BYTES = 2 ** 26;
const ALIGN_BYTES = 16;

const SECTION = recordFormat("gpu_code", "A section's first bytes; offsets count from them.", [
  ["magic", "char", '"STOWPTX"', { count: 7 }],
  ["version", "u8", ""],
  ["moves", "u32", "records behind this one"],
  ["zero", "u32", ""],
  ["texts", "u64", "all kernels' PTX one behind the other, matched: matched-bytes.ts"],
  ["matchedBytes", "u64", ""],
  ["textBytes", "u64", "of the texts themselves"],
  ["zeros", "u64", ""],
]);

const SIDE = recordFormat("gpu_side", "One side of a move.", [
  ["nodes", "u64", "launch_node records: 0 repeats elements, 1 is one"],
  ["nodeBytes", "u64", ""],
  ["start", "i64", "from the side's address to its first byte"],
]);

const KERNEL = recordFormat("gpu_kernel", "A kernel.", [
  ["text", "u64", "its PTX in the texts, ended by a zero"],
  ["entry", "u64", "its name in the section, ended by a zero"],
  ["parameterBytes", "u32", ""],
  ["wordBytes", "u32", "what divides both addresses, and what a thread moves at a time"],
  ["threads", "u32", ""],
  ["unroll", "u32", "words of a thread"],
]);

const MOVE = recordFormat("gpu_move", "A move, with kernels for the widest words first.", [
  ["source", SIDE, ""],
  ["target", SIDE, ""],
  ["lookaside", "u64", "what varies in length"],
  ["lookasideBytes", "u64", ""],
  ["kernelCount", "u32", ""],
  ["severalCount", "u32", ""],
  ["kernels", KERNEL, "for one transfer a launch", { count: MOST_KERNELS }],
  ["several", KERNEL, "for several", { count: MOST_KERNELS }],
  ["blockBytes", "u64", "mean length of the datatype's contiguous blocks"],
  ["tableBytes", "u32", "of a number in the lookaside buffer's tables, 4 or 8"],
  ["zero", "u32", ""],
  ["zeros", "u64", "", { count: 5 }],
]);

/** The section as programs in C read it; names, tables and texts lie behind the records. */
export const GPU_FORMAT = {
  records: [SECTION, SIDE, KERNEL, MOVE],
  constants: { version: GPU_CODE_VERSION, mostKernels: MOST_KERNELS, mostTextBytes: MOST_TEXT_BYTES },
} as const;

/** The code section of moves for GPUs. */
export function gpuCode(moves: readonly PtxMove[], blockBytes: number): Uint8Array {
  const section = new Section(SECTION.bytes + moves.length * MOVE.bytes);
  const head = new DataView(new ArrayBuffer(section.headBytes));
  new Uint8Array(head.buffer).set(Array.from("STOWPTX", (letter) => letter.charCodeAt(0)));
  head.setUint8(SECTION.offsets.version, GPU_CODE_VERSION);
  head.setUint32(SECTION.offsets.moves, moves.length, true);
  moves.forEach((move, i) => {
    const record = new DataView(head.buffer, SECTION.bytes + i * MOVE.bytes, MOVE.bytes);
    writeMove(record, move, section);
    record.setBigUint64(MOVE.offsets.blockBytes, BigInt(Math.floor(blockBytes)), true);
    record.setUint32(MOVE.offsets.tableBytes, move.tableBytes, true);
  });
  const texts = section.texts();
  head.setBigUint64(SECTION.offsets.texts, BigInt(section.add(texts.matched)), true);
  head.setBigUint64(SECTION.offsets.matchedBytes, BigInt(texts.matched.length), true);
  head.setBigUint64(SECTION.offsets.textBytes, BigInt(texts.length), true);
  return section.joined(new Uint8Array(head.buffer));
}

function writeMove(record: DataView, { kernels, several, source, target, lookaside }: PtxMove, section: Section): void {
  const place = (at: number, bytes: Uint8Array): void => {
    record.setBigUint64(at, BigInt(section.add(bytes)), true);
    record.setBigUint64(at + 8, BigInt(bytes.length), true);
  };
  const side = (at: number, { nodes, startBytes }: PtxSide): void => {
    place(at, nodes);
    record.setBigInt64(at + SIDE.offsets.start, BigInt(startBytes), true);
  };
  const { offsets } = MOVE;
  side(offsets.source, source);
  side(offsets.target, target);
  place(offsets.lookaside, lookaside);
  record.setUint32(offsets.kernelCount, kernels.length, true);
  record.setUint32(offsets.severalCount, several.length, true);
  writeKernels(record, offsets.kernels, kernels, section);
  writeKernels(record, offsets.several, several, section);
}

function writeKernels(record: DataView, first: number, kernels: readonly PtxKernel[], section: Section): void {
  const { offsets } = KERNEL;
  kernels.forEach(({ ptx, entry, parameterBytes, wordBytes, threads, unroll }, i) => {
    const at = first + i * KERNEL.bytes;
    record.setBigUint64(at + offsets.text, BigInt(section.text(ptx)), true);
    record.setBigUint64(at + offsets.entry, BigInt(section.name(entry)), true);
    record.setUint32(at + offsets.parameterBytes, parameterBytes, true);
    record.setUint32(at + offsets.wordBytes, wordBytes, true);
    record.setUint32(at + offsets.threads, threads, true);
    record.setUint32(at + offsets.unroll, unroll, true);
  });
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(`${text}\0`, (letter) => letter.charCodeAt(0));

/** What lies behind the records, equal names and texts once. */
class Section {
  readonly headBytes: number;
  readonly #parts: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  readonly #names = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  #end: number;
  #textEnd = 0;

  constructor(headBytes: number) {
    this.headBytes = headBytes;
    this.#end = headBytes;
  }

  add(bytes: Uint8Array): number {
    const at = this.#end;
    this.#parts.push({ at, bytes });
    this.#end = Math.ceil((at + bytes.length) / ALIGN_BYTES) * ALIGN_BYTES;
    return at;
  }

  name(name: string): number {
    const at = this.#names.get(name) ?? this.add(bytesOf(name));
    this.#names.set(name, at);
    return at;
  }

  /** Where a text begins among the texts. */
  text(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const at = this.#textEnd;
    this.#texts.set(text, at);
    this.#textEnd += text.length + 1;
    return at;
  }

  texts(): { readonly matched: Uint8Array; readonly length: number } {
    return { matched: matchedBytes(bytesOf([...this.#texts.keys()].join("\0"))), length: this.#textEnd };
  }

  joined(head: Uint8Array): Uint8Array {
    const all = new Uint8Array(this.#end);
    all.set(head);
    for (const { at, bytes } of this.#parts) all.set(bytes, at);
    return all;
  }
}
