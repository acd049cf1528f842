import type { Libcuda, Simulation } from "@stowage/cuda-driver";
import type { Calls, Libnccl } from "../calls.js";
import { NcclError } from "../nccl-error.js";
import { CUDA_ERROR, INVALID_ARGUMENT, INVALID_USAGE, SUCCESS } from "../results.js";
import { SimulatedCommunicator, type SimulatedTransfer } from "./communicator.js";
import { newFolder, Rendezvous } from "./rendezvous.js";

/** What a simulated NCCL pretends to be. */
export interface SimulatedNcclOptions {
  /** The version as ncclGetVersion gives it. Default: 22703, which is 2.27.3. */
  readonly version?: number;
  /** A function that is asked before every call: an ncclResult_t to give instead of making it, or undefined. */
  readonly fault?: (call: keyof Calls) => number | undefined;
}

/** ncclGetErrorString, from ncclSuccess on. */
const TEXTS: readonly string[] = [
  "no error",
  "unhandled cuda error",
  "unhandled system error",
  "internal error",
  "invalid argument",
  "invalid usage",
  "remote process exited or there was a network error",
];

/** The calls of libnccl over simulated devices, of one process or of several that meet in a folder. */
export function simulatedLibnccl({ simulation }: Libcuda, { version = 22_703, fault }: SimulatedNcclOptions): Libnccl {
  if (simulation === undefined) throw new NcclError("simulated NCCL", "expected simulated GPUs, got real ones");
  const nccl = new SimulatedNccl(simulation);
  const calls: Calls = {
    ncclGetVersion: (out) => ((out[0] = version), SUCCESS),
    ncclGetUniqueId(id) {
      new TextEncoder().encodeInto(newFolder(), id.fill(0));
      return SUCCESS;
    },
    ncclCommInitRank: (out, ranks, id, rank) => nccl.join(out, ranks, id, rank),
    ncclCommDestroy: (comm) => nccl.end(comm, (each) => each.leave()),
    ncclCommAbort: (comm) => nccl.end(comm, (each) => each.abort()),
    ncclCommGetAsyncError: (_, out) => ((out[0] = SUCCESS), SUCCESS),
    ncclGroupStart: () => nccl.startGroup(),
    ncclGroupEnd: () => nccl.endGroup(),
    ncclSend: (address, sizeBytes, type, peer, comm, stream) =>
      nccl.add(comm, stream, type, { isSend: true, peer, address, sizeBytes }),
    ncclRecv: (address, sizeBytes, type, peer, comm, stream) =>
      nccl.add(comm, stream, type, { isSend: false, peer, address, sizeBytes }),
  };
  return {
    ...faulty(calls, fault),
    errorText: (result) => TEXTS[result] ?? "unknown result",
    lastError: () => nccl.last,
  };
}

function faulty(calls: Calls, fault: SimulatedNcclOptions["fault"]): Calls {
  if (fault === undefined) return calls;
  const names = Object.keys(calls) as (keyof Calls)[];
  const guard = (name: keyof Calls): ((...args: never[]) => number) => {
    const call: (...args: never[]) => number = calls[name];
    return (...args) => fault(name) ?? call(...args);
  };
  return Object.fromEntries(names.map((name) => [name, guard(name)])) as unknown as Calls;
}

interface Call {
  readonly comm: number;
  readonly stream: number;
  readonly transfers: SimulatedTransfer[];
}

/** What a simulated NCCL of one process knows. */
class SimulatedNccl {
  /** What it said last of an error. */
  last = "";
  readonly #simulation: Simulation;
  readonly #comms = new Map<number, SimulatedCommunicator>();
  #made = 0;
  #depth = 0;
  #group: Call[] = [];

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  join(out: BigUint64Array, ranks: number, id: Uint8Array, rank: number): number {
    if (rank < 0 || rank >= ranks) return this.#failed(INVALID_ARGUMENT, `Invalid rank requested : ${rank}/${ranks}`);
    const rendezvous = new Rendezvous(new TextDecoder().decode(id).replace(/\0.*$/s, ""));
    const gpus = rendezvous.gather(rank, ranks, String(this.#simulation.currentGpu()));
    const twin = gpus.findIndex((gpu, i) => i !== rank && gpu === gpus[rank]);
    if (twin >= 0)
      return this.#failed(
        INVALID_USAGE,
        `Duplicate GPU detected : rank ${rank} and rank ${twin} both on ${gpus[rank]}`,
      );
    this.#comms.set(++this.#made, new SimulatedCommunicator(this.#simulation, rendezvous, rank, ranks));
    out[0] = BigInt(this.#made);
    return SUCCESS;
  }

  end(comm: number, act: (communicator: SimulatedCommunicator) => void): number {
    const communicator = this.#comms.get(comm);
    if (communicator === undefined) return this.#failed(INVALID_ARGUMENT, "no such communicator");
    this.#comms.delete(comm);
    act(communicator);
    return SUCCESS;
  }

  startGroup(): number {
    this.#depth++;
    return SUCCESS;
  }

  endGroup(): number {
    if (--this.#depth > 0) return SUCCESS;
    const calls = this.#group;
    this.#group = [];
    const isTaken = ({ comm, stream, transfers }: Call): boolean =>
      this.#comms.get(comm)?.enqueue(stream, transfers) === SUCCESS;
    return calls.every(isTaken) ? SUCCESS : this.#failed(CUDA_ERROR, "the driver refused the work");
  }

  /** Outside of a group, a transfer is one of its own. */
  add(comm: number, stream: number, type: number, transfer: SimulatedTransfer): number {
    const ranks = this.#comms.get(comm)?.ranks;
    if (ranks === undefined || type !== 0) return this.#failed(INVALID_ARGUMENT, "no such communicator or datatype");
    if (transfer.peer < 0 || transfer.peer >= ranks)
      return this.#failed(INVALID_ARGUMENT, `Invalid peer ${transfer.peer}`);
    this.startGroup();
    const known = this.#group.find((each) => each.comm === comm && each.stream === stream);
    if (known === undefined) this.#group.push({ comm, stream, transfers: [transfer] });
    else known.transfers.push(transfer);
    return this.endGroup();
  }

  #failed(result: number, text: string): number {
    this.last = text;
    return result;
  }
}
