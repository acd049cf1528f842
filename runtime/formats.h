/* Made of the tables of TypeScript: `npx vitest run packages/compile/tests/formats -u`. Records that C and
 * TypeScript both read: names, widths, places. All numbers are little-endian. */
/* clang-format off */
#ifndef STOWAGE_FORMATS_H
#define STOWAGE_FORMATS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "byte order: expected a little-endian machine, as artifacts are for"
#endif

/* --- Artifacts: packages/backend-api/src/container/format.ts --- */

enum {
  ARTIFACT_VERSION = 2,
  ARTIFACT_X64_VERSION = 1,
  ARTIFACT_FRAMES_ALIGNMENT = 8
};

/* One side of a move, in bytes: elements stand an extent apart. */
struct artifact_bounds {
  int64_t extent;
  int64_t lower_bound;
  int64_t true_extent;
  int64_t true_lower_bound;
};
static_assert(sizeof(struct artifact_bounds) == 32, "artifact_bounds");
static_assert(offsetof(struct artifact_bounds, extent) == 0, "artifact_bounds.extent");
static_assert(offsetof(struct artifact_bounds, lower_bound) == 8, "artifact_bounds.lower_bound");
static_assert(offsetof(struct artifact_bounds, true_extent) == 16, "artifact_bounds.true_extent");
static_assert(offsetof(struct artifact_bounds, true_lower_bound) == 24, "artifact_bounds.true_lower_bound");

/* A container's first bytes; offsets count from them. */
struct artifact {
  uint8_t magic[8]; /* "STOWAGE" and 0x1A */
  uint32_t version; /* of the container */
  uint32_t header_length; /* bytes of the header, JSON, behind the moves */
  uint64_t total_length; /* bytes of the whole */
  uint32_t checksum; /* CRC-32 of all other bytes */
  uint32_t moves; /* records behind this one; in version 1: 0 */
  char backend[24]; /* ended by a zero; all zeros where its name is longer or not in ASCII */
  uint32_t payload_version;
  uint32_t zero;
  char level[16]; /* of the code, as the backend names it */
  uint64_t code; /* 0 and 0 where the payload holds none */
  uint64_t code_bytes;
  uint64_t description; /* of the type; 0 and 0 where there is none */
  uint64_t description_bytes;
  uint64_t frames; /* records for unwinders, of the code; 0 and 0 where there are none */
  uint64_t frames_bytes;
};
static_assert(sizeof(struct artifact) == 128, "artifact");
static_assert(offsetof(struct artifact, magic) == 0, "artifact.magic");
static_assert(offsetof(struct artifact, version) == 8, "artifact.version");
static_assert(offsetof(struct artifact, header_length) == 12, "artifact.header_length");
static_assert(offsetof(struct artifact, total_length) == 16, "artifact.total_length");
static_assert(offsetof(struct artifact, checksum) == 24, "artifact.checksum");
static_assert(offsetof(struct artifact, moves) == 28, "artifact.moves");
static_assert(offsetof(struct artifact, backend) == 32, "artifact.backend");
static_assert(offsetof(struct artifact, payload_version) == 56, "artifact.payload_version");
static_assert(offsetof(struct artifact, zero) == 60, "artifact.zero");
static_assert(offsetof(struct artifact, level) == 64, "artifact.level");
static_assert(offsetof(struct artifact, code) == 80, "artifact.code");
static_assert(offsetof(struct artifact, code_bytes) == 88, "artifact.code_bytes");
static_assert(offsetof(struct artifact, description) == 96, "artifact.description");
static_assert(offsetof(struct artifact, description_bytes) == 104, "artifact.description_bytes");
static_assert(offsetof(struct artifact, frames) == 112, "artifact.frames");
static_assert(offsetof(struct artifact, frames_bytes) == 120, "artifact.frames_bytes");

/* How unwinders find callers from a stretch of code: call frame instructions follow, then zeros. */
struct artifact_frames {
  uint32_t code; /* where it begins in the code */
  uint32_t code_bytes;
  uint32_t instruction_bytes; /* DWARF 5, section 6.4.2, behind a canonical frame address of rsp + 8 */
  uint32_t zero;
};
static_assert(sizeof(struct artifact_frames) == 16, "artifact_frames");
static_assert(offsetof(struct artifact_frames, code) == 0, "artifact_frames.code");
static_assert(offsetof(struct artifact_frames, code_bytes) == 4, "artifact_frames.code_bytes");
static_assert(offsetof(struct artifact_frames, instruction_bytes) == 8, "artifact_frames.instruction_bytes");
static_assert(offsetof(struct artifact_frames, zero) == 12, "artifact_frames.zero");

