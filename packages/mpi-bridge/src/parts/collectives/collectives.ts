import type { Message } from "../../message/place/message.js";
import type { Request } from "../../message/requests/request.js";
import { CollectiveArguments } from "./collective-arguments.js";
import type { Given, InPlace, Parts, TypedParts } from "./collective-buffers.js";

/**
 * Collectives (MPI 4.1, chapter 6), each as a call that blocks and as one that begins, named with an i. All ranks call
 * them in the same order. Of buffers that only the root needs, others give none.
 */
export abstract class Collectives extends CollectiveArguments {
  /** Returns once all ranks have called it (MPI_Barrier). */
  barrier(): void {
    this.run({ name: "MPI_Barrier", args: [], sides: [] });
  }

  ibarrier(): Request {
    return this.begin({ name: "MPI_Barrier", args: [], sides: [] });
  }

  /** From the root to all (MPI_Bcast). */
  bcast(message: Message, root = 0): void {
    this.run(this.bcastOf(message, root));
  }

  ibcast(message: Message, root = 0): Request {
    return this.begin(this.bcastOf(message, root));
  }

  /** From all to the root, in the order of ranks (MPI_Gather). */
  gather(sent: Given, received?: Message, root = 0): void {
    this.run(this.gatherOf(sent, received, root));
  }

  igather(sent: Given, received?: Message, root = 0): Request {
    return this.begin(this.gatherOf(sent, received, root));
  }

  /** The same of parts that differ (MPI_Gatherv). */
  gatherv(sent: Given, received?: Parts, root = 0): void {
    this.run(this.gathervOf(sent, received, root));
  }

  igatherv(sent: Given, received?: Parts, root = 0): Request {
    return this.begin(this.gathervOf(sent, received, root));
  }

  /** From the root to each its part (MPI_Scatter). */
  scatter(sent: Message | undefined, received: Given, root = 0): void {
    this.run(this.scatterOf(sent, received, root));
  }

  iscatter(sent: Message | undefined, received: Given, root = 0): Request {
    return this.begin(this.scatterOf(sent, received, root));
  }

  /** The same of parts that differ (MPI_Scatterv). */
  scatterv(sent: Parts | undefined, received: Given, root = 0): void {
    this.run(this.scattervOf(sent, received, root));
  }

  iscatterv(sent: Parts | undefined, received: Given, root = 0): Request {
    return this.begin(this.scattervOf(sent, received, root));
  }

  /** From all to all, in the order of ranks (MPI_Allgather). */
  allgather(sent: Given, received: Message): void {
    this.run(this.exchange("MPI_Allgather", sent, 1, received, this.size));
  }

  iallgather(sent: Given, received: Message): Request {
    return this.begin(this.exchange("MPI_Allgather", sent, 1, received, this.size));
  }

  /** The same of parts that differ (MPI_Allgatherv). */
  allgatherv(sent: Given, received: Parts): void {
    this.run(this.oneToParts("MPI_Allgatherv", sent, received, this.size));
  }

  iallgatherv(sent: Given, received: Parts): Request {
    return this.begin(this.oneToParts("MPI_Allgatherv", sent, received, this.size));
  }

  /** From each to each a part (MPI_Alltoall). */
  alltoall(sent: Given, received: Message): void {
    this.run(this.exchange("MPI_Alltoall", sent, this.size, received, this.size));
  }

  ialltoall(sent: Given, received: Message): Request {
    return this.begin(this.exchange("MPI_Alltoall", sent, this.size, received, this.size));
  }

  /** The same of parts that differ (MPI_Alltoallv). */
  alltoallv(sent: Parts | InPlace, received: Parts): void {
    this.run(this.exchangeParts("MPI_Alltoallv", sent, this.size, received, this.size));
  }

  ialltoallv(sent: Parts | InPlace, received: Parts): Request {
    return this.begin(this.exchangeParts("MPI_Alltoallv", sent, this.size, received, this.size));
  }

  /** The same of datatypes that differ (MPI_Alltoallw). */
  alltoallw(sent: TypedParts, received: TypedParts): void {
    this.run(this.exchangeTyped("MPI_Alltoallw", sent, this.size, received, this.size));
  }

  ialltoallw(sent: TypedParts, received: TypedParts): Request {
    return this.begin(this.exchangeTyped("MPI_Alltoallw", sent, this.size, received, this.size));
  }

  /** From each to all neighbours (MPI_Neighbor_allgather; MPI 4.1, section 8.6). */
  neighborAllgather(sent: Message, received: Message): void {
    this.run(this.exchange("MPI_Neighbor_allgather", sent, 1, received, this.inward()));
  }

  ineighborAllgather(sent: Message, received: Message): Request {
    return this.begin(this.exchange("MPI_Neighbor_allgather", sent, 1, received, this.inward()));
  }

  neighborAllgatherv(sent: Message, received: Parts): void {
    this.run(this.oneToParts("MPI_Neighbor_allgatherv", sent, received, this.inward()));
  }

  ineighborAllgatherv(sent: Message, received: Parts): Request {
    return this.begin(this.oneToParts("MPI_Neighbor_allgatherv", sent, received, this.inward()));
  }

  /** From each to each neighbour a part (MPI_Neighbor_alltoall). */
  neighborAlltoall(sent: Message, received: Message): void {
    this.run(this.exchange("MPI_Neighbor_alltoall", sent, this.outward(), received, this.inward()));
  }

  ineighborAlltoall(sent: Message, received: Message): Request {
    return this.begin(this.exchange("MPI_Neighbor_alltoall", sent, this.outward(), received, this.inward()));
  }

  neighborAlltoallv(sent: Parts, received: Parts): void {
    this.run(this.exchangeParts("MPI_Neighbor_alltoallv", sent, this.outward(), received, this.inward()));
  }

  ineighborAlltoallv(sent: Parts, received: Parts): Request {
    return this.begin(this.exchangeParts("MPI_Neighbor_alltoallv", sent, this.outward(), received, this.inward()));
  }

  neighborAlltoallw(sent: TypedParts, received: TypedParts): void {
    this.run(this.exchangeTyped("MPI_Neighbor_alltoallw", sent, this.outward(), received, this.inward()));
  }

  ineighborAlltoallw(sent: TypedParts, received: TypedParts): Request {
    return this.begin(this.exchangeTyped("MPI_Neighbor_alltoallw", sent, this.outward(), received, this.inward()));
  }
}
