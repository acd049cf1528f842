import { translate } from "@stowage/ptx";
import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { give } from "./give.js";
import type { Machine, SimulatedModule } from "./machine.js";

type ModuleCall = Extract<keyof Calls, `cuModule${string}` | `cuFunc${string}`>;

const SHARED_AT_MOST = 232_448;
// CUfunction_attribute.
const ATTRIBUTE = { staticSharedBytes: 1, localBytes: 3, registers: 4, dynamicSharedBytes: 8 } as const;

export function moduleCalls(machine: Machine): Pick<Calls, ModuleCall> {
  const { modules, functions, space } = machine;
  return {
    cuModuleLoadDataEx(out, image, _count, _names, values) {
      const text = new TextDecoder().decode(image.subarray(0, -1));
      const kernel = machine.kernels.get(text);
      const refusal = kernel === undefined ? "expected a rendered kernel's text" : refuse(text, machine.model);
      if (kernel === undefined || refusal !== undefined) {
        space.write(Number(values[0]), new TextEncoder().encode(`${refusal}\0`));
        return results.INVALID_PTX;
      }
      if (machine.current === undefined) return results.INVALID_CONTEXT;
      out[0] = BigInt(modules.add({ kernel, device: machine.current, functions: new Map() }));
      return results.SUCCESS;
    },
    cuModuleUnload(handle) {
      const module = modules.get(handle);
      if (module === undefined) return results.INVALID_HANDLE;
      machine.drainAll();
      for (const func of module.functions.values()) functions.remove(func);
      modules.remove(handle);
      return results.SUCCESS;
    },
    cuModuleGetFunction(out, handle, name) {
      const module = modules.get(handle);
      if (module === undefined) return results.INVALID_HANDLE;
      const wanted = new TextDecoder().decode(name.subarray(0, -1));
      if (module.kernel.name !== wanted) return results.NOT_FOUND;
      out[0] = BigInt(functionOf(machine, module, wanted));
      return results.SUCCESS;
    },
    cuFuncGetAttribute(value, attribute, handle) {
      const func = functions.get(handle);
      if (func === undefined) return results.INVALID_HANDLE;
      const { sharedBytes, registers } = func.translation.kernel;
      const known: Readonly<Record<number, number>> = {
        [ATTRIBUTE.staticSharedBytes]: sharedBytes,
        [ATTRIBUTE.localBytes]: 0,
        [ATTRIBUTE.registers]: Math.min(255, registers),
      };
      const fact = known[attribute];
      return fact === undefined ? results.INVALID_VALUE : give(value, fact);
    },
    cuFuncSetAttribute(handle, attribute, value) {
      const func = functions.get(handle);
      if (func === undefined) return results.INVALID_HANDLE;
      if (attribute !== ATTRIBUTE.dynamicSharedBytes || value > SHARED_AT_MOST) return results.INVALID_VALUE;
      func.sharedBytes = value;
      return results.SUCCESS;
    },
  };
}

function functionOf(
  { functions, launched, accessed }: Machine,
  { kernel, device, functions: known }: SimulatedModule,
  name: string,
) {
  const translation = () =>
    translate(kernel, { countAccesses: launched !== undefined, ...(accessed && { onAccess: accessed }) });
  const func = known.get(name) ?? functions.add({ translation: translation(), device, sharedBytes: 0 });
  known.set(name, func);
  return func;
}

/** Why a device refuses a text: a newer architecture or PTX version than its own. */
function refuse(text: string, model: { readonly architecture: number; readonly version: number }): string | undefined {
  const target = Number(/^\.target sm_(\d+)/m.exec(text)?.[1] ?? 0);
  if (target > model.architecture) return `expected a target of sm_${model.architecture} or below, got sm_${target}`;
  return undefined;
}
