import { recordFormat, type RecordFormat } from "@stowage/backend-api";

const GROUP_RECORD = recordFormat(
  "tabled_group",
  "Pools that share tables and layouts. Behind a launch_header: groups, the places of all pools, nodes.",
  [
    ["firstTile", "u32", "the first tile of the grid that is this group's"],
    ["tilesPerPool", "u32", "how many each of its pools has"],
    ["places", "u32", "the place of its first pool: bytes from the header's start"],
    ["pieces", "u32", "that the threads of an element take one after the other: tiles hold some each"],
    ["sourceNode", "u32", "the record of one element, of each side; not read of a side that is dense"],
    ["targetNode", "u32", ""],
    ["elements", "u32", ""],
    ["narrow", "u32", "1 where it takes the narrower of a kernel's two widths of words, otherwise 0"],
    ["sizeBytes", "i64", "packed bytes of an element"],
    ["firstByte", "i64", "the packed range, and the elements that it touches"],
    ["endByte", "i64", ""],
    ["firstElement", "i64", ""],
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
export const GROUP = GROUP_RECORD.offsets;
export const GROUP_BYTES = GROUP_RECORD.bytes;

const PLACE_RECORD = recordFormat("tabled_place", "Where the displacements of each side of a pool count from.", [
  ["source", "i64", ""],
  ["target", "i64", ""],
]);
export const PLACE = PLACE_RECORD.offsets;
export const PLACE_BYTES = PLACE_RECORD.bytes;

/** The records that programs that launch the kernels of pageCode themselves need, beside LAUNCH_FORMAT. */
export const TABLED_FORMAT: Readonly<Record<"group" | "place", RecordFormat>> = {
  group: GROUP_RECORD,
  place: PLACE_RECORD,
};

/** By-value sizes that these kernels are built for: the driver copies all of them at each launch. */
export const TABLED_CLASSES = [192, 512, 1024, 2048, 4096, 8192, 16_384, 30_720] as const;
