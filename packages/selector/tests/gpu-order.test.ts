import { checkLaw, LAWS, type LawOptions } from "@stowage/conformance";
import type { Backend, Plan } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { describe, expect, it } from "vitest";

const driver = openSimulatedCuda();
const context = driver.context();
const apart = context.stream();
const [blocking, other] = [context.stream({ blocking: true }), context.stream({ blocking: true })];

/** A backend whose runs without a queue go to a stream of ours. */
function onStream(backend: Backend, stream: typeof apart): Backend {
  const wrapped = (plan: Plan): Plan => ({
    run: (queue = stream) => plan.run(queue),
    rebind: (i, binding) => plan.rebind(i, binding),
    [Symbol.dispose]: () => plan[Symbol.dispose](),
  });
  return {
    name: backend.name,
    supports: (moves, conditions) => backend.supports(moves, conditions),
    compile: (moves, conditions) => backend.compile(moves, conditions),
    load(artifact) {
      const kernel = backend.load(artifact);
      return {
        bind: (bindings) => wrapped(kernel.bind(bindings)),
        explain: () => kernel.explain(),
        [Symbol.dispose]: () => kernel[Symbol.dispose](),
      };
    },
  };
}

const BACKENDS: Readonly<Record<string, () => Backend>> = {
  "cuda-generic": () => new CudaGenericBackend({ driver }),
  "cuda-strided": () => new CudaStridedBackend(() => driver),
  dma: () => new DmaBackend(() => driver),
};

/** Writes are enqueued on the legacy default stream and on a blocking one. */
const OPTIONS: LawOptions = {
  scattered: testMemory(context, "device"),
  packed: testMemory(context, "device", blocking),
  directions: ["pack", "unpack"],
  seed: 20_250_117,
};

describe.each(Object.entries(BACKENDS))(
  "%s: law 9, a run without a queue has the order of the legacy stream",
  (_, make) => {
    const law = LAWS.find(({ number }) => number === 9);
    const check = (factory: () => Backend): void => {
      if (law === undefined) throw new RangeError("laws: expected a ninth, got none");
      checkLaw(law, factory, { ...OPTIONS, runs: 100 });
    };

    it("among blocking streams", () => check(make));
    it("which a stream that does not block has not", () => {
      expect(() => check(() => onStream(make(), apart))).toThrow(/between writes that were enqueued: target, byte/);
    });
    it("nor has another blocking stream", () => {
      expect(() => check(() => onStream(make(), other))).toThrow(/between writes that were enqueued: target, byte/);
    });
  },
);
