import type { Backend, Conditions, MemoryKind } from "@stowage/backend-api";
import type { Commit, CommittedType } from "@stowage/bench";
import { createEngine, type Engine, type EngineOptions } from "@stowage/selector";
import type { Datatype } from "@stowage/ir";

/** What of a commit's conditions an engine asks its users for. */
interface Given {
  readonly memory?: MemoryKind;
  readonly packedMemory?: MemoryKind;
  readonly threads?: number;
}

/** Commits through an engine of its own each time, so that nothing is found in a cache; with the public call. */
export const engineCommit =
  (options: EngineOptions, given: Given = {}): Commit =>
  (datatype, direction) => {
    const engine = createEngine(options);
    return committedType(engine, datatype, direction, given, () => engine[Symbol.dispose]());
  };

function committedType(
  engine: Engine,
  datatype: Datatype,
  direction: "pack" | "unpack",
  given: Given,
  dispose: () => void,
): CommittedType {
  const committed = engine.commit(datatype, given);
  committed.compile(direction);
  return {
    plan: (source, target, count) => committed.plan(direction, source, target, { count }),
    call: (source, target, count, queue) =>
      direction === "pack"
        ? committed.pack(source, target, { count, queue })
        : committed.unpack(source, target, { count, queue }),
    [Symbol.dispose]: dispose,
  };
}

/** Commits through an engine with one backend, on a device's memory. */
export function deviceCommit(backend: Backend, { sourceKind, targetKind }: Partial<Conditions>): Commit {
  return (datatype, direction) => {
    const [memory, packedMemory] = direction === "pack" ? [sourceKind, targetKind] : [targetKind, sourceKind];
    const kinds = {
      ...(memory === undefined ? {} : { memory }),
      ...(packedMemory === undefined ? {} : { packedMemory }),
    };
    return engineCommit({ backends: [backend] }, kinds)(datatype, direction);
  };
}
