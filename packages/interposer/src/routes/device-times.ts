import { conditions, packMove, unpackMove, type Conditions, type Move, type Profile } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { lower, predefined, vector } from "@stowage/ir";
import { FIGURES } from "@stowage/routes";
import { messageNs } from "@stowage/selector";
import type { MpiFamily } from "../build/mpi-identity.js";

/** A way of a device message that goes through host memory: c/gpu/route-table.h. */
export type DeviceRoute = "one-shot" | "device" | "pipelined";

/** What a launch without a wait takes of a processor; measured on an H200 (results/h200/calls.json). */
const LAUNCH_NS = 4000;
/**
 * Without terms of the MPI: what one-shot messages between two processes of one host took beside the predicted kernels
 * (results/h200/interposer-device-routes.json). The bytes come from a device: no cache has them.
 */
const MESSAGES = {
  "messageNs.8": 4000,
  "messageNs.1024": 5000,
  "messageNs.65536": 18_000,
  "messageNs.1048576": 150_000,
  "messageNs.4194304": 530_000,
  "messageNs.67108864": 10_100_000,
};
/**
 * Bandwidth of bytes that an MPI asks for between processes of one host, and copies twice: Open MPI's from there;
 * MPICH's from host memory on two cores of an EPYC, where what it takes whole is half as fast again.
 */
const ASKED_BYTES_PER_NS = { openmpi: 6.5, mpich: 2 };

const WORD_BYTES = 8;
const LEAST_PIECE_BYTES = 4096;

/**
 * Predicts messages of vectors whose blocks are half of their stride, one way, by a profile and its figures of an MPI.
 */
export class DeviceTimes {
  readonly #packer = new CudaGenericBackend();
  readonly #profile: Profile;
  readonly #mpi: Readonly<Record<string, number>> | undefined;
  readonly #figures: typeof FIGURES;
  readonly #askedBytesPerNs: number;

  constructor(profile: Profile, mpi: MpiFamily) {
    this.#askedBytesPerNs = ASKED_BYTES_PER_NS[mpi];
    this.#profile = profile;
    this.#mpi = Object.entries(profile.figures).find(([section]) => section.startsWith(`${mpi}-`))?.[1];
    this.#figures = { ...FIGURES, ...profile.figures["routes"] };
  }

  /** Bytes that cross the bus while a kernel is launched. */
  get launchBytes(): number {
    return Math.round(LAUNCH_NS * this.#figures.busBytesPerNs);
  }

  /** TEMPI's equations 1 to 3 (section 3.4), in nanoseconds; pieces as c/gpu/route-table.c cuts them. */
  ofMessage(route: DeviceRoute, bytes: number, blockBytes: number): number {
    const message = this.#messageNs(bytes);
    if (route !== "pipelined") return this.#packNs(route, bytes, blockBytes) + message;
    const piece = this.pieceBytes(bytes);
    if (piece >= bytes) return Infinity;
    const pieces = Math.ceil(bytes / piece);
    const askedNs = Math.max(message, bytes / this.#askedBytesPerNs, this.#packNs("one-shot", bytes, blockBytes) / 2);
    return this.#packNs("one-shot", piece, blockBytes) + askedNs + pieces * LAUNCH_NS;
  }

  pieceBytes(bytes: number): number {
    let piece = LEAST_PIECE_BYTES;
    while (piece < bytes && piece * piece < bytes * this.launchBytes) piece *= 2;
    return piece;
  }

  #messageNs(bytes: number): number {
    return messageNs(this.#mpi ?? MESSAGES, bytes) ?? 0;
  }

  /** Both sides. */
  #packNs(route: "one-shot" | "device", bytes: number, blockBytes: number): number {
    const words = blockBytes / WORD_BYTES;
    const layout = lower(vector(Math.ceil(bytes / blockBytes), words, 2 * words, predefined("MPI_DOUBLE")));
    const [device, packed] = ["device", route === "device" ? "device" : "pinned"] as const;
    const pack = conditions({ sourceKind: device, targetKind: packed, count: 1 });
    const unpack = conditions({ sourceKind: packed, targetKind: device, count: 1 });
    const copiesNs = route === "device" ? 2 * (this.#figures.copyNs + bytes / this.#figures.busBytesPerNs) : 0;
    return this.#runNs(packMove(layout), pack) + this.#runNs(unpackMove(layout), unpack) + copiesNs;
  }

  #runNs(move: Move, known: Conditions): number {
    return this.#packer.predict([move], known, this.#profile).runNs;
  }
}
