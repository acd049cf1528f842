import { predefined, quoted, vector } from "@stowage/ir";
import type { Communicator } from "../communicator/communicator.js";
import { BridgeError } from "../errors.js";
import type { World } from "./world.js";
import type { MeasuredCost } from "../message/datatype/measured-cost.js";

/** What one MPI costs on this machine, for a profile: `stowage calibrate` keeps it. */
export interface MpiTerms {
  /** The MPI's name and version, such as `openmpi-4.1.4`. */
  readonly mpi: string;
  /**
   * Nanoseconds of half a round trip between ranks 0 and 1, for messages of so many contiguous bytes; none in a world
   * of one.
   */
  readonly messages: readonly { readonly bytes: number; readonly medianNs: number }[];
  /** What packing costs by the MPI and by ours: `bytes` of doubles, in blocks of `blockBytes` with gaps as long. */
  readonly packs: readonly (Omit<MeasuredCost, "apart" | "carrier" | "route"> & {
    readonly blockBytes: number;
    readonly bytes: number;
  })[];
}

const MESSAGE_BYTES = [8, 1024, 16_384, 262_144, 1_048_576] as const;
const BLOCK_DOUBLES = [1, 4, 32] as const;
const PACKED_DOUBLES = 8192;
const DOUBLE_BYTES = 8;
const SAMPLES = 9;
/** Bytes that the samples of one size send, about. */
const SAMPLE_BYTES = 2 ** 21;
const MOST_TURNS = 500;

/**
 * Measures what the MPI costs, under mpirun, in a few hundred milliseconds. All ranks call it and get rank 0's figures.
 * Throws a BridgeError for what is no world.
 */
export function measureTerms(world: World): MpiTerms {
  if (typeof world !== "object" || (world as World | null)?.mpi === undefined)
    throw new BridgeError("world to measure", "what openMpi gave", quoted(world));
  using own = world.world.dup();
  const messages = own.size < 2 ? [] : MESSAGE_BYTES.map((bytes) => ({ bytes, medianNs: halfRoundTrip(own, bytes) }));
  const packs = BLOCK_DOUBLES.map((doubles) => packing(world, own, doubles));
  return { mpi: world.mpi.name, messages, packs };
}

function halfRoundTrip(comm: Communicator, bytes: number): number {
  const [out, into] = [new Uint8Array(bytes), new Uint8Array(bytes)];
  const turns = Math.min(MOST_TURNS, Math.ceil(SAMPLE_BYTES / bytes));
  const samples = Array.from({ length: SAMPLES }, () => {
    comm.barrier();
    const start = performance.now();
    for (let i = 0; i < turns; i++) turn(comm, out, into);
    return ((performance.now() - start) / turns / 2) * 1e6;
  });
  return agreed(comm, samples.sort((a, b) => a - b)[SAMPLES >> 1] as number);
}

function turn(comm: Communicator, out: Uint8Array, into: Uint8Array): void {
  if (comm.rank === 0) {
    comm.send(out, 1);
    comm.recv(into, 1);
  } else if (comm.rank === 1) {
    comm.recv(into, 0);
    comm.send(out, 0);
  }
}

function packing(world: World, comm: Communicator, doubles: number): MpiTerms["packs"][number] {
  const blocks = PACKED_DOUBLES / doubles;
  using type = world.commit(vector(blocks, doubles, 2 * doubles, predefined("MPI_DOUBLE")), { carrier: "auto" });
  const { nativeNs, packedNs } = world.packsOf({
    buffer: new Float64Array(2 * PACKED_DOUBLES),
    datatype: type,
    count: 1,
  });
  return {
    blockBytes: doubles * DOUBLE_BYTES,
    bytes: type.sizeBytes,
    nativeNs: agreed(comm, nativeNs),
    packedNs: agreed(comm, packedNs),
  };
}

/** Rank 0's figure, on all ranks. */
function agreed(comm: Communicator, figure: number): number {
  const cell = Float64Array.of(figure);
  comm.bcast(cell, 0);
  return cell[0] as number;
}
