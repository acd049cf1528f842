import { BindingError, hostMemory, type Backend } from "@stowage/backend-api";
import { cellsOf, requireSameBytes, type Cell, type Elements } from "@stowage/bench";
import { createEngine, type Committed } from "@stowage/selector";
import { casesOf, type CallCase, type CallSides } from "./call-case.js";
import { bytesOf, VIEW_KINDS, type ViewKind } from "./view-kinds.js";

/** Calls by one backend on host memory. */
export interface Cases extends Disposable {
  readonly cases: readonly CallCase[];
  /** Kinds of views that it does not take. */
  readonly refusals: readonly string[];
}

/** Every datatype through every kind of view. */
export function hostCases(
  backend: Backend,
  types: readonly Elements[],
  kinds: readonly ViewKind[] = VIEW_KINDS,
): Cases {
  const engine = createEngine({ backends: [backend] });
  const refusals = new Set<string>();
  const cases = types.flatMap(({ name, datatype, count }) => {
    const [cell] = cellsOf(name, datatype, count) as readonly [Cell];
    const committed = engine.commit(datatype);
    const sides = kinds.flatMap((kind) => sidesThrough(committed, cell, kind, backend.name, refusals));
    return casesOf(committed, count, sides);
  });
  return {
    cases,
    refusals: [...refusals],
    [Symbol.dispose]: () => {
      for (const each of cases) each[Symbol.dispose]();
      engine[Symbol.dispose]();
    },
  };
}

/** Memory behind one kind of view; none, with a refusal, where the backend does not take it. */
function sidesThrough(
  committed: Committed,
  cell: Cell,
  kind: ViewKind,
  contender: string,
  refusals: Set<string>,
): readonly CallSides[] {
  const { originBytes, count } = cell;
  const source = kind.copyOf(cell.scattered);
  const target = kind.copyOf(new Uint8Array(cell.packedBytes));
  const sourceSpan = { memory: hostMemory(source), originBytes };
  const targetSpan = { memory: hostMemory(target), originBytes: 0 };
  const output = bytesOf(target);
  const check = (): void => {
    requireSameBytes(cell, contender, cell.packed, output);
    output.fill(0);
  };
  try {
    committed.plan("pack", sourceSpan, targetSpan, { count })[Symbol.dispose]();
    return [{ source: originBytes === 0 ? source : sourceSpan, target, sourceSpan, targetSpan, check }];
  } catch (error) {
    if (!(error instanceof BindingError)) throw error;
    refusals.add(`${kind.name}: ${error.message}`);
    return [];
  }
}