/* One move of a container. */
struct artifact_move {
  int64_t size; /* packed bytes of one element */
  struct artifact_bounds source;
  struct artifact_bounds target;
  uint32_t direction; /* 0 pack, 1 unpack, 2 copy, 3 reduce, 4 by displacement tables */
  uint32_t run; /* mean bytes of a contiguous run, at most 2^32 - 1; 0: not told */
  uint64_t entry; /* in the code */
  uint64_t zeros;
};
static_assert(sizeof(struct artifact_move) == 96, "artifact_move");
static_assert(offsetof(struct artifact_move, size) == 0, "artifact_move.size");
static_assert(offsetof(struct artifact_move, source) == 8, "artifact_move.source");
static_assert(offsetof(struct artifact_move, target) == 40, "artifact_move.target");
static_assert(offsetof(struct artifact_move, direction) == 72, "artifact_move.direction");
static_assert(offsetof(struct artifact_move, run) == 76, "artifact_move.run");
static_assert(offsetof(struct artifact_move, entry) == 80, "artifact_move.entry");
static_assert(offsetof(struct artifact_move, zeros) == 88, "artifact_move.zeros");

/* --- Descriptions of datatypes: packages/backend-api/src/type-key/describe-type.ts --- */

enum {
  DESCRIPTION_PREDEFINED = 0,
  DESCRIPTION_CONTIGUOUS = 1,
  DESCRIPTION_VECTOR = 2,
  DESCRIPTION_HVECTOR = 3,
  DESCRIPTION_INDEXED = 4,
  DESCRIPTION_HINDEXED = 5,
  DESCRIPTION_INDEXED_BLOCK = 6,
  DESCRIPTION_HINDEXED_BLOCK = 7,
  DESCRIPTION_STRUCT = 8,
  DESCRIPTION_SUBARRAY = 9,
  DESCRIPTION_DARRAY = 10,
  DESCRIPTION_RESIZED = 11,
  DESCRIPTION_DUP = 12
};

/* How a node of a description begins; its lists follow. */
struct description_node {
  int64_t words; /* that follow this one */
  int64_t kind; /* its constructor */
  int64_t lower_bound;
  int64_t extent;
  int64_t integers; /* how many follow; behind them addresses, and children, each list behind its length */
};
static_assert(sizeof(struct description_node) == 40, "description_node");
static_assert(offsetof(struct description_node, words) == 0, "description_node.words");
static_assert(offsetof(struct description_node, kind) == 8, "description_node.kind");
static_assert(offsetof(struct description_node, lower_bound) == 16, "description_node.lower_bound");
static_assert(offsetof(struct description_node, extent) == 24, "description_node.extent");
static_assert(offsetof(struct description_node, integers) == 32, "description_node.integers");

/* --- A launch: packages/backend-cuda-generic/src/kernel/plan-block.ts --- */

enum {
  LAUNCH_MOST_BYTES = 30720
};

enum {
  LAUNCH_NODE_DENSE = 0,
  LAUNCH_NODE_STREAM = 1,
  LAUNCH_NODE_LISTED = 2,
  LAUNCH_NODE_RUNS = 3,
  LAUNCH_NODE_BLOCKS = 4,
  LAUNCH_NODE_SEQUENCE = 5
};

/* What one launch is told: this, its transfers, their nodes. */
struct launch_header {
  uint64_t lookaside; /* what is added to the places of tables in nodes */
  uint32_t transfers;
  uint32_t tiles; /* blocks of the grid */
};
static_assert(sizeof(struct launch_header) == 16, "launch_header");
static_assert(offsetof(struct launch_header, lookaside) == 0, "launch_header.lookaside");
static_assert(offsetof(struct launch_header, transfers) == 8, "launch_header.transfers");
static_assert(offsetof(struct launch_header, tiles) == 12, "launch_header.tiles");

