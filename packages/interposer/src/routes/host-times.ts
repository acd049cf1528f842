import { conditions, packMove, unpackMove, type Move, type Profile } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { canonicalise, lower, predefined, vector } from "@stowage/ir";
import { messageNs } from "@stowage/selector";
import type { MpiFamily } from "../build/mpi-identity.js";

/** A way of a message between two processes of a host: c/host/host-table.h. */
export type HostWay = "through" | "past";

/** Messages of so many packed bytes, in runs of so many bytes, of a matrix's columns or of other elements. */
export interface HostMessage {
  readonly bytes: number;
  readonly runBytes: number;
  readonly isOfColumns: boolean;
}

/** What shared memory carries at once: Open MPI's btl vader, and UCX. */
const FRAGMENT_BYTES = { openmpi: 32_768, mpich: 8192 };
/** What a fragment takes of either side besides: measured on two cores of a Xeon (docs/notes/2026-11-29-lines.md). */
const FRAGMENT_NS = { openmpi: 100, mpich: 90 };
/**
 * How many times as long a fragment's lines take to be written as those of a piece: Open MPI takes places again whose
 * lines are in the receiver's L1d (the same note). UCX takes them in turns.
 */
const WRITTEN = { openmpi: 2, mpich: 1 };
/** A word that says how far pieces are packed, and room with its offer. */
const PIECE_NS = 60;
const OFFER_NS = 100;
/** Lines between two cores of a Xeon, both at work, where no message of the MPI was measured. */
const NS_A_BYTE = 0.075;
/** Sizes of messages whose difference is that of bytes alone. */
const LONG = [2 ** 18, 2 ** 20] as const;

/** As c/host/inbox.h and c/host/host-choice.c have pieces. */
const PIECES = 8;
const LEAST_PIECE_BYTES = 4096;
const MOST_PIECE_BYTES = 16_384;
const LINE_BYTES = 64;
/** A piece of columns has as many as share two lines. */
const LINES_A_PIECE = 2;

/**
 * Predicts messages of one host, one way, by a profile and its figures of an MPI: what is not hidden behind the other
 * side. The handshake and what an element's own lines take beside its runs are alike for both ways, and left out.
 */
export class HostTimes {
  readonly #packer = new X64Backend();
  readonly #profile: Profile;
  readonly #mpi: MpiFamily;
  readonly #nsAByte: number;
  readonly #known = new Map<string, readonly [packNs: number, unpackNs: number]>();

  constructor(profile: Profile, mpi: MpiFamily) {
    this.#profile = profile;
    this.#mpi = mpi;
    const figures = Object.entries(profile.figures).find(([section]) => section.startsWith(`${mpi}-`))?.[1];
    const [short, long] = LONG.map((bytes) => messageNs(figures, bytes));
    this.#nsAByte = short === undefined || long === undefined ? NS_A_BYTE : (long - short) / (LONG[1] - LONG[0]);
  }

  /** A pipeline of two sides whose unit is a fragment or a piece: its first one's packing, its last one's unpacking. */
  ofMessage(way: HostWay, message: HostMessage): number {
    const { bytes } = message;
    const unit = Math.min(bytes, way === "through" ? FRAGMENT_BYTES[this.#mpi] : pieceBytes(message));
    const units = Math.ceil(bytes / unit);
    const [packNs, unpackNs] = this.#movesNs(message, unit).map((ns) => (ns * unit) / bytes) as [number, number];
    const moved = (unit * this.#nsAByte) / 2;
    const sent = packNs + moved * (way === "through" ? WRITTEN[this.#mpi] : 1);
    const received = unpackNs + moved;
    return sent + (units - 1) * Math.max(sent, received) + received + this.#unitsNs(way, units, bytes);
  }

  /** MPICH carries the bytes that nobody reads in fragments too. */
  #unitsNs(way: HostWay, units: number, bytes: number): number {
    if (way === "through") return units * FRAGMENT_NS[this.#mpi];
    const unread = this.#mpi === "mpich" ? Math.ceil(bytes / FRAGMENT_BYTES.mpich) * FRAGMENT_NS.mpich : 0;
    return OFFER_NS + units * PIECE_NS + unread;
  }

  /** Lines that columns share are touched once for as many as a unit has. */
  #movesNs({ bytes, runBytes, isOfColumns }: HostMessage, unit: number): readonly [number, number] {
    const [packNs, unpackNs] = this.#apartNs(bytes, runBytes);
    const columns = isOfColumns ? unit / columnBytes(runBytes) : 1;
    const shared = Math.min(Math.max(1, columns), Math.max(1, LINE_BYTES / runBytes));
    return [packNs / shared, unpackNs / shared];
  }

  /** Of runs that share no line. */
  #apartNs(bytes: number, runBytes: number): readonly [number, number] {
    const key = `${bytes} ${runBytes}`;
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    const stride = Math.max(2 * runBytes, runBytes + LINE_BYTES);
    const layout = canonicalise(lower(vector(Math.max(1, bytes / runBytes), runBytes, stride, predefined("MPI_BYTE"))));
    const found = [this.#runNs(packMove(layout)), this.#runNs(unpackMove(layout))] as const;
    this.#known.set(key, found);
    return found;
  }

  #runNs(move: Move): number {
    return this.#packer.predict([move], conditions({ count: 1 }), this.#profile).runNs;
  }
}

/** Of a matrix whose columns are long: an element may have any number of rows. */
const ROWS = 1024;
const columnBytes = (runBytes: number): number => ROWS * runBytes;

function pieceBytes({ bytes, runBytes, isOfColumns }: HostMessage): number {
  const piece = Math.min(MOST_PIECE_BYTES, Math.max(LEAST_PIECE_BYTES, bytes / PIECES));
  if (!isOfColumns) return piece;
  const beside = ((LINES_A_PIECE * LINE_BYTES) / runBytes) * columnBytes(runBytes);
  return Math.ceil(piece / beside) * beside;
}
