// The same move under several sets of options, over the same buffers.
import { conditions, hostMemory } from "@stowage/backend-api";
import { X64Backend } from "../dist/index.js";

/** { name: plan } of options { name: X64Options }; throws where one leaves other bytes in `target` than `want`. */
export function plansOfOptions(options, { what, move, count, source, target, want }) {
  const binding = {
    source: { memory: hostMemory(source), originBytes: 0 },
    target: { memory: hostMemory(target), originBytes: 0 },
    count,
    first: 0,
    length: move.source.sizeBytes * count,
  };
  const planOf = ([name, each]) => {
    const backend = new X64Backend(each);
    const plan = backend.load(backend.compile([move], conditions())).bind([binding]);
    target.fill(0);
    plan.run();
    if (Buffer.compare(target, want) !== 0) throw new Error(`${what}, ${name}: expected the blocks' bytes, got others`);
    return [name, plan];
  };
  return Object.fromEntries(Object.entries(options).map(planOf));
}
