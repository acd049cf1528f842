import type { Stream } from "@stowage/ir";
import { typeOf } from "./copy.js";
import type { NodeWriter } from "./node-writer.js";
import type { Round } from "./round.js";

/** Longest block that is put together with others in a register. */
const MOST_BLOCK_BYTES = 16;
/** Bytes of one merged store: more would wait for more loads at once. */
const MOST_STORED_BYTES = 32;

/** Packs several short blocks into one register, and stores that. */
export function mergedRound(writer: NodeWriter, { child, strideBytes }: Stream): Round | undefined {
  const { direction, alignment } = writer.facts;
  if (direction === "unpack" || child.kind !== "dense") return undefined;
  const { lengthBytes: bytes } = child;
  const stored = Math.min(MOST_STORED_BYTES, writer.module.processor.vectorBytes);
  if (bytes > MOST_BLOCK_BYTES || !Number.isInteger(Math.log2(bytes)) || 2 * bytes > stored) return undefined;
  const children = stored / bytes;
  // Halves of 16 bytes are two words each.
  const [unit, type] =
    bytes === MOST_BLOCK_BYTES ? [8, `<${stored / 8} x i64>`] : [bytes, `<${children} x i${8 * bytes}>`];
  return {
    children,
    moves: children,
    emit(f, first) {
      let merged = "poison";
      for (let i = 0; i < stored / unit; i++) {
        const block = Math.floor((i * unit) / bytes);
        const at = f.at(first.scattered, block * strideBytes + ((i * unit) % bytes));
        const loaded = f.value(`load ${typeOf(unit)}, ptr ${at}, align ${Math.min(unit, alignment)}`);
        merged = f.value(`insertelement ${type} ${merged}, ${typeOf(unit)} ${loaded}, i32 ${i}`);
      }
      f.do(`store ${type} ${merged}, ptr ${first.packed}, align ${Math.min(bytes, alignment)}`);
    },
  };
}
