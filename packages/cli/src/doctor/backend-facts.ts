import { conditions, packMove, type Backend } from "@stowage/backend-api";
import { canonicalise, lower, predefined, vector } from "@stowage/ir";
import { isRoute } from "@stowage/routes";
import type { Engine } from "@stowage/selector";
import type { Fact } from "./machine-facts.js";

/** Whether each backend takes a plain strided datatype here, and if not why. Routes run where their packers do. */
export function backendFacts(engine: Engine): readonly Fact[] {
  const layout = canonicalise(lower(vector(4, 1, 2, predefined("MPI_DOUBLE"))));
  const packers = engine.backends.filter((backend) => !isRoute(backend));
  return packers.map((backend) => {
    const kind = memoryOf(backend);
    const support = backend.supports([packMove(layout)], conditions({ sourceKind: kind, targetKind: kind }));
    return {
      name: `backend ${backend.name}`,
      finding: support.ok ? `runs here (${kind} memory)` : `no: ${support.reason}`,
    };
  });
}

const memoryOf = ({ name }: Backend) => (name.startsWith("cuda-") || name === "dma" ? "device" : "host");
