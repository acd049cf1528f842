import { conditions, packMove, type Backend } from "@stowage/backend-api";
import { canonicalise, indexed, lower, predefined, vector } from "@stowage/ir";
import { choose, type Engine } from "@stowage/selector";
import type { Cell } from "../bench/cell.js";
import type { Contender } from "../bench/contender.js";
import { backendContender } from "./backend-contender.js";
import type { CellInput } from "./cell-input.js";
import { copyRouteContender, memcpyContender } from "./copy-contenders.js";
import type { Gpu } from "./gpu.js";
import { packedKind, type DeviceRoute } from "./routes.js";

/** Which of an engine's backends take part: "all" that take device memory, "auto" for its own choice, or by name. */
export type AskedBackends = "all" | "auto" | readonly string[];

/** Backends, and after them the driver's own copies, for one cell on one route. */
export function contendersOf(
  gpu: Gpu,
  engine: Engine,
  input: CellInput,
  asked: AskedBackends,
  cell: Cell,
  route: DeviceRoute,
): readonly Contender[] {
  const backends = asked === "auto" ? [choiceFor(engine, input, route)] : backendsNamed(engine, asked);
  return [
    ...backends.map((backend) => backendContender(gpu, input, backend, route)),
    ...copyRouteContender(gpu, input, cell, route),
    memcpyContender(gpu, input, route),
  ];
}

function choiceFor({ backends }: Engine, { layout }: CellInput, route: DeviceRoute): Backend {
  return choose(backends, [packMove(layout)], conditions({ sourceKind: "device", targetKind: packedKind(route) }))
    .chosen;
}

function backendsNamed(engine: Engine, asked: Exclude<AskedBackends, "auto">): readonly Backend[] {
  return engine.backends.filter((backend) =>
    asked === "all" ? takesDeviceMemory(backend) : asked.includes(backend.name),
  );
}

/** Whether it takes any layout at all there: those of the host would refuse every cell in the same words. */
function takesDeviceMemory(backend: Backend): boolean {
  const double = predefined("MPI_DOUBLE");
  const types = [double, vector(2, 1, 2, double), indexed([1, 2], [0, 3], double)];
  const onDevice = conditions({ sourceKind: "device", targetKind: "device" });
  return types.some((type) => backend.supports([packMove(canonicalise(lower(type)))], onDevice).ok);
}