/* One move, with its memory and range. */
struct launch_transfer {
  uint32_t first_tile; /* the first tile of the grid that is this transfer's */
  uint32_t mode; /* how its body moves: in words of 2^mode bytes, or see MODES */
  uint64_t source; /* where the offsets of each side count from */
  uint64_t target;
  union {
    uint32_t source_node; /* each side's first node: in this block, or among the nodes where they lie apart */
    uint32_t built_in; /* of a specialised kernel: which of its layouts are the transfer's */
  };
  uint32_t target_node;
  int64_t body_first; /* packed position of the first whole word */
  int64_t words;
  uint32_t head_bytes; /* before the first whole word */
  uint32_t tail_bytes; /* behind the last whole word */
  uint32_t source_regions; /* lists of regions in this block; 0 where one buffer holds a side */
  uint32_t target_regions;
  int64_t read_low; /* addresses of the source that may be read: gathering reads whole words around runs */
  int64_t read_high;
  uint32_t run_bytes; /* for runs moved whole: their length, its pieces of 16 bytes, and what divides by their number */
  uint32_t pieces;
  uint32_t pieces_multiplier;
  uint32_t pieces_shift;
};
static_assert(sizeof(struct launch_transfer) == 96, "launch_transfer");
static_assert(offsetof(struct launch_transfer, first_tile) == 0, "launch_transfer.first_tile");
static_assert(offsetof(struct launch_transfer, mode) == 4, "launch_transfer.mode");
static_assert(offsetof(struct launch_transfer, source) == 8, "launch_transfer.source");
static_assert(offsetof(struct launch_transfer, target) == 16, "launch_transfer.target");
static_assert(offsetof(struct launch_transfer, source_node) == 24, "launch_transfer.source_node");
static_assert(offsetof(struct launch_transfer, target_node) == 28, "launch_transfer.target_node");
static_assert(offsetof(struct launch_transfer, built_in) == 24, "launch_transfer.built_in");
static_assert(offsetof(struct launch_transfer, body_first) == 32, "launch_transfer.body_first");
static_assert(offsetof(struct launch_transfer, words) == 40, "launch_transfer.words");
static_assert(offsetof(struct launch_transfer, head_bytes) == 48, "launch_transfer.head_bytes");
static_assert(offsetof(struct launch_transfer, tail_bytes) == 52, "launch_transfer.tail_bytes");
static_assert(offsetof(struct launch_transfer, source_regions) == 56, "launch_transfer.source_regions");
static_assert(offsetof(struct launch_transfer, target_regions) == 60, "launch_transfer.target_regions");
static_assert(offsetof(struct launch_transfer, read_low) == 64, "launch_transfer.read_low");
static_assert(offsetof(struct launch_transfer, read_high) == 72, "launch_transfer.read_high");
static_assert(offsetof(struct launch_transfer, run_bytes) == 80, "launch_transfer.run_bytes");
static_assert(offsetof(struct launch_transfer, pieces) == 84, "launch_transfer.pieces");
static_assert(offsetof(struct launch_transfer, pieces_multiplier) == 88, "launch_transfer.pieces_multiplier");
static_assert(offsetof(struct launch_transfer, pieces_shift) == 92, "launch_transfer.pieces_shift");

/* The fixed-length parameters of one node of a layout. */
struct launch_node {
  uint32_t kind;
  uint32_t child; /* bytes from the first node's record to the child's; in a launch from the block's start */
  uint64_t multiplier; /* what divides a position by the child's size: for positions of 64 bits, and of 32 */
  uint32_t shift;
  uint32_t narrow_multiplier;
  uint32_t narrow_shift;
  uint32_t bucket_shift; /* buckets are of 2^bucketShift bytes, each of which knows its first block */
  uint64_t child_bytes; /* of a leaf its own length, of a sequence how many members it has */
  union {
    int64_t stride_bytes;
    uint64_t children; /* of a sequence, in the lookaside buffer; in a launch their address */
  };
  uint64_t entries; /* in the lookaside buffer: entries, or displacements; in a launch their address */
  uint64_t buckets; /* in the lookaside buffer; in a launch their address */
};
static_assert(sizeof(struct launch_node) == 64, "launch_node");
static_assert(offsetof(struct launch_node, kind) == 0, "launch_node.kind");
static_assert(offsetof(struct launch_node, child) == 4, "launch_node.child");
static_assert(offsetof(struct launch_node, multiplier) == 8, "launch_node.multiplier");
static_assert(offsetof(struct launch_node, shift) == 16, "launch_node.shift");
static_assert(offsetof(struct launch_node, narrow_multiplier) == 20, "launch_node.narrow_multiplier");
static_assert(offsetof(struct launch_node, narrow_shift) == 24, "launch_node.narrow_shift");
static_assert(offsetof(struct launch_node, bucket_shift) == 28, "launch_node.bucket_shift");
static_assert(offsetof(struct launch_node, child_bytes) == 32, "launch_node.child_bytes");
static_assert(offsetof(struct launch_node, stride_bytes) == 40, "launch_node.stride_bytes");
static_assert(offsetof(struct launch_node, entries) == 48, "launch_node.entries");
static_assert(offsetof(struct launch_node, buckets) == 56, "launch_node.buckets");
static_assert(offsetof(struct launch_node, children) == 40, "launch_node.children");

/* --- Kernels for GPUs in an artifact: packages/compile/src/ptx/gpu-code.ts --- */

enum {
  GPU_VERSION = 5,
  GPU_MOST_KERNELS = 5,
  GPU_MOST_TEXT_BYTES = 67108864
};

