import { conditions, copyMove, packMove, unpackMove, type Conditions, type Move } from "@stowage/backend-api";
import { isDenseLayout, type Layout } from "@stowage/ir";
import type { Candidate, Engine } from "@stowage/selector";

/**
 * How elements in a device's memory become a message (TEMPI, section 5): packed on the device, whose address the MPI is
 * given; by one launch on pinned memory; packed on the device and copied to pinned memory, whole or in chunks; from one
 * GPU to another, as they lie or packed, or by NCCL.
 */
export type DeviceForm = (typeof DEVICE_FORMS)[number];
export const DEVICE_FORMS = ["device", "one-shot", "staged", "pipelined", "ipc", "ipc-packed", "nccl"] as const;

/** Forms by which the host has the packed bytes. */
export const HOST_FORMS: readonly DeviceForm[] = ["one-shot", "staged", "pipelined"];

/** What a call takes that sends a pack and copies behind it, beside one launch: measured by messages between H200s. */
const COPIES_NS = 12_000;

/** Which backends pack and unpack by a form, and what both are predicted to take. */
export interface FormCost {
  readonly form: DeviceForm;
  /** The name of the backend that packs; empty where nothing is packed. */
  readonly packer: string;
  /** The name of the backend that unpacks; empty where nothing is unpacked. */
  readonly unpacker: string;
  /** Nanoseconds of the pack. */
  readonly packNs: number;
  /** Nanoseconds of the unpack. */
  readonly unpackNs: number;
}

/** Routes to pinned memory have TEMPI's names, but for the one through the device: to the host it is TEMPI's staged. */
const BY_ROUTE: ReadonlyMap<string, DeviceForm> = new Map<string, DeviceForm>([
  ["one-shot", "one-shot"],
  ["device", "staged"],
  ["pipelined", "pipelined"],
]);

/** What a backend that packs into pinned memory is; a kernel or copies that reach it themselves are one-shot. */
const formOfBackend = (name: string): DeviceForm | undefined =>
  name.includes("/") ? BY_ROUTE.get(name.slice(0, name.indexOf("/"))) : "one-shot";

/** Elements that are packed together, by one launch. */
export interface Elements {
  readonly layout: Layout;
  readonly count: number;
}

/** What forms take for elements of a list, pack and unpack, by each form's quickest backend. */
export function formCosts(engine: Engine, list: readonly Elements[], forms: readonly DeviceForm[]): FormCost[] {
  const counts = new Set(list.map(({ count }) => count));
  const [count] = counts;
  // Backends predict a list of one count; of several, each by itself is the upper bound.
  if (counts.size === 1)
    return costsOf(
      engine,
      list.map(({ layout }) => layout),
      count as number,
      forms,
    );
  const each = list.map(({ layout, count: own }) => costsOf(engine, [layout], own, forms));
  return forms.flatMap((form) => {
    const own = each.flatMap((costs) => costs.filter((cost) => cost.form === form));
    const [first] = own;
    if (first === undefined || own.length < each.length) return [];
    const sum = (key: "packNs" | "unpackNs"): number => own.reduce((ns, cost) => ns + cost[key], 0);
    return [{ ...first, packNs: sum("packNs"), unpackNs: sum("unpackNs") }];
  });
}

function costsOf(engine: Engine, layouts: readonly Layout[], count: number, forms: readonly DeviceForm[]): FormCost[] {
  return forms.flatMap((form) => {
    if (form === "nccl" && layouts.every(isDenseLayout)) return [AS_IT_LIES];
    const packed = HOST_FORMS.includes(form) ? "pinned" : "device";
    const isPacked = form !== "ipc";
    const into = { sourceKind: "device", targetKind: packed, count } as const;
    const from = { sourceKind: packed, targetKind: "device", count } as const;
    const out = isPacked ? quickest(engine, layouts.map(packMove), into, form) : undefined;
    const back = isPacked ? layouts.map(unpackMove) : layouts.map((layout) => copyMove(layout, layout));
    const unpack = quickest(engine, back, from, form);
    if ((isPacked && out === undefined) || unpack === undefined) return [];
    const copiesNs = form === "staged" || form === "pipelined" ? COPIES_NS : 0;
    const [packNs, unpackNs] = [out === undefined ? 0 : runNs(out) + copiesNs, runNs(unpack) + copiesNs];
    return [{ form, packer: out?.backend.name ?? "", unpacker: unpack.backend.name, packNs, unpackNs }];
  });
}

/** NCCL takes a run of bytes from where it is. */
const AS_IT_LIES: FormCost = { form: "nccl", packer: "", unpacker: "", packNs: 0, unpackNs: 0 };

function quickest(
  engine: Engine,
  moves: readonly Move[],
  known: Partial<Conditions>,
  form: DeviceForm,
): Candidate | undefined {
  const { candidates } = engine.choiceFor(moves, conditions({ ...known, reuse: Infinity }));
  const able = candidates.filter(({ backend, support }) => support.ok && isOf(backend.name, form));
  return able.reduce<Candidate | undefined>(
    (best, each) => (best === undefined || runNs(each) < runNs(best) ? each : best),
    undefined,
  );
}

const isOf = (name: string, form: DeviceForm): boolean =>
  HOST_FORMS.includes(form) ? formOfBackend(name) === form : !name.includes("/");

const runNs = ({ prediction }: Candidate): number => prediction?.runNs ?? Infinity;
