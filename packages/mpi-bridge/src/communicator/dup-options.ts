import { DEVICE_CARRIERS, type DeviceCarriers, type FramingOptions } from "../carriers/framed/framing-options.js";
import { PIECE_BYTES } from "../carriers/nccl/pieces.js";
import { A_COUNT, AN_OBJECT, givenOptions, integerFrom, oneOf, rulesOf } from "../option-rules.js";
import { REDUCTION_CARRIERS, type ReductionCarrier } from "../parts/reductions/reduction-plan.js";

/** How large messages go in chunks. */
export interface PipelineOptions {
  /** Bytes of a chunk, 1024 to 2^30. Shorter messages are one chunk. Default: 262144; of messages by NCCL 2^25. */
  readonly chunkBytes?: number | undefined;
  /** How many chunks are under way at once, 1 or more. Default: 3. */
  readonly depth?: number | undefined;
}

/** What all ranks agree on as a communicator is duplicated. */
export interface DupOptions {
  /**
   * Large messages are packed, sent and unpacked chunk by chunk, so that these overlap; between ranks of one host they
   * go through memory that both map, where that is predicted to take less. Default: every message is one.
   */
  readonly pipeline?: PipelineOptions | undefined;
  /**
   * "ipc": elements in the memory of GPUs may go from one to the other, where both ranks are on one host; "nccl": they
   * may go by NCCL, and dup throws where that cannot be; "auto": by either, where there is one. Default: "staged",
   * through the host. ("direct" is a deprecated name of "ipc".)
   */
  readonly devices?: "staged" | DeviceCarriers | "direct" | undefined;
  /**
   * The GPU by which this rank takes part in NCCL: CUDA's device ordinal, from 0. Default: ranks of a host take its
   * GPUs in turns.
   */
  readonly gpu?: number | undefined;
  /**
   * "check", a debug option: each receive compares its type signature with the sender's, and throws a BridgeError where
   * they do not match (MPI 4.1, section 3.3.1). Default: "trust".
   */
  readonly signatures?: "check" | "trust" | undefined;
  /**
   * How reductions go: "arriving", elements are combined as they arrive, among programs of this package; "auto",
   * whichever is expected to take less. Default: "packed", the MPI reduces packed elements.
   */
  readonly reductions?: ReductionCarrier | undefined;
}

/** What all ranks must have given alike. */
export interface Agreed {
  /** Undefined where messages stay plain. */
  readonly framing: FramingOptions | undefined;
  readonly reductions: ReductionCarrier;
}

const LEAST_CHUNK_BYTES = 1024;
const MOST_CHUNK_BYTES = 2 ** 30;

const DUP_OPTIONS = rulesOf<DupOptions>({
  pipeline: { ...AN_OBJECT, expected: "{ chunkBytes, depth }" },
  devices: oneOf(...DEVICE_CARRIERS, "direct"),
  gpu: { ...integerFrom(0), expected: "the ordinal of a GPU" },
  signatures: oneOf("check", "trust"),
  reductions: oneOf(...REDUCTION_CARRIERS),
});

const PIPELINE_OPTIONS = rulesOf<PipelineOptions>({
  chunkBytes: integerFrom(LEAST_CHUNK_BYTES, MOST_CHUNK_BYTES),
  depth: A_COUNT,
});

/** What there is to agree on; undefined where nothing is. Throws a BridgeError for options that there are not. */
export function agreedOptions(options: DupOptions): Agreed | undefined {
  const { reductions = "packed" } = givenOptions(options, DUP_OPTIONS, "options of dup");
  const framing = framingOptions(options);
  return framing === undefined && reductions === "packed" ? undefined : { framing, reductions };
}

function framingOptions(options: DupOptions): FramingOptions | undefined {
  const { pipeline, signatures, devices = "staged" } = options;
  if (pipeline === undefined && signatures !== "check" && devices === "staged") return undefined;
  const { chunkBytes = 262_144, depth = 3 } = givenOptions(pipeline ?? {}, PIPELINE_OPTIONS, "pipeline of dup");
  const pieceBytes = pipeline?.chunkBytes ?? PIECE_BYTES;
  return {
    chunkBytes,
    depth,
    checksSignatures: signatures === "check",
    pieceBytes,
    ...{ devices: devices === "direct" ? "ipc" : devices },
  };
}
