import { blockStatistics, type Layout } from "@stowage/ir";
import type { Context } from "../message/context.js";
import { formCosts, type DeviceForm, type FormCost } from "../message/devices/device-forms.js";
import { isOnHost } from "../message/place/placed.js";
import type { FormPrediction, Outgoing, Prediction } from "./carrier.js";

/** What a message takes beside packing, from the call to its arrival; bytes a nanosecond. */
interface MessageFigures {
  readonly latencyNs: number;
  readonly bytesPerNs: number;
}

/** Between two processes of one host, of the host's memory: T_cpu-cpu of TEMPI's equations 2 and 3. */
const HOST: MessageFigures = { latencyNs: 1000, bytesPerNs: 6 };
/** Through host memory that both map: a frame, and bytes that are copied (results/epyc/bridge-shared-memory.json). */
const MAPPED: MessageFigures = { latencyNs: 1000, bytesPerNs: 20 };
/** Messages of device memory by a CUDA-aware MPI: T_gpu-gpu of equation 1. TEMPI, Figure 9a, has a floor of 6 us. */
const DEVICE: MessageFigures = { latencyNs: 6000, bytesPerNs: 20 };
/** An offer and its reply, and that the sender's GPU is done; bytes over NVLink (results/h200/routes-peers.json). */
const IPC: MessageFigures = { latencyNs: 18_000, bytesPerNs: 370 };
/** Messages between two processes that share one GPU, which it serves by turns. */
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

/** What a message of so many bytes of the host's memory takes. */
export const hostMessageNs = (bytes: number): number => HOST.latencyNs + bytes / HOST.bytesPerNs;

interface Circumstances {
  /** Whether both ranks use one GPU. */
  readonly onOneGpu: boolean;
}

/**
 * What a list in the memory of devices takes by a form, whose last kernel is predicted to take `unpackNs` on its own
 * GPU.
 */
function deviceMessageNs(
  form: DeviceForm,
  messages: readonly Outgoing[],
  unpackNs: number,
  { onOneGpu }: Circumstances,
): number {
  const bytes = messages.reduce((sum, { placed }) => sum + placed.sizeBytes, 0);
  // A list goes to each peer as one; bound, NCCL takes those to all peers as one group.
  const isGroup = form === "nccl" && messages.some(({ use }) => use === "bound");
  const peers = isGroup ? 1 : new Set(messages.map(({ peer }) => peer)).size;
  const latencies = (latencyNs: number): number => peers * latencyNs;
  if (form !== "ipc" && form !== "ipc-packed") {
    const { latencyNs, bytesPerNs } = form === "nccl" ? NCCL : form === "device" ? DEVICE : HOST;
    return latencies(latencyNs) + bytes / bytesPerNs;
  }
  const { latencyNs, bytesPerNs } = onOneGpu ? SHARED : IPC;
  const share = Math.min(...messages.map(({ placed }) => shareOfLink(placed.type.layout)));
  const pulledNs = LAUNCH_NS + bytes / (bytesPerNs * (form === "ipc" ? share : 1));
  return latencies(latencyNs) + Math.max(0, pulledNs - unpackNs);
}

/** What packs and unpacks a list in the memory of devices, by those of the forms that can. */
export const deviceForms = (
  { engine }: Context,
  messages: readonly Outgoing[],
  forms: readonly DeviceForm[],
): readonly FormCost[] =>
  formCosts(
    engine(),
    messages.map(({ placed: { type, count } }) => ({ layout: type.layout, count })),
    forms,
  );

/** A prediction of a list in the memory of devices, of which a form is known to be able. */
export function predictForms(
  context: Context,
  messages: readonly Outgoing[],
  forms: readonly DeviceForm[],
  circumstances: Circumstances,
): Prediction {
  const onDevice = messages.filter(({ placed }) => !isOnHost(placed));
  const predicted = deviceForms(context, onDevice, forms).map((cost) => {
    const messageNs = deviceMessageNs(cost.form, onDevice, cost.unpackNs, circumstances);
    return { ...cost, messageNs, totalNs: cost.packNs + messageNs + cost.unpackNs };
  });
  return quickestFirst(predicted);
}

/** The prediction of a carrier that has one form, whose packing and unpacking take as long. */
export function oneForm(
  form: string,
  packer: string,
  messages: readonly Outgoing[],
  costOf: (message: Outgoing) => { readonly packNs: number; readonly messageNs: number },
): Prediction {
  const costs = messages.map(costOf);
  const packNs = costs.reduce((sum, cost) => sum + cost.packNs, 0);
  const messageNs = costs.reduce((sum, cost) => sum + cost.messageNs, 0);
  const own = packNs === 0 ? "" : packer;
  return quickestFirst([
    { form, packer: own, unpacker: own, packNs, unpackNs: packNs, messageNs, totalNs: 2 * packNs + messageNs },
  ]);
}

/**
 * The prediction of a carrier whose receiver unpacks each piece of a message while its sender packs the next: both
 * take as long, `packNs` where it is known, else as long as bytes take to copy.
 */
export function overlapped(
  form: string,
  messages: readonly Outgoing[],
  pieceBytes: number,
  packNsOf: (message: Outgoing) => number | undefined,
): Prediction {
  let [packNs, messageNs] = [0, 0];
  for (const message of messages) {
    const { sizeBytes } = message.placed;
    const ownNs = packNsOf(message) ?? sizeBytes / MAPPED.bytesPerNs;
    packNs += ownNs;
    messageNs += MAPPED.latencyNs + ownNs * Math.min(1, pieceBytes / sizeBytes);
  }
  const costs = { packNs, unpackNs: packNs, messageNs, totalNs: packNs + messageNs };
  return quickestFirst([{ form, packer: "ours", unpacker: "ours", ...costs }]);
}

function quickestFirst(given: readonly FormPrediction[]): Prediction {
  const forms = [...given].sort((a, b) => a.totalNs - b.totalNs);
  return { totalNs: forms[0]?.totalNs ?? Infinity, forms };
}

function shareOfLink({ root }: Layout): number {
  const { meanBytes } = blockStatistics(root);
  return PULLED.find(([least]) => meanBytes >= least)?.[1] ?? 1;
}
