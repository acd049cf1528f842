import { directionOf, scatteredLayout, type Move } from "@stowage/backend-api";
import { printLayout } from "@stowage/ir";
import { NODE_BYTES } from "./encode/node-record.js";
import { HEADER_BYTES, TRANSFER_BYTES, SHARED_CLASSES } from "./kernel/plan-block.js";
import { nodeBytesOf } from "./compile.js";
import type { Payload } from "./payload.js";

/** Where the fixed-length parameters go, what the tables take, and each layout. */
export function explain(moves: readonly Move[], { moves: encoded, lookaside, tableBits }: Payload): string {
  const fixedBytes = nodeBytesOf(encoded);
  const planBytes = HEADER_BYTES + moves.length * TRANSFER_BYTES + fixedBytes;
  const head = `one launch of the generic kernel, ${moves.length} moves; ${placeOf(planBytes)}`;
  const tables = `lookaside buffer: ${lookaside.byteLength} bytes of ${tableBits}-bit tables`;
  const each = moves.map((move, i) => {
    const side = encoded[i]?.[directionOf(move) === "pack" || directionOf(move) === "copy" ? "source" : "target"];
    const records = (side?.nodes.byteLength ?? 0) / NODE_BYTES;
    const word = `words of up to ${side?.repeatGranularity ?? 1} bytes (${side?.elementGranularity ?? 1} within an element)`;
    const { reduction } = move;
    const what = reduction === undefined ? directionOf(move) : `${reduction.op} of ${reduction.element}`;
    return `move ${i}: ${what}, ${records} records, ${word}\n${printLayout(scatteredLayout(move))}`;
  });
  return [head, tables, ...each].join("\n");
}

function placeOf(planBytes: number): string {
  if (planBytes <= Math.max(...SHARED_CLASSES))
    return `${planBytes} bytes of fixed parameters, copied to shared memory by each block`;
  return `${planBytes} bytes of fixed parameters, too many for shared memory: read from device memory`;
}
