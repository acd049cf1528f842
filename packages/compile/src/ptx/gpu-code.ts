import { matchedBytes } from "./matched-bytes.js";
import type { PtxKernel, PtxMove, PtxSide } from "./stored-kernel.js";

/** Of the section; C reads this one alone. */
export const GPU_CODE_VERSION = 5;
/** As runtime/gpu_section.h has it. */
const MAGIC = Uint8Array.from(`STOWPTX${String.fromCharCode(GPU_CODE_VERSION)}`, (letter) => letter.charCodeAt(0));
const [TEXTS_AT, MOVES_AT] = [16, 48];
const MOVE_BYTES = 448;
const MOVE = {
  source: 0,
  target: 24,
  lookaside: 48,
  kernels: 64,
  several: 68,
  kernel: 72,
  ofSeveral: 232,
  blockBytes: 392,
  tableBytes: 400,
} as const;
const KERNEL_BYTES = 32;
const KERNEL = { text: 0, entry: 8, parameterBytes: 16, wordBytes: 20, threads: 24, unroll: 28 } as const;
const ALIGN_BYTES = 16;

/**
 * The code section of moves for GPUs, little-endian; offsets count from its first byte.
 *
 *     0    "STOWPTX", u8 version 5
 *     8    u32 number of moves
 *     16   of all kernels' PTX one behind the other, as matchedBytes has it: u64 offset and u64 length; u64 length of the texts
 *     48   448 bytes a move: of source and target u64 offset and u64 length of the nodes, i64 start; u64 offset and u64 length of
 *          the lookaside buffer; at 64 u32 number of kernels for one transfer a launch, u32 of those for several, at
 *          most 5 each, the widest words first; at 72 and 232 of each 32 bytes: u64 offset of its PTX in the texts, u64
 *          offset of its entry's name, both ended by a zero; u32 bytes of its parameters, bytes of a word, threads,
 *          words of a thread; at 392 u64 mean length of the datatype's contiguous blocks, in bytes; u32
 *          bytes of a number in the lookaside buffer's tables, 4 or 8
 *          names, tables and texts
 */
export function gpuCode(moves: readonly PtxMove[], blockBytes: number): Uint8Array {
  const section = new Section(MOVES_AT + moves.length * MOVE_BYTES);
  const head = new DataView(new ArrayBuffer(section.headBytes));
  new Uint8Array(head.buffer).set(MAGIC);
  head.setUint32(8, moves.length, true);
  moves.forEach((move, i) => {
    const record = new DataView(head.buffer, MOVES_AT + i * MOVE_BYTES, MOVE_BYTES);
    writeMove(record, move, section);
    record.setBigUint64(MOVE.blockBytes, BigInt(Math.floor(blockBytes)), true);
    record.setUint32(MOVE.tableBytes, move.tableBytes, true);
  });
  const texts = section.texts();
  [section.add(texts.matched), texts.matched.length, texts.length].forEach((value, i) =>
    head.setBigUint64(TEXTS_AT + 8 * i, BigInt(value), true),
  );
  return section.joined(new Uint8Array(head.buffer));
}

function writeMove(record: DataView, { kernels, several, source, target, lookaside }: PtxMove, section: Section): void {
  const place = (at: number, bytes: Uint8Array): void => {
    record.setBigUint64(at, BigInt(section.add(bytes)), true);
    record.setBigUint64(at + 8, BigInt(bytes.length), true);
  };
  const side = (at: number, { nodes, startBytes }: PtxSide): void => {
    place(at, nodes);
    record.setBigInt64(at + 16, BigInt(startBytes), true);
  };
  side(MOVE.source, source);
  side(MOVE.target, target);
  place(MOVE.lookaside, lookaside);
  record.setUint32(MOVE.kernels, kernels.length, true);
  record.setUint32(MOVE.several, several.length, true);
  writeKernels(record, MOVE.kernel, kernels, section);
  writeKernels(record, MOVE.ofSeveral, several, section);
}

function writeKernels(record: DataView, first: number, kernels: readonly PtxKernel[], section: Section): void {
  kernels.forEach(({ ptx, entry, parameterBytes, wordBytes, threads, unroll }, i) => {
    const at = first + i * KERNEL_BYTES;
    record.setBigUint64(at + KERNEL.text, BigInt(section.text(ptx)), true);
    record.setBigUint64(at + KERNEL.entry, BigInt(section.name(entry)), true);
    record.setUint32(at + KERNEL.parameterBytes, parameterBytes, true);
    record.setUint32(at + KERNEL.wordBytes, wordBytes, true);
    record.setUint32(at + KERNEL.threads, threads, true);
    record.setUint32(at + KERNEL.unroll, unroll, true);
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
