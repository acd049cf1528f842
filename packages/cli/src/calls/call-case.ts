import type { Completion, Plan, Span } from "@stowage/backend-api";
import type { Mode } from "@stowage/bench";
import type { BufferLike, Committed } from "@stowage/selector";

/** One pack, and all ways to call it. */
export interface CallCase extends Disposable {
  readonly runs: Readonly<Record<Mode, () => void>>;
  /** Throws a WrongBytesError where the target has other bytes than it must; then clears it for the next run. */
  readonly check: () => void;
}

/** From where to where a case packs. */
export interface CallSides {
  /** What the public call is given. */
  readonly source: BufferLike;
  readonly target: BufferLike;
  /** Source and target as bindings name them. */
  readonly sourceSpan: Span;
  readonly targetSpan: Span;
  readonly check: () => void;
}

/** A case for each pair of sides. They share the plan that is bound anew before each run. */
export function casesOf(committed: Committed, count: number, sides: readonly CallSides[]): readonly CallCase[] {
  const [first] = sides;
  if (first === undefined) return [];
  const shared = committed.plan("pack", first.source, first.target, { count });
  return sides.map((each) => callCase(committed, count, each, shared));
}

function callCase(committed: Committed, count: number, sides: CallSides, shared: Plan): CallCase {
  const { source, target, sourceSpan, targetSpan, check } = sides;
  const bound = committed.plan("pack", source, target, { count });
  const length = count * committed.layout.sizeBytes;
  const binding = { source: sourceSpan, target: targetSpan, count, first: 0, length };
  const options = { count };
  const wait = (completion: Completion): void => completion.wait();
  return {
    runs: {
      bound: () => wait(bound.run()),
      rebind: () => {
        shared.rebind(0, binding);
        wait(shared.run());
      },
      call: () => wait(committed.pack(source, target, options)),
    },
    check,
    [Symbol.dispose]: () => {
      bound[Symbol.dispose]();
      shared[Symbol.dispose]();
    },
  };
}