/* A section's first bytes; offsets count from them. */
struct gpu_code {
  char magic[7]; /* "STOWPTX" */
  uint8_t version;
  uint32_t moves; /* records behind this one */
  uint32_t zero;
  uint64_t texts; /* all kernels' PTX one behind the other, matched: matched-bytes.ts */
  uint64_t matched_bytes;
  uint64_t text_bytes; /* of the texts themselves */
  uint64_t zeros;
};
static_assert(sizeof(struct gpu_code) == 48, "gpu_code");
static_assert(offsetof(struct gpu_code, magic) == 0, "gpu_code.magic");
static_assert(offsetof(struct gpu_code, version) == 7, "gpu_code.version");
static_assert(offsetof(struct gpu_code, moves) == 8, "gpu_code.moves");
static_assert(offsetof(struct gpu_code, zero) == 12, "gpu_code.zero");
static_assert(offsetof(struct gpu_code, texts) == 16, "gpu_code.texts");
static_assert(offsetof(struct gpu_code, matched_bytes) == 24, "gpu_code.matched_bytes");
static_assert(offsetof(struct gpu_code, text_bytes) == 32, "gpu_code.text_bytes");
static_assert(offsetof(struct gpu_code, zeros) == 40, "gpu_code.zeros");

/* One side of a move. */
struct gpu_side {
  uint64_t nodes; /* launch_node records: 0 repeats elements, 1 is one */
  uint64_t node_bytes;
  int64_t start; /* from the side's address to its first byte */
};
static_assert(sizeof(struct gpu_side) == 24, "gpu_side");
static_assert(offsetof(struct gpu_side, nodes) == 0, "gpu_side.nodes");
static_assert(offsetof(struct gpu_side, node_bytes) == 8, "gpu_side.node_bytes");
static_assert(offsetof(struct gpu_side, start) == 16, "gpu_side.start");

/* A kernel. */
struct gpu_kernel {
  uint64_t text; /* its PTX in the texts, ended by a zero */
  uint64_t entry; /* its name in the section, ended by a zero */
  uint32_t parameter_bytes;
  uint32_t word_bytes; /* what divides both addresses, and what a thread moves at a time */
  uint32_t threads;
  uint32_t unroll; /* words of a thread */
};
static_assert(sizeof(struct gpu_kernel) == 32, "gpu_kernel");
static_assert(offsetof(struct gpu_kernel, text) == 0, "gpu_kernel.text");
static_assert(offsetof(struct gpu_kernel, entry) == 8, "gpu_kernel.entry");
static_assert(offsetof(struct gpu_kernel, parameter_bytes) == 16, "gpu_kernel.parameter_bytes");
static_assert(offsetof(struct gpu_kernel, word_bytes) == 20, "gpu_kernel.word_bytes");
static_assert(offsetof(struct gpu_kernel, threads) == 24, "gpu_kernel.threads");
static_assert(offsetof(struct gpu_kernel, unroll) == 28, "gpu_kernel.unroll");

/* A move, with kernels for the widest words first. */
struct gpu_move {
  struct gpu_side source;
  struct gpu_side target;
  uint64_t lookaside; /* what varies in length */
  uint64_t lookaside_bytes;
  uint32_t kernel_count;
  uint32_t several_count;
  struct gpu_kernel kernels[5]; /* for one transfer a launch */
  struct gpu_kernel several[5]; /* for several */
  uint64_t block_bytes; /* mean length of the datatype's contiguous blocks */
  uint32_t table_bytes; /* of a number in the lookaside buffer's tables, 4 or 8 */
  uint32_t zero;
  uint64_t zeros[5];
};
static_assert(sizeof(struct gpu_move) == 448, "gpu_move");
static_assert(offsetof(struct gpu_move, source) == 0, "gpu_move.source");
static_assert(offsetof(struct gpu_move, target) == 24, "gpu_move.target");
static_assert(offsetof(struct gpu_move, lookaside) == 48, "gpu_move.lookaside");
static_assert(offsetof(struct gpu_move, lookaside_bytes) == 56, "gpu_move.lookaside_bytes");
static_assert(offsetof(struct gpu_move, kernel_count) == 64, "gpu_move.kernel_count");
static_assert(offsetof(struct gpu_move, several_count) == 68, "gpu_move.several_count");
static_assert(offsetof(struct gpu_move, kernels) == 72, "gpu_move.kernels");
static_assert(offsetof(struct gpu_move, several) == 232, "gpu_move.several");
static_assert(offsetof(struct gpu_move, block_bytes) == 392, "gpu_move.block_bytes");
static_assert(offsetof(struct gpu_move, table_bytes) == 400, "gpu_move.table_bytes");
static_assert(offsetof(struct gpu_move, zero) == 404, "gpu_move.zero");
static_assert(offsetof(struct gpu_move, zeros) == 408, "gpu_move.zeros");

#endif
