import { conditions, hostMemory, type Backend, type Conditions, type Span } from "@stowage/backend-api";
import { backendCommit, moveOf } from "./backend-commit.js";
import { expectedScatter, requireSameBytes, type Cell } from "./cell/cell.js";
import type { Commit } from "./committed-type.js";
import { medianCommitNs } from "./commit-time.js";
import type { Contender, Prepared, Refusal } from "./contender.js";
import { formatBytes } from "./format.js";
import { ring } from "./ring.js";

const CANARY = 0x5a;

/** Elements may lie this far apart in the memory of a bench: a contender holds two copies of it. */
const MOST_SCATTERED_BYTES = 2 ** 31;

/** Whatever commits datatypes, on host memory, committed afresh for each cell so that its commit time is real. */
export function hostContender(name: string, commit: Commit): Contender {
  return { name, route: "host", prepare: (cell) => prepare(name, commit, cell) };
}

/** A backend alone, without an engine; what it refuses it has no rows of. */
export function backendContender(
  backend: Backend,
  given: Partial<Omit<Conditions, "count">> = {},
  name = backend.name,
): Contender {
  const commit = backendCommit(backend, given);
  return {
    name,
    route: "host",
    prepare(cell) {
      const support = backend.supports([moveOf(cell.datatype, cell.direction)], conditions(given));
      return support.ok ? prepare(name, commit, cell) : support;
    },
  };
}

function prepare(name: string, commit: Commit, cell: Cell): Prepared | Refusal {
  const { sizeBytes } = cell.pattern;
  if (sizeBytes > MOST_SCATTERED_BYTES) {
    return {
      reason: `expected elements within ${formatBytes(MOST_SCATTERED_BYTES)}, got ${formatBytes(sizeBytes)}; left out`,
    };
  }
  const { datatype, direction, count, packed } = cell;
  const commitNs = medianCommitNs(() => commit(datatype, direction));
  const committed = commit(datatype, direction);
  const packing = direction === "pack";
  const output = new Uint8Array(packing ? cell.packedBytes : cell.scattered.length).fill(CANARY);
  const scattered = (): Span => spanOf(packing ? cell.scattered : output, cell.originBytes);
  const dense = (): Span => spanOf(packing ? output : packed, 0);
  const sides = (): readonly [Span, Span] => (packing ? [scattered(), dense()] : [dense(), scattered()]);
  const plan = committed.plan(...sides(), count);
  const next = ring(sides);
  return {
    commitNs,
    run: () => plan.run().wait(),
    ...(committed.call === undefined
      ? {}
      : {
          call: () => {
            const [source, target] = next();
            committed.call?.(source, target, count).wait();
          },
        }),
    verify: () => requireSameBytes(cell, name, packing ? packed : expectedScatter(cell, CANARY), output),
    [Symbol.dispose]: () => {
      plan[Symbol.dispose]();
      committed[Symbol.dispose]();
    },
  };
}

/** Through a view of its own: calls see another object each time, on the same memory, so that caches hold what they held. */
const spanOf = (bytes: Uint8Array, originBytes: number): Span => ({
  memory: hostMemory(bytes.subarray()),
  originBytes,
});
