import type { Simulation } from "@stowage/cuda-driver";
import type { Rendezvous } from "./rendezvous.js";

/** One send or receive of a group. */
export interface SimulatedTransfer {
  readonly isSend: boolean;
  readonly peer: number;
  readonly address: number;
  readonly sizeBytes: number;
}

/** A transfer that was given its place in the order of its pair of ranks. */
interface Step {
  readonly isOver: () => boolean;
}

/**
 * A rank of a simulated communicator. A send is over once its peer has received it: real ones may be so earlier, never
 * later.
 */
export class SimulatedCommunicator {
  readonly rank: number;
  readonly ranks: number;
  readonly #rendezvous: Rendezvous;
  readonly #simulation: Simulation;
  /** Messages so far, by direction and peer. */
  readonly #sent = new Map<number, number>();
  readonly #received = new Map<number, number>();
  #aborted = false;

  constructor(simulation: Simulation, rendezvous: Rendezvous, rank: number, ranks: number) {
    this.#simulation = simulation;
    this.#rendezvous = rendezvous;
    this.rank = rank;
    this.ranks = ranks;
  }

  /** Sends a group to a stream, as one piece of work. Returns the driver's result. */
  enqueue(stream: number, transfers: readonly SimulatedTransfer[]): number {
    const steps = transfers.map((transfer) => (transfer.isSend ? this.#sending(transfer) : this.#receiving(transfer)));
    let left = steps;
    return this.#simulation.enqueue(stream, () => {
      left = this.#aborted ? [] : left.filter((step) => !step.isOver());
      return left.length === 0;
    });
  }

  abort(): void {
    this.#aborted = true;
    this.#rendezvous.remove();
  }

  leave(): void {
    if (!this.#aborted) this.#rendezvous.leave(this.rank, this.ranks);
  }

  #sending({ peer, address, sizeBytes }: SimulatedTransfer): Step {
    const name = `${this.rank}-to-${peer}-${next(this.#sent, peer)}`;
    let isPosted = false;
    return {
      isOver: () => {
        if (isPosted) return !this.#rendezvous.isPending(name);
        this.#rendezvous.post(name, this.#simulation.read(address, sizeBytes));
        isPosted = true;
        return false;
      },
    };
  }

  #receiving({ peer, address, sizeBytes }: SimulatedTransfer): Step {
    const name = `${peer}-to-${this.rank}-${next(this.#received, peer)}`;
    return {
      isOver: () => {
        const bytes = this.#rendezvous.take(name);
        if (bytes === undefined) return false;
        this.#simulation.write(address, bytes.subarray(0, sizeBytes));
        return true;
      },
    };
  }
}

function next(counts: Map<number, number>, peer: number): number {
  const number = counts.get(peer) ?? 0;
  counts.set(peer, number + 1);
  return number;
}
