import { conditions, packMove, type MemoryKind } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { isRoute } from "@stowage/routes";
import { askAll, type Candidate, type Choice, type Engine } from "@stowage/selector";

/** Which backend packs a datatype in one kind of memory, and why the others do not; in order of preference. */
export interface MemoryChoice {
  readonly memory: string;
  readonly backends: readonly { readonly name: string; readonly verdict: string }[];
}

const MEMORIES: readonly (readonly [memory: string, scattered: MemoryKind, packed: MemoryKind])[] = [
  ["host memory", "host", "host"],
  ["device memory", "device", "device"],
  ["device memory, packed in pinned host memory", "device", "pinned"],
];

/** The choice for data on the host, on a device, and on a device with its packed stream on the host. */
export function choicesFor(layout: Layout, engine: Engine): readonly MemoryChoice[] {
  const { backends, forced } = engine;
  const moves = [packMove(layout)];
  return MEMORIES.map(([memory, sourceKind, targetKind]) => {
    const given = conditions({ sourceKind, targetKind });
    const candidates = askAll(backends, moves, given, forced);
    const takers = candidates.filter(({ support }) => support.ok);
    const choice = takers.length === 0 ? undefined : engine.choiceFor(moves, given);
    return { memory, backends: candidates.filter(isTold).map((candidate) => verdictOf(candidate, choice)) };
  });
}

/**
 * Whether a candidate is listed. Routes that refuse are not: where no side is on a device and the other on the host,
 * all refuse alike.
 */
const isTold = ({ backend, support }: Candidate): boolean => support.ok || !isRoute(backend);

function verdictOf({ backend, support }: Candidate, choice: Choice | undefined): MemoryChoice["backends"][number] {
  const { name } = backend;
  if (!support.ok) return { name, verdict: `no: ${support.reason}` };
  return {
    name,
    verdict:
      backend === choice?.chosen ? `chosen: ${choice.reason}` : `could take it, but comes after ${choice?.chosen.name}`,
  };
}
