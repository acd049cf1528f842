import { checkOptions } from "@stowage/engine";
import { DEVICE_CARRIERS, type DeviceCarriers, type FramingOptions } from "../carriers/framed/framing-options.js";
import { PIECE_BYTES } from "../carriers/nccl/pieces.js";
import { A_COUNT, oneOf, type Rules } from "../option-rules.js";
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
   * Large messages are packed, sent and unpacked chunk by chunk, so that these overlap. Default: every message is one.
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

const AN_ORDINAL: Rules<DupOptions>["gpu"] = {
  expected: "the ordinal of a GPU",
  allows: (value) => Number.isInteger(value) && (value as number) >= 0,
};

const DUP_RULES: Rules<DupOptions> = {
  pipeline: {
    expected: "{ chunkBytes, depth }",
    allows: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  },
  devices: oneOf(...DEVICE_CARRIERS, "direct"),
  gpu: AN_ORDINAL,
  signatures: oneOf("check", "trust"),
  reductions: oneOf(...REDUCTION_CARRIERS),
};

const PIPELINE_RULES: Rules<PipelineOptions> = {
  chunkBytes: {
    expected: `an integer from ${LEAST_CHUNK_BYTES} to ${MOST_CHUNK_BYTES}`,
    allows: (value) =>
      Number.isInteger(value) && (value as number) >= LEAST_CHUNK_BYTES && (value as number) <= MOST_CHUNK_BYTES,
  },
  depth: A_COUNT,
};

/** What there is to agree on; undefined where nothing is. Throws an ArgumentError for options that there are not. */
export function agreedOptions(options: DupOptions): Agreed | undefined {
  checkOptions("options of dup", options, DUP_RULES);
  const { reductions = "packed" } = options;
  const framing = framingOptions(options);
  return framing === undefined && reductions === "packed" ? undefined : { framing, reductions };
}

function framingOptions(options: DupOptions): FramingOptions | undefined {
  const { pipeline, signatures, devices = "staged" } = options;
  if (pipeline === undefined && signatures !== "check" && devices === "staged") return undefined;
  checkOptions("pipeline of dup", pipeline ?? {}, PIPELINE_RULES);
  const { chunkBytes = 262_144, depth = 3 } = pipeline ?? {};
  const pieceBytes = pipeline?.chunkBytes ?? PIECE_BYTES;
  return {
    chunkBytes,
    depth,
    checksSignatures: signatures === "check",
    pieceBytes,
    ...{ devices: devices === "direct" ? "ipc" : devices },
  };
}
