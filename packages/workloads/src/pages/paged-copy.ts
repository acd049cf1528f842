import { boundsOf, contiguous, hindexedBlock, hvector, predefined, type Datatype } from "@stowage/ir";
import type { WorkloadDefinition } from "../definition.js";
import { drawDistinct, seededDraw } from "../seeded-draw.js";

/** Pools whose pages move by the same tables, and what of a page moves. */
export interface PagedGroup {
  /** What of a page moves, as the source and as the target lay it out. */
  readonly page: { readonly source: Datatype; readonly target: Datatype };
  readonly source: PagedPools;
  readonly target: PagedPools;
}

/** Where pages lie: page p of pool i at `firstBytes[i]` + p times `strideBytes` of its memory. */
export interface PagedPools {
  /** The byte of each pool's memory at which its page 0 begins, an entry a pool. */
  readonly firstBytes: readonly number[];
  /** Bytes from a page to the next. */
  readonly strideBytes: number;
  /** Whether pools lie in one memory, as slices of each page, or each in its own. */
  readonly isShared: boolean;
  /** Which entries of a table are pages: the first `used` of each `of`. */
  readonly entries: { readonly used: number; readonly of: number };
}

/** A copy of pages as programs make it: what moves at each entry of its tables, and where. */
export interface PagedCopy {
  readonly name: string;
  /** What moves, in one line. */
  readonly description: string;
  /** The program or model that it comes from. */
  readonly source: string;
  /** Pools that one copy moves, by the same tables. */
  readonly groups: readonly PagedGroup[];
  /** Which sides are placed by a table; the other one's pages follow each other. */
  readonly placed: "both" | "source" | "target";
  /** Where the target lies: of a cache that spills, in host memory. */
  readonly memory: "device" | "host";
}

const byte = predefined("MPI_BYTE");
const bytes = (length: number): Datatype => contiguous(length, byte);

const EVERY = { used: 1, of: 1 } as const;

/** So many pools of their own memory. */
const own = (pools: number, strideBytes: number): PagedPools => ({
  firstBytes: new Array<number>(pools).fill(0),
  strideBytes,
  isShared: false,
  entries: EVERY,
});

const dense = (pools: number, pageBytes: number): PagedGroup => ({
  page: { source: bytes(pageBytes), target: bytes(pageBytes) },
  source: own(pools, pageBytes),
  target: own(pools, pageBytes),
});

const DIMENSIONS = 128;
const BF16_BYTES = 2;
const HEAD_BYTES = DIMENSIONS * BF16_BYTES;
const HEADS = 8;
const TOKENS = 16;
const LAYERS = 4;
const TOKEN_BYTES = HEADS * HEAD_BYTES;
const BLOCK_BYTES = TOKENS * TOKEN_BYTES;

const copyOf = (
  name: string,
  description: string,
  source: string,
  groups: readonly PagedGroup[],
  rest: Partial<Pick<PagedCopy, "placed" | "memory">> = {},
): PagedCopy =>
  Object.freeze({ name: `pages/${name}`, description, source, groups, placed: "both", memory: "device", ...rest });

const VLLM = "vLLM: kv_cache_shape of its attention backends, a tensor a layer";

/** `heads` of the heads of each token, from one on: what a rank of another tensor parallelism holds. */
const headSlice = (heads: number): Datatype => hvector(TOKENS, heads * HEAD_BYTES, TOKEN_BYTES, byte);

const LONG_TOKENS = 64;
/** 16 tokens of all heads within a block of 64 whose heads come first: a slot at a multiple of what one head takes. */
const slotOfLong = hvector(HEADS, TOKENS * HEAD_BYTES, LONG_TOKENS * HEAD_BYTES, byte);
const SLOT_BYTES = TOKENS * HEAD_BYTES;
/** Quarters of blocks of 64: entries count slots of one head, of which a block has 32 and its quarters the first 4. */
const quarters: PagedPools = {
  ...own(2, SLOT_BYTES),
  entries: { used: LONG_TOKENS / TOKENS, of: (HEADS * LONG_TOKENS) / TOKENS },
};
const blocks = own(2, BLOCK_BYTES);
const block = bytes(BLOCK_BYTES);

const MLA = "DeepSeek-V3 and V3.2 as vLLM and SGLang cache them: 512 + 64 dimensions a token";

