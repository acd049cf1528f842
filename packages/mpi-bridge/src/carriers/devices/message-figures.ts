import { blockStatistics, type Layout } from "@stowage/ir";
import { isDirect, type Method } from "../../message/devices/method.js";

/** What a message takes beside packing, from the call to its arrival; bytes a nanosecond. */
interface MessageFigures {
  readonly latencyNs: number;
  readonly bytesPerNs: number;
}

/** Between two processes of one host, of the host's memory: T_cpu-cpu of TEMPI's equations 2 and 3. */
const HOST: MessageFigures = { latencyNs: 1000, bytesPerNs: 6 };
/** Of device memory, by a CUDA-aware MPI: T_gpu-gpu of equation 1. TEMPI, Figure 9a, has a floor of 6 us. */
const DEVICE: MessageFigures = { latencyNs: 6000, bytesPerNs: 20 };
/** An offer and its reply, and that the sender's GPU is done; bytes over NVLink (results/h200/routes-peers.json). */
const DIRECT: MessageFigures = { latencyNs: 18_000, bytesPerNs: 370 };
/** The same of two processes that share one GPU, which it serves by turns. */
const SHARED: MessageFigures = { latencyNs: 165_000, bytesPerNs: 1500 };
/** By NCCL over NVLink: a frame, two answers and a note, and what its kernel takes. */
const NCCL: MessageFigures = { latencyNs: 60_000, bytesPerNs: 330 };
/** What of that a kernel reaches which pulls blocks of so many bytes; measured there too. */
const PULLED = [
  [128, 0.94],
  [64, 0.85],
  [32, 0.62],
  [0, 0.48],
] as const;
/** Launch and wait, which predictions hold once already. */
const LAUNCH_NS = 8000;

/** Of so many bytes by a method, whose last kernel is predicted to take `unpackNs` on memory of its own GPU. */
export function messageNs(
  method: Method,
  layout: Layout,
  bytes: number,
  { unpackNs, onOneGpu }: { readonly unpackNs: number; readonly onOneGpu: boolean },
): number {
  if (!isDirect(method)) {
    const { latencyNs, bytesPerNs } = method === "nccl" ? NCCL : method === "device" ? DEVICE : HOST;
    return latencyNs + bytes / bytesPerNs;
  }
  const { latencyNs, bytesPerNs } = onOneGpu ? SHARED : DIRECT;
  const pulledNs = LAUNCH_NS + bytes / (bytesPerNs * (method === "ipc" ? shareOfLink(layout) : 1));
  return latencyNs + Math.max(0, pulledNs - unpackNs);
}

function shareOfLink({ root }: Layout): number {
  const { meanBytes } = blockStatistics(root);
  return PULLED.find(([least]) => meanBytes >= least)?.[1] ?? 1;
}
