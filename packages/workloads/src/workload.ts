import { quoted } from "@stowage/ir";
import { closest, distance } from "fastest-levenshtein";
import { CATALOGUE } from "./catalogue.js";
import type { Elements, WorkloadDefinition, WorkloadGroup } from "./definition.js";
import { WorkloadError } from "./errors.js";
import { nearestSize, scaleFor } from "./scale.js";

/** `count` elements of a datatype from a real program, a paper or a table. */
export interface Workload extends Elements {
  readonly name: string;
  /** Packed size of all elements together. */
  readonly packedBytes: number;
}

/** What `workload` takes besides a name. */
export interface WorkloadOptions {
  /** Packed bytes of all elements together. Default: as published, or about 1 MiB. */
  readonly packedBytes?: number | undefined;
}

/** What a workload is, without building it. */
export interface WorkloadDescription {
  readonly name: string;
  readonly group: WorkloadGroup;
  /** What moves, and in which shape, in one line. */
  readonly description: string;
  /** The program, paper or table it comes from. */
  readonly source: string;
  /** Packed bytes of all elements together, unless another size is asked for. */
  readonly defaultPackedBytes: number;
}

/**
 * Builds a workload by name, at the published size or at any packed size that it can have.
 * @throws WorkloadError for a name that is not there (the nearest is offered), or a size that it cannot have.
 *
 * @example
 * ```typescript
 * const { datatype, count, packedBytes } = workload("MILC_su3_zdown/0");
 * const smaller = workload("vector-8", { packedBytes: nearestPackedBytes("vector-8", 10_000) });
 * ```
 */
export function workload(name: string, options: WorkloadOptions = {}): Workload {
  const definition = definitionOf(name);
  const { packedBytes } = requireOptions(options);
  const scale = packedBytes === undefined ? definition.defaultScale : scaleFor(definition, packedBytes);
  return Object.freeze({ name, ...definition.build(scale), packedBytes: definition.sizeBytes(scale) });
}

/** The packed size nearest to `packedBytes` that the workload can have. Throws a WorkloadError for unknown names. */
export function nearestPackedBytes(name: string, packedBytes: number): number {
  return nearestSize(definitionOf(name), packedBytes);
}

/** The names of all workloads, or of one group, in the order of the catalogue. */
export function workloadNames(group?: WorkloadGroup): readonly string[] {
  return [...CATALOGUE.values()].filter((each) => group === undefined || each.group === group).map(({ name }) => name);
}

/** What a workload is, in one line, and where it comes from. Throws a WorkloadError for unknown names. */
export function describeWorkload(name: string): WorkloadDescription {
  const { group, description, source, defaultScale, sizeBytes } = definitionOf(name);
  return Object.freeze({ name, group, description, source, defaultPackedBytes: sizeBytes(defaultScale) });
}

function requireOptions(options: WorkloadOptions): WorkloadOptions {
  if (typeof options !== "object" || options === null) throw new WorkloadError("options", "an object", quoted(options));
  const unknown = Object.keys(options).find((name) => name !== "packedBytes");
  if (unknown !== undefined) throw new WorkloadError("options", "packedBytes alone", quoted(unknown));
  return options;
}

function definitionOf(name: string): WorkloadDefinition {
  const definition = CATALOGUE.get(name);
  if (definition !== undefined) return definition;
  const near = typeof name === "string" ? nearestName(name) : undefined;
  const hint = near === undefined ? "" : `; is it ${near}?`;
  throw new WorkloadError("workload", `a known name${hint}`, quoted(name));
}

/** A guess that shares less than two thirds of the name is none. */
function nearestName(name: string): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const near = closest(name, [...CATALOGUE.keys()]);
  return distance(name, near) <= Math.max(2, Math.floor(name.length / 3)) ? near : undefined;
}

const LONGEST_NAME = 100;
