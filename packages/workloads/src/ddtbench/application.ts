import type { Datatype } from "@stowage/ir";
import { repeated, type WorkloadDefinition } from "../definition.js";

const SOURCE = "DDTBench: Schneider, Gerstenberger, Hoefler, EuroMPI 2012";

/** One size of a DDTBench datatype. */
export interface Size {
  readonly sizeBytes: number;
  readonly datatype: () => Datatype;
}

/** The sizes of one DDTBench datatype, named NAME/0, NAME/1 ... in the benchmark's own order. */
export function application(name: string, description: string, sizes: readonly Size[]): WorkloadDefinition[] {
  return sizes.map(({ sizeBytes, datatype }, index) =>
    repeated({ name: `${name}/${index}`, group: "ddtbench", description, source: SOURCE }, sizeBytes, datatype),
  );
}
