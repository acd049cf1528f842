import type { Backend } from "@stowage/backend-api";
import { cellsOf, type Cell, type Elements } from "@stowage/bench";
import { CellInput, packedOutput, type Gpu } from "@stowage/bench/device";
import { createEngine, NoBackendError } from "@stowage/selector";
import { casesOf, type CallSides } from "./call-case.js";
import type { Cases } from "./host-cases.js";

/** Every datatype on a device's memory, each with its wait. */
export function deviceCases(gpu: Gpu, backend: Backend, types: readonly Elements[]): Cases {
  const engine = createEngine({ backends: [backend] });
  const held: Disposable[] = [];
  const refusals: string[] = [];
  const cases = types.flatMap(({ name, datatype, count }) => {
    const [cell] = cellsOf(name, datatype, count) as readonly [Cell];
    try {
      const committed = engine.commit(datatype, { memory: "device", packedMemory: "device" });
      const sides = Array.from({ length: COPIES }, () => sidesOn(gpu, cell, backend.name, held));
      return casesOf(committed, count, sides);
    } catch (error) {
      if (!(error instanceof NoBackendError)) throw error;
      refusals.push(`${name}: ${error.message}`);
      return [];
    }
  });
  return {
    cases,
    refusals,
    [Symbol.dispose]: () => {
      for (const each of cases) each[Symbol.dispose]();
      engine[Symbol.dispose]();
      for (const each of held) each[Symbol.dispose]();
    },
  };
}

/** Each datatype lies in so many places, for plans to be bound to in turn. */
const COPIES = 2;

function sidesOn(gpu: Gpu, cell: Cell, contender: string, held: Disposable[]): CallSides {
  const input = new CellInput(gpu, cell);
  const output = packedOutput(gpu, cell, "device");
  held.push(input, output);
  const source = { memory: input.scattered, originBytes: cell.originBytes };
  const target = { memory: output.memory, originBytes: 0 };
  return { source, target, sourceSpan: source, targetSpan: target, check: () => output.check(contender) };
}
