import type { LayoutNode } from "@stowage/ir";
import { typeOf } from "./copy.js";
import type { FunctionWriter } from "./function-writer.js";
import type { NodeWriter } from "./node-writer.js";

/** Longest block that is put together with others in a register. */
const MOST_BLOCK_BYTES = 16;
/** Bytes of one merged store: more would wait for more loads at once. */
const MOST_STORED_BYTES = 32;

/** Several short blocks that are put together in one register and stored at once. */
export interface MergedBlocks {
  readonly blocks: number;
  /** Packs them to `packed`; the k-th lies at `blockAt(k)`. */
  readonly emit: (f: FunctionWriter, packed: string, blockAt: (k: number) => string) => void;
}

/** The blocks of a child that are packed so; undefined where they are not. */
export function mergedBlocks({ facts, module }: NodeWriter, child: LayoutNode): MergedBlocks | undefined {
  if (facts.direction === "unpack" || child.kind !== "dense") return undefined;
  const { lengthBytes: bytes } = child;
  const stored = Math.min(MOST_STORED_BYTES, module.processor.vectorBytes);
  if (bytes > MOST_BLOCK_BYTES || !Number.isInteger(Math.log2(bytes)) || 2 * bytes > stored) return undefined;
  // Blocks of 16 bytes are two words each.
  const unit = Math.min(8, bytes);
  const type = `<${stored / unit} x ${typeOf(unit)}>`;
  const emit: MergedBlocks["emit"] = (f, packed, blockAt) => {
    let merged = "poison";
    for (let i = 0; i < stored / unit; i++) {
      const at = f.at(blockAt(Math.floor((i * unit) / bytes)), (i * unit) % bytes);
      const loaded = f.value(`load ${typeOf(unit)}, ptr ${at}, align ${Math.min(unit, facts.alignment)}`);
      merged = f.value(`insertelement ${type} ${merged}, ${typeOf(unit)} ${loaded}, i32 ${i}`);
    }
    f.do(`store ${type} ${merged}, ptr ${packed}, align ${Math.min(bytes, facts.alignment)}`);
  };
  return { blocks: stored / bytes, emit };
}
