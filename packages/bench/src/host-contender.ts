import { conditions, type Backend, type Conditions } from "@stowage/backend-api";
import { backendCommit, moveOf } from "./backend-commit.js";
import { expectedScatter, requireSameBytes, type Cell } from "./cell/cell.js";
import type { Commit } from "./committed-type.js";
import type { Contender, Prepared, Refusal } from "./contender.js";
import { formatBytes } from "./format.js";
import { ring } from "./ring.js";
import { sidesOf } from "./sides.js";

const CANARY = 0x5a;

/** Elements may lie this far apart in the memory of a bench: a contender holds two copies of it. */
const MOST_SCATTERED_BYTES = 2 ** 31;

/**
 * A contender on host memory of whatever commits datatypes. It commits afresh for each cell, so that its commit time is
 * real.
 */
export function hostContender(name: string, commit: Commit): Contender {
  return { name, route: "host", prepare: (cell) => prepare(name, commit, cell) };
}

/**
 * A contender on host memory that is a backend alone, without an engine. It refuses the cells that the backend does not
 * support. `given` are the conditions that it compiles for, `name` is its name in result rows.
 */
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
  const committed = commit(datatype, direction);
  const packing = direction === "pack";
  const output = new Uint8Array(packing ? cell.packedBytes : cell.scattered.length).fill(CANARY);
  const sides = sidesOf(direction, packing ? cell.scattered : output, cell.originBytes, packing ? output : packed);
  const plan = committed.plan(...sides.spans(), count);
  const next = ring(sides.given);
  return {
    commit: () => commit(datatype, direction),
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
