import type { Datatype } from "@stowage/ir";
import type { WorkloadDefinition } from "../definition.js";

const MIB_BYTES = 1 << 20;

type OfSteps = (
  name: string,
  description: string,
  stepBytes: number,
  datatype: (steps: number) => Datatype,
) => WorkloadDefinition;

/** Datatypes of so many blocks or points of `stepBytes` each; about 1 MiB unless scaled. */
export const ofSteps =
  (source: string): OfSteps =>
  (name, description, stepBytes, datatype) => ({
    name,
    group: "peers",
    description,
    source,
    defaultScale: Math.ceil(MIB_BYTES / stepBytes),
    sizeBytes: (steps) => steps * stepBytes,
    build: (steps) => ({ datatype: datatype(steps), count: 1 }),
  });
