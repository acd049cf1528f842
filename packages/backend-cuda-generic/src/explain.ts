import { describeTables, directionOf, isTabled, scatteredLayout, type Move } from "@stowage/backend-api";
import { printLayout } from "@stowage/ir";
import { NODE_BYTES } from "./encode/node-record.js";
import { HEADER_BYTES, SHARED_CLASSES, TRANSFER_BYTES } from "./kernel/plan-block.js";
import { nodeBytesOf } from "./compile.js";
import type { Payload } from "./payload.js";
import { GROUP_BYTES, PLACE_BYTES, TABLED_CLASSES } from "./tabled/record.js";

/** Where the fixed-length parameters go, what the tables take, and each layout. */
export function explain(moves: readonly Move[], { moves: encoded, lookaside, tableBits }: Payload): string {
  const fixedBytes = nodeBytesOf(encoded);
  const isPlaced = moves.some(isTabled);
  const planBytes = HEADER_BYTES + moves.length * (isPlaced ? GROUP_BYTES + PLACE_BYTES : TRANSFER_BYTES) + fixedBytes;
  const head = isPlaced
    ? `one launch of the kernel of tables, ${moves.length} moves; ${tabledPlaceOf(planBytes)}`
    : `one launch of the generic kernel, ${moves.length} moves; ${placeOf(planBytes)}`;
  const tables = `lookaside buffer: ${lookaside.byteLength} bytes of ${tableBits}-bit tables`;
  const each = moves.map((move, i) => {
    const side = encoded[i]?.[directionOf(move) === "pack" || directionOf(move) === "copy" ? "source" : "target"];
    const records = (side?.nodes.byteLength ?? 0) / NODE_BYTES;
    const word = `words of up to ${side?.repeatGranularity ?? 1} bytes (${side?.elementGranularity ?? 1} within an element)`;
    const { reduction } = move;
    const what = reduction === undefined ? directionOf(move) : `${reduction.op} of ${reduction.element}`;
    const tables = describeTables(move.tables);
    const text = printLayout(scatteredLayout(move));
    return [`move ${i}: ${what}, ${records} records, ${word}`, ...(tables === undefined ? [] : [tables]), text].join(
      "\n",
    );
  });
  return [head, tables, ...each].join("\n");
}

/** Moves that differ in nothing but their memory share a record; which do, bindings say. */
const tabledPlaceOf = (mostBytes: number): string =>
  mostBytes <= Math.max(...TABLED_CLASSES)
    ? `up to ${mostBytes} bytes of records in the kernel's parameters`
    : `up to ${mostBytes} bytes of records: read from device memory where they are too many for the kernel's parameters`;

function placeOf(planBytes: number): string {
  if (planBytes <= Math.max(...SHARED_CLASSES))
    return `${planBytes} bytes of fixed parameters, copied to shared memory by each block`;
  return `${planBytes} bytes of fixed parameters, too many for shared memory: read from device memory`;
}
