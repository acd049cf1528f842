import { conditions, copyMove, packMove, unpackMove, type Conditions, type Move } from "@stowage/backend-api";
import { isDenseLayout, type Layout } from "@stowage/ir";
import type { Candidate, Engine } from "@stowage/selector";

/**
 * How elements in a device's memory become a message (TEMPI, section 5): packed on the device, whose address the MPI is
 * given; by one launch on pinned memory; packed on the device and copied to pinned memory, whole or in chunks; from one
 * GPU to another, or by NCCL.
 */
export type Method = (typeof METHODS)[number];
export const METHODS = ["device", "one-shot", "staged", "pipelined", "ipc", "ipc-packed", "nccl"] as const;

/** Of these the host has the packed bytes. */
export const HOST_METHODS: readonly Method[] = ["one-shot", "staged", "pipelined"];

/** What a call takes that sends a pack and copies behind it, beside one launch: measured by messages between H200s. */
const COPIES_NS = 12_000;

/** Of these the receiver's GPU reads the sender's: elements as they lie, by one kernel, or packed. */
export const isDirect = (method: Method): boolean => method === "ipc" || method === "ipc-packed";

/** Of these no packed byte comes to the host. */
const isOnDevices = (method: Method): boolean => method === "device" || method === "nccl" || isDirect(method);

/** Who packs by a method and who unpacks, and what both take. */
export interface MethodCost {
  readonly method: Method;
  /** Empty where nothing is packed. */
  readonly packer: string;
  readonly unpacker: string;
  readonly packNs: number;
  readonly unpackNs: number;
}

/** Routes to pinned memory have TEMPI's names, but for the one through the device: to the host it is TEMPI's staged. */
const BY_ROUTE: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["one-shot", "one-shot"],
  ["device", "staged"],
  ["pipelined", "pipelined"],
]);

/** What a backend that packs into pinned memory is; a kernel or copies that reach it themselves are one-shot. */
const methodOfBackend = (name: string): Method | undefined =>
  name.includes("/") ? BY_ROUTE.get(name.slice(0, name.indexOf("/"))) : "one-shot";

/** What the methods take for so many elements, pack and unpack, by each method's quickest backend. */
export function methodCosts(
  engine: Engine,
  layout: Layout,
  count: number,
  methods: readonly Method[] = METHODS,
): MethodCost[] {
  return methods.flatMap((method) => {
    if (method === "nccl" && isDenseLayout(layout)) return [AS_IT_LIES];
    const packed = isOnDevices(method) ? "device" : "pinned";
    const isPacked = method !== "ipc";
    const into = { sourceKind: "device", targetKind: packed, count } as const;
    const from = { sourceKind: packed, targetKind: "device", count } as const;
    const out = isPacked ? quickest(engine, packMove(layout), into, method) : undefined;
    const back = quickest(engine, isPacked ? unpackMove(layout) : copyMove(layout, layout), from, method);
    if ((isPacked && out === undefined) || back === undefined) return [];
    const copiesNs = method === "staged" || method === "pipelined" ? COPIES_NS : 0;
    const [packNs, unpackNs] = [out === undefined ? 0 : runNs(out) + copiesNs, runNs(back) + copiesNs];
    return [{ method, packer: out?.backend.name ?? "", unpacker: back.backend.name, packNs, unpackNs }];
  });
}

/** NCCL takes a run of bytes from where it is. */
const AS_IT_LIES: MethodCost = { method: "nccl", packer: "", unpacker: "", packNs: 0, unpackNs: 0 };

function quickest(engine: Engine, move: Move, known: Partial<Conditions>, method: Method): Candidate | undefined {
  const { candidates } = engine.choiceFor([move], conditions({ ...known, reuse: Infinity }));
  const able = candidates.filter(({ backend, support }) => support.ok && isOf(backend.name, method));
  return able.reduce<Candidate | undefined>(
    (best, each) => (best === undefined || runNs(each) < runNs(best) ? each : best),
    undefined,
  );
}

const isOf = (name: string, method: Method): boolean =>
  isOnDevices(method) ? !name.includes("/") : methodOfBackend(name) === method;

const runNs = ({ prediction }: Candidate): number => prediction?.runNs ?? Infinity;
