import { recordFormat, type RecordFormat } from "@stowage/backend-api";

const RECORD = recordFormat(
  "tabled_transfer",
  "What a launch reads of a move with tables; records follow a launch_header, the layouts' nodes follow them.",
  [
    ["firstTile", "u32", "the first tile of the grid that is this move's"],
    ["sourceNode", "u32", "the record of one element, of each side"],
    ["targetNode", "u32", ""],
    ["pieces", "u32", "that the threads of an element take one after the other: tiles hold some each"],
    ["source", "i64", "where the displacements of each side count from"],
    ["target", "i64", ""],
    ["sizeBytes", "i64", "packed bytes of an element"],
    ["firstByte", "i64", "the packed range, and the elements that it touches"],
    ["endByte", "i64", ""],
    ["firstElement", "i64", ""],
    ["elements", "u32", ""],
    ["narrow", "u32", "1 where it takes the narrower of a kernel's two widths of words, otherwise 0"],
    ["count", "i64", "of a counted launch: where the number of elements stands"],
    ["sourceTable", "i64", "entry 0 of each table; without a table, elements lie a stride apart"],
    ["targetTable", "i64", ""],
    ["sourceStride", "i64", ""],
    ["targetStride", "i64", ""],
    ["sourceLeast", "i64", "the entries whose elements lie within their memory"],
    ["sourceMost", "i64", ""],
    ["targetLeast", "i64", ""],
    ["targetMost", "i64", ""],
  ],
);
export const TABLED_RECORD: RecordFormat = RECORD;
export const TABLED = RECORD.offsets;
export const TABLED_BYTES = RECORD.bytes;
