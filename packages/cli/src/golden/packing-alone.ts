import {
  conditions,
  packMove,
  type Backend,
  type Buffer,
  type Completion,
  type Kernel,
  type Span,
} from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import type { Committed } from "@stowage/selector";

/** What a check needs of a committed datatype: a backend that only packs has no more. */
export type Packing = Pick<Committed, "pack"> & Partial<Pick<Committed, "unpack">> & Disposable;

/** A datatype packed by one backend, which need not unpack. */
export function packingAlone(backend: Backend, layout: Layout, kinds: Parameters<typeof conditions>[0]): Packing {
  const given = conditions(kinds);
  const kernel: Kernel = backend.load(backend.compile([packMove(layout)], given));
  return {
    pack(source, target, { count = 1, first = 0, length = count * layout.sizeBytes } = {}): Completion {
      const binding = {
        source: source as Span,
        target: { memory: target as Buffer, originBytes: 0 },
        count,
        first,
        length,
      };
      const plan = kernel.bind([binding]);
      const completion = plan.run();
      completion.wait();
      plan[Symbol.dispose]();
      return completion;
    },
    [Symbol.dispose]: () => kernel[Symbol.dispose](),
  };
}
