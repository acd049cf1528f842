import { directionOf, type Backend, type Binding, type Kernel, type Plan } from "@stowage/backend-api";
import { SimpleBackend } from "../simple/simple-backend.js";

/** A backend whose kernels are wrapped. */
export function withKernels(backend: Backend, wrap: (kernel: Kernel) => Kernel): Backend {
  return {
    name: backend.name,
    supports: (moves, conditions) => backend.supports(moves, conditions),
    ...(backend.predict === undefined ? {} : { predict: backend.predict.bind(backend) }),
    compile: (moves, conditions) => backend.compile(moves, conditions),
    load: (artifact) => wrap(backend.load(artifact)),
  };
}

/** A backend whose plans are wrapped; the wrapper sees what they were bound to. */
export function withPlans(backend: Backend, wrap: (plan: Plan, bindings: readonly Binding[]) => Plan): Backend {
  return withKernels(backend, (kernel) => ({
    bind: (bindings) => wrap(kernel.bind(bindings), bindings),
    explain: () => kernel.explain(),
    [Symbol.dispose]: () => kernel[Symbol.dispose](),
  }));
}

/** A plan of which some methods are others. */
export function planWith(plan: Plan, methods: Partial<Plan>): Plan {
  return {
    run: methods.run ?? ((queue) => plan.run(queue)),
    rebind: methods.rebind ?? ((i, binding) => plan.rebind(i, binding)),
    [Symbol.dispose]: methods[Symbol.dispose] ?? (() => plan[Symbol.dispose]()),
  };
}

/** A backend that packs as the right one does, and unpacks as a wrong one. */
export function unpackingBy(wrong: Backend): Backend {
  const right = new SimpleBackend();
  const unpacks = (moves: Parameters<Backend["compile"]>[0]): boolean =>
    moves.some((move) => directionOf(move) === "unpack");
  return {
    name: right.name,
    supports: (moves, conditions) => right.supports(moves, conditions),
    predict: (moves, conditions, profile) => right.predict(moves, conditions, profile),
    compile: (moves, conditions) => (unpacks(moves) ? wrong : right).compile(moves, conditions),
    load: (artifact) => (unpacks(artifact.moves) ? wrong : right).load(artifact),
  };
}