const layout = [
  copyOf(
    "vllm-2-blocks",
    "blocks of 16 tokens, 8 heads of 128 in bf16, keys and values apart: two pools a layer of four",
    VLLM,
    [dense(2 * LAYERS, BLOCK_BYTES)],
  ),
  copyOf("vllm-blocks-2", "the same with keys and values of a block side by side: a pool a layer of four", VLLM, [
    dense(LAYERS, 2 * BLOCK_BYTES),
  ]),
  copyOf(
    "heads-4-of-8",
    "half the heads of each token to a cache that holds only these: tensor parallelism 1 to 2",
    "NIXL and vLLM connectors between instances of unequal tensor parallelism",
    [
      {
        page: { source: headSlice(HEADS / 2), target: bytes(BLOCK_BYTES / 2) },
        source: own(2, BLOCK_BYTES),
        target: own(2, BLOCK_BYTES / 2),
      },
    ],
  ),
  copyOf(
    "heads-1-of-8",
    "one head of each token: tensor parallelism 1 to 8",
    "NIXL and vLLM connectors between instances of unequal tensor parallelism",
    [
      {
        page: { source: headSlice(1), target: bytes(BLOCK_BYTES / HEADS) },
        source: own(2, BLOCK_BYTES),
        target: own(2, BLOCK_BYTES / HEADS),
      },
    ],
  ),
  copyOf(
    "block-16-to-64",
    "blocks of 16 tokens, heads first, into quarters of blocks of 64",
    "instances of unequal block size",
    [{ page: { source: block, target: slotOfLong }, source: blocks, target: quarters }],
  ),
  copyOf(
    "block-64-to-16",
    "quarters of blocks of 64 tokens, heads first, into blocks of 16",
    "instances of unequal block size",
    [{ page: { source: slotOfLong, target: block }, source: quarters, target: blocks }],
  ),
  copyOf(
    "tokens-to-heads",
    "blocks of 16 tokens whose heads come last, into blocks whose heads come first",
    "NHD and HND layouts of vLLM and FlashInfer",
    [
      {
        page: {
          source: hvector(HEADS, 1, HEAD_BYTES, hvector(TOKENS, HEAD_BYTES, TOKEN_BYTES, byte)),
          target: bytes(BLOCK_BYTES),
        },
        source: own(2, BLOCK_BYTES),
        target: own(2, BLOCK_BYTES),
      },
    ],
  ),
  copyOf(
    "layers-to-pages",
    "a pool a layer on the device to pages on the host that hold all layers: layer first to page first",
    "SGLang's HiCache: transfer_kv_all_layer_lf_pf",
    [
      {
        ...dense(LAYERS, BLOCK_BYTES),
        target: {
          firstBytes: Array.from({ length: LAYERS }, (_, layer) => layer * BLOCK_BYTES),
          strideBytes: LAYERS * BLOCK_BYTES,
          isShared: true,
          entries: EVERY,
        },
      },
    ],
    { memory: "host" },
  ),
  copyOf("mla-bf16", "a latent of 576 dimensions in bf16, a token", MLA, [dense(LAYERS, 1152)]),
  copyOf("mla-fp8", "a latent in fp8 with its scales, 656 bytes, and an index of 132 bytes, a token", MLA, [
    dense(LAYERS, 656),
    dense(LAYERS, 132),
  ]),
  copyOf(
    "token-tp8-fp8",
    "a token of one head of 128 in fp8: page size 1 at tensor parallelism 8",
    "SGLang, page size 1",
    [dense(2 * LAYERS, 128)],
  ),
  copyOf(
    "token-tp8-bf16",
    "a token of one head of 128 in bf16: page size 1 at tensor parallelism 8",
    "SGLang, page size 1",
    [dense(2 * LAYERS, 256)],
  ),
  copyOf(
    "embedding",
    "rows of 2,048 numbers in bf16 of an embedding, one after another",
    "torch.index_select of an embedding",
    [dense(1, 4096)],
    { placed: "source" },
  ),
  copyOf(
    "embedding-short",
    "rows of 128 numbers in fp32 of an embedding, one after another",
    "tables of recommendation models (DLRM)",
    [dense(1, 512)],
    { placed: "source" },
  ),
  copyOf(
    "moe-permute",
    "tokens of 7,168 numbers in bf16, sorted by their experts",
    "permute of a mixture of experts (DeepSeek-V3's width)",
    [dense(1, 14_336)],
    { placed: "source" },
  ),
  copyOf(
    "moe-unpermute",
    "the same tokens back to their places",
    "unpermute of a mixture of experts (DeepSeek-V3's width)",
    [dense(1, 14_336)],
    { placed: "target" },
  ),
];

/** Lengths of plain pages: powers of two, and odd multiples of 16. */
const PAGE_BYTES = [128, 144, 512, 656, 1040, 2048, 3088, 8192, 9232, 24_576, 65_536];

const plain = PAGE_BYTES.map((pageBytes) =>
  copyOf(
    String(pageBytes),
    `pages of ${pageBytes} bytes`,
    "page sizes of serving engines' caches, and lengths that no warp divides",
    [dense(1, pageBytes)],
  ),
);

/** Every paged copy there is, in the order of the catalogue. */
export const PAGED_COPIES: readonly PagedCopy[] = [...layout, ...plain];

const SEED = 27;
/** Pages of a pool for each one that moves. */
const SPREAD = 4;
const USUAL_PAGES = 256;

/** What a paged copy reads of its first pool, as a datatype: the pages of a random table. */
export const PAGES: readonly WorkloadDefinition[] = PAGED_COPIES.map(({ groups: [group], ...labels }) => {
  const { page, source } = group as PagedGroup;
  const pageBytes = boundsOf(page.source).sizeBytes;
  return {
    name: labels.name,
    description: labels.description,
    source: labels.source,
    group: "pages",
    defaultScale: USUAL_PAGES,
    sizeBytes: (pages) => pages * pageBytes,
    build: (pages) => {
      const slots = drawDistinct(seededDraw(SEED), pages, SPREAD * pages);
      const displacements = Array.from(
        slots,
        (slot) => slot * Math.max(source.strideBytes, boundsOf(page.source).trueExtentBytes),
      );
      return { datatype: hindexedBlock(1, displacements, page.source), count: 1 };
    },
  };
});
