import type { Calls, Libcuda } from "../calls.js";
import * as results from "../results.js";
import { copyCalls } from "./copy-calls.js";
import { contextCalls } from "./context-calls.js";
import { deviceCalls } from "./device-calls.js";
import { eventCalls } from "./event-calls.js";
import { graphCalls } from "./graph-calls.js";
import { launchCalls } from "./launch-calls.js";
import { Machine } from "./machine.js";
import { memoryCalls } from "./memory-calls.js";
import { moduleCalls } from "./module-calls.js";
import type { SimulatedOptions } from "./options.js";
import { pointerCalls } from "./pointer-calls.js";
import { resultName, resultText } from "./results.js";
import { streamCalls } from "./stream-calls.js";

/** What answers without an initialised driver. */
const ALWAYS: ReadonlySet<string> = new Set(["cuInit", "cuDriverGetVersion"]);

/**
 * The calls of libcuda over simulated devices. Work sent to a stream runs in its order, and no earlier than
 * something waits for it or asks after it: code that forgets to wait sees old bytes here too.
 */
export function simulatedLibcuda(options: SimulatedOptions = {}): Libcuda {
  const machine = new Machine(options);
  const { space } = machine;
  const calls: Calls = {
    ...deviceCalls(machine),
    ...contextCalls(machine),
    ...memoryCalls(machine),
    ...pointerCalls(machine),
    ...copyCalls(machine),
    ...streamCalls(machine),
    ...eventCalls(machine),
    ...moduleCalls(machine),
    ...launchCalls(machine),
    ...graphCalls(machine),
  };
  return {
    ...guarded(machine, calls, options.fault),
    rendered: (text, kernel) => void machine.kernels.set(text, kernel),
    errorName: resultName,
    errorText: (result) => (machine.sticky?.result === result ? machine.sticky.text : resultText(result)),
    addressOf: (view) => space.host.addressOf(view),
    simulation: {
      enqueue: (stream, attempt) => machine.enqueueAttempts(stream, attempt),
      currentGpu: () => machine.model.gpus[machine.current ?? -1],
      read: (address, sizeBytes) => space.read(address, sizeBytes),
      write: (address, bytes) => space.write(address, bytes),
    },
    bytesAt: (address) => space.memory.find(BigInt(address))?.bytes ?? new Uint8Array(),
  };
}

/** Every call first fails as it must: as injected, before cuInit, or after the context was lost. */
function guarded(machine: Machine, calls: Calls, fault: SimulatedOptions["fault"]): Calls {
  const guard = (name: keyof Calls): ((...args: never[]) => number) => {
    const call: (...args: never[]) => number = calls[name];
    return (...args) => {
      const injected = fault?.(name);
      if (injected !== undefined) return injected;
      if (!machine.initialised && !ALWAYS.has(name)) return results.NOT_INITIALIZED;
      if (machine.sticky !== undefined && !/Destroy|Free|Unload|Release|Unregister|EndCapture/.test(name)) {
        return ALWAYS.has(name) ? call(...args) : machine.sticky.result;
      }
      return call(...args);
    };
  };
  const names = Object.keys(calls) as (keyof Calls)[];
  return Object.fromEntries(names.map((name) => [name, guard(name)])) as unknown as Calls;
}
