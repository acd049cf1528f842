import { directionOf, type Backend, type Binding, type Buffer, type Direction, type Plan } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import type { Driver } from "@stowage/cuda-driver";

/** A backend that moves what it must, and then, in one direction, sets the byte at an offset of the target's memory. */
export function tampering(driver: Driver, direction: Direction, offsetBytes: number): Backend {
  const right = new CudaGenericBackend({ driver });
  const context = driver.context();
  const tamper = (plan: Plan, { target }: Binding): Plan => ({
    run(queue) {
      const completion = plan.run(queue);
      completion.wait();
      const { address = 0 } = target.memory as Buffer;
      context.enter();
      context.libcuda.cuMemsetD8Async(address + offsetBytes, 0xee, 1, queue?.handle ?? 0);
      return { poll: () => completion.poll(), wait: () => context.synchronize() };
    },
    rebind: () => undefined,
    [Symbol.dispose]: () => plan[Symbol.dispose](),
  });
  return {
    name: "tampering",
    supports: (moves, given) => right.supports(moves, given),
    predict: (moves, given, profile) => right.predict(moves, given, profile),
    compile: (moves, given) => right.compile(moves, given),
    load(artifact) {
      const kernel = right.load(artifact);
      const tampers = artifact.moves.some((move) => directionOf(move) === direction);
      return {
        bind(bindings) {
          const plan = kernel.bind(bindings);
          return tampers ? tamper(plan, bindings[0] as Binding) : plan;
        },
        explain: () => kernel.explain(),
        [Symbol.dispose]: () => kernel[Symbol.dispose](),
      };
    },
  };
}
