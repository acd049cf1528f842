import type { CommunicationConstants } from "@stowage/mpi-abi";

// Numbers of ours, the same whatever the MPI's own are.
/** Receives from any rank (MPI_ANY_SOURCE). */
export const ANY_SOURCE = -1;
/** Receives under any tag (MPI_ANY_TAG). */
export const ANY_TAG = -1;
/** The rank that is none: messages to and from it are over at once (MPI_PROC_NULL). */
export const PROC_NULL = -2;
/** The colour of a rank that takes no part in a split (MPI_UNDEFINED). */
export const UNDEFINED = -32766;
/**
 * Stands for a buffer of a collective whose elements lie in the other buffer (MPI_IN_PLACE; MPI 4.1, section 6.2.3).
 */
export const IN_PLACE = Symbol("MPI_IN_PLACE");

/** The MPI's number of a rank or wildcard. */
export function rankOf(rank: number, constants: CommunicationConstants): number {
  if (rank === ANY_SOURCE) return constants.anySource;
  if (rank === PROC_NULL) return constants.procNull;
  return rank;
}

/** The MPI's number of a tag or wildcard. */
export const tagOf = (tag: number, { anyTag }: CommunicationConstants): number => (tag === ANY_TAG ? anyTag : tag);

/** Ours of the MPI's. */
export const ourTag = (tag: number, { anyTag }: CommunicationConstants): number => (tag === anyTag ? ANY_TAG : tag);

/** Ours of the MPI's. */
export function ourRank(rank: number, constants: CommunicationConstants): number {
  if (rank === constants.procNull) return PROC_NULL;
  if (rank === constants.anySource) return ANY_SOURCE;
  return rank;
}
