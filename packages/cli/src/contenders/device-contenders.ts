import { conditions, packMove, type Backend } from "@stowage/backend-api";
import type { Contender } from "@stowage/bench";
import { backendContender, packedKind, type CellInput, type DeviceRoute, type Gpu } from "@stowage/bench/device";
import { canonicalise, indexed, lower, predefined, vector } from "@stowage/ir";
import type { Engine } from "@stowage/selector";
import { deviceCommit } from "./engine-commit.js";

/** Which of an engine's backends take part: "all" that take device memory, "auto" for its own choice, or by name. */
export type AskedBackends = "all" | "auto" | readonly string[];

/** Backends for one cell on one route. */
export function deviceContenders(
  gpu: Gpu,
  engine: Engine,
  asked: AskedBackends,
  input: CellInput,
  route: DeviceRoute,
): readonly Contender[] {
  const backends = asked === "auto" ? [choiceFor(engine, input, route)] : backendsNamed(engine, asked);
  return backends.map((backend) => backendContender(gpu, input, backend, route, deviceCommit));
}

/** The backends that an option names. Throws one line where there is no such backend. */
export function askedBackends(engine: Engine, asked: string): AskedBackends {
  if (asked === "all" || asked === "auto") return asked;
  const known = engine.backends.map(({ name }) => name);
  const names = asked.split(",");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new Error(`--backend: expected all, auto or some of ${known.join(", ")}, got ${unknown}`);
}

function choiceFor(engine: Engine, { layout, count }: CellInput, route: DeviceRoute): Backend {
  const given = conditions({ sourceKind: "device", targetKind: packedKind(route), count });
  return engine.choiceFor([packMove(layout)], given).chosen;
}

function backendsNamed(engine: Engine, asked: Exclude<AskedBackends, "auto">): readonly Backend[] {
  return engine.backends.filter((backend) =>
    asked === "all" ? takesDeviceMemory(backend) : asked.includes(backend.name),
  );
}

/** Whether it takes any layout at all there: those of the host would refuse every cell in the same words. */
export function takesDeviceMemory(backend: Backend): boolean {
  const double = predefined("MPI_DOUBLE");
  const types = [double, vector(2, 1, 2, double), indexed([1, 2], [0, 3], double)];
  const onDevice = conditions({ sourceKind: "device", targetKind: "device" });
  return types.some((type) => backend.supports([packMove(canonicalise(lower(type)))], onDevice).ok);
}
