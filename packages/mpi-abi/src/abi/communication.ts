/** Predefined reductions (MPI 4.1, section 6.9.2). */
export const REDUCTIONS = [
  "max",
  "min",
  "sum",
  "prod",
  "land",
  "band",
  "lor",
  "bor",
  "lxor",
  "bxor",
  "minloc",
  "maxloc",
] as const;
/** Operations of accumulate besides reductions (MPI 4.1, section 12.3.4). */
export const ACCUMULATIONS = ["replace", "no_op"] as const;
/** An operation of one-sided calls, by its name without MPI_. */
export type Accumulation = Reduction | (typeof ACCUMULATIONS)[number];
/** A predefined operation of reductions, by its name without MPI_. */
export type Reduction = (typeof REDUCTIONS)[number];

/** Where an ABI keeps what a status tells, counted in 32-bit words from its start. */
export interface StatusLayout {
  /** How many words an MPI_Status has. */
  readonly words: number;
  /** The word of MPI_SOURCE. */
  readonly source: number;
  /** The word of MPI_TAG. */
  readonly tag: number;
  /** The word of MPI_ERROR. */
  readonly error: number;
  /** The number of bytes of a message, of the status that begins at word `start` of a list. */
  bytesAt(words: Int32Array, start: number): number;
}

/** Numbers and handles that communication needs, as the MPI has them. MPI 4.1, appendix A.1. */
export interface CommunicationConstants {
  readonly anySource: number;
  readonly anyTag: number;
  readonly procNull: number;
  /** The value of MPI_UNDEFINED. */
  readonly undefinedValue: number;
  /** MPI_IN_PLACE, as an address. */
  readonly inPlace: number;
  /** MPI_STATUS_IGNORE, as an address. */
  readonly statusIgnore: number;
  readonly status: StatusLayout;
  readonly commNull: number;
  readonly requestNull: number;
  readonly messageNull: number;
  /** The handle MPI_MESSAGE_NO_PROC. */
  readonly messageNoProc: number;
  readonly infoNull: number;
  /** MPI_TAG_UB, a key of attributes. */
  readonly tagUbKey: number;
  /** The value of MPI_COMM_TYPE_SHARED. */
  readonly typeShared: number;
  /** The MPI_Op handles of the predefined reductions. */
  readonly reductions: Readonly<Record<Reduction, number>>;
  /** The MPI_Op handles of one-sided calls: those of reductions, MPI_REPLACE and MPI_NO_OP. */
  readonly accumulations: Readonly<Record<Accumulation, number>>;
  /** The values of MPI_LOCK_EXCLUSIVE and MPI_LOCK_SHARED. */
  readonly locks: { readonly exclusive: number; readonly shared: number };
  /** The values of MPI_MODE_CREATE, RDONLY, RDWR and WRONLY. */
  readonly fileModes: Readonly<Record<"create" | "readOnly" | "readWrite" | "writeOnly", number>>;
  /** Names of error classes by their numbers. */
  readonly errorClasses: ReadonlyMap<number, string>;
}

const WORD = 2 ** 32;

/** A 64-bit count of which the lower word comes first. */
export const wideAt = (low: number, high: number): number => (high >>> 0) * WORD + (low >>> 0);
