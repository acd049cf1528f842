import { ArgumentError, quoted } from "@stowage/ir";
import type { Context } from "@stowage/cuda-driver";
import { UNIQUE_ID_BYTES, type Libnccl } from "./calls.js";
import { check } from "./check.js";
import { NcclCommunicator } from "./communicator.js";
import { nativeLibnccl } from "./native/libnccl.js";
import { NcclError } from "./nccl-error.js";
import { simulatedLibnccl, type SimulatedNcclOptions } from "./simulated/libnccl.js";
import { requireVersion, versionText } from "./version.js";

/** Which rank of how many a process is in a communicator. */
export interface Member {
  /** The 128 bytes that `uniqueId` gave to one of them; the same for all. */
  readonly id: Uint8Array;
  /** The process's number, from 0 to size - 1. */
  readonly rank: number;
  /** How many processes the communicator has. */
  readonly size: number;
}

/** A loaded NCCL library, real or simulated. */
export class Nccl {
  /** The calls of the library. */
  readonly libnccl: Libnccl;
  /** The release, such as "2.27.3". */
  readonly version: string;

  /** Throws an NcclError for a version without sends and receives. */
  constructor(libnccl: Libnccl) {
    this.libnccl = libnccl;
    const version = new Int32Array(1);
    check(libnccl, "ncclGetVersion", libnccl.ncclGetVersion(version));
    this.version = versionText(requireVersion(version[0] as number));
  }

  /**
   * A name, of 128 bytes, for a communicator that is to be made: one process asks for it and sends it to the others
   * (ncclGetUniqueId). Throws an NcclError.
   */
  uniqueId(): Uint8Array {
    const id = new Uint8Array(UNIQUE_ID_BYTES);
    check(this.libnccl, "ncclGetUniqueId", this.libnccl.ncclGetUniqueId(id));
    return id;
  }

  /**
   * Makes a communicator of one GPU a rank; returns once all ranks have called it (ncclCommInitRank). Throws an
   * NcclError, as where two ranks use one GPU, an ArgumentError for an id of another length.
   */
  communicator(context: Context, { id, rank, size }: Member): NcclCommunicator {
    if (!(id instanceof Uint8Array) || id.length !== UNIQUE_ID_BYTES)
      throw new ArgumentError("id of a communicator", `${UNIQUE_ID_BYTES} bytes`, quoted(id));
    const comm = new BigUint64Array(1);
    context.makeCurrent();
    check(this.libnccl, "ncclCommInitRank", this.libnccl.ncclCommInitRank(comm, size, id, rank));
    return new NcclCommunicator(this.libnccl, context, Number(comm[0]), { rank, size });
  }
}

/** libnccl as packages of NVIDIA and of distributions name it. */
const LIBRARY = "libnccl.so.2";

/**
 * Loads NCCL of this machine: `library`, by its path, or what STOWAGE_NCCL names, or libnccl.so.2. Throws an NcclError
 * that says what is missing.
 */
export function openNccl(library = process.env["STOWAGE_NCCL"] ?? LIBRARY): Nccl {
  if (typeof library !== "string") throw new ArgumentError("library", "a path", quoted(library));
  return new Nccl(loaded(library));
}

/** NCCL among simulated GPUs, of this process or of several. Throws an NcclError for a driver that is not simulated. */
export const openSimulatedNccl = (driver: Pick<Context, "libcuda">, options: SimulatedNcclOptions = {}): Nccl =>
  new Nccl(simulatedLibnccl(driver.libcuda, options));

function loaded(library: string): Libnccl {
  try {
    return nativeLibnccl(library);
  } catch (cause) {
    const got = cause instanceof Error ? cause.message : String(cause);
    throw new NcclError(
      library,
      `expected NCCL 2.7 or later, got none (${got}): install libnccl2, or name it by STOWAGE_NCCL`,
      {
        cause,
      },
    );
  }
}
