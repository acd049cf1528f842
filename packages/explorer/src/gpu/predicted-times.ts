import { conditions, packMove, UNCALIBRATED, type Backend, type Conditions, type Profile } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { DmaBackend } from "@stowage/backend-dma";
import { X64Backend } from "@stowage/backend-x64";
import { ArgumentError, type Layout } from "@stowage/ir";
import { simulatedBackends } from "./simulated-backends.js";

/** What a backend's cost model says of packing the elements; a reason where it does not take them. */
export interface PredictedTime {
  readonly memory: "host" | "device";
  readonly backend: string;
  readonly runNs?: number;
  readonly commitNs?: number;
  readonly reason?: string;
}

/** Predicted times of all candidates. Machine code is predicted here for machines that run it: a page is none. */
export function predictedTimes(layout: Layout, count: number, profile: Profile): readonly PredictedTime[] {
  const { driver, backends } = simulatedBackends();
  const host = conditions({ count });
  const device = conditions({ count, sourceKind: "device", targetKind: "device" });
  return [
    ...[new X64Backend(), new CpuBackend()].map((backend) => predictedBy(backend, layout, host, "host", profile)),
    ...[...backends, new DmaBackend(() => driver)].map((backend) =>
      predictedBy(backend, layout, device, "device", profile),
    ),
  ];
}

function predictedBy(
  backend: Backend,
  layout: Layout,
  given: Conditions,
  memory: PredictedTime["memory"],
  profile: Profile,
): PredictedTime {
  const moves = [packMove(layout)];
  const support = memory === "host" ? undefined : backend.supports(moves, given);
  if (support?.ok === false) return { memory, backend: backend.name, reason: support.reason };
  return { memory, backend: backend.name, ...backend.predict?.(moves, given, profile) };
}

/** The profile in a file: a machine's name, and figures by backend. Throws an ArgumentError where it is none. */
export function readProfile(text: string): Profile {
  if (text === "") return UNCALIBRATED;
  const { machine, figures } = parsed(text);
  if (typeof figures !== "object" || figures === null) throw new ArgumentError("profile", "figures by backend", "none");
  return { machine: typeof machine === "string" ? machine : "unnamed", figures: numbersIn(figures) };
}

function parsed(text: string): { readonly machine?: unknown; readonly figures?: unknown } {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === "object" && document !== null ? document : {};
  } catch (error) {
    throw new ArgumentError("profile", "JSON", (error as Error).message.slice(0, 80), { cause: error });
  }
}

/** Whatever else a profile holds of a backend is its own affair. */
function numbersIn(figures: object): Profile["figures"] {
  const own = (value: unknown): [string, number][] =>
    Object.entries(typeof value === "object" && value !== null ? value : {}).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number" && Number.isFinite(entry[1]) && entry[1] >= 0,
    );
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Object.fromEntries(own(value))]));
}
