import type { FunctionCode, FunctionType } from "./function-code.js";
import { unsigned } from "./leb128.js";
import { VALUE_TYPE, type ValueType } from "./opcodes.js";

export interface ModuleParts {
  /** From module "device"; they take the first function indices. */
  readonly imports: readonly { readonly name: string; readonly type: FunctionType }[];
  readonly functions: readonly FunctionCode[];
  /** Mutable, zero at the start. */
  readonly globals: readonly { readonly name: string; readonly type: ValueType }[];
  /** The one exported function, by its place among `functions`. */
  readonly entry: { readonly name: string; readonly place: number };
}

const HEADER = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** The binary of a module that imports device.memory (WebAssembly core specification, section 5.5). */
export function moduleBytes({ imports, functions, globals, entry }: ModuleParts): Uint8Array {
  const types = [...imports.map((item) => item.type), ...functions.map((item) => item.type)];
  const memory = [...text("device"), ...text("memory"), 2, 0, 1];
  const importItems = imports.map(({ name }, i) => [...text("device"), ...text(name), 0, ...unsigned(i)]);
  const globalItems = globals.map(({ type }) => [VALUE_TYPE[type], 1, type === "i32" ? 0x41 : 0x42, 0, 0x0b]);
  const exported = globals.map(({ name }, i) => [...text(name), 3, ...unsigned(i)]);
  const run = [...text(entry.name), 0, ...unsigned(imports.length + entry.place)];
  return Uint8Array.from([
    ...HEADER,
    ...section(1, types.map(encodeType)),
    ...section(2, [memory, ...importItems]),
    ...section(
      3,
      functions.map((_, i) => unsigned(imports.length + i)),
    ),
    ...section(6, globalItems),
    ...section(7, [run, ...exported]),
    ...section(
      10,
      functions.map((code) => code.encode()),
    ),
  ]);
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const body = [unsigned(items.length), ...items].flat();
  return [id, ...unsigned(body.length), ...body];
}

const text = (name: string): number[] => [...unsigned(name.length), ...[...name].map((c) => c.charCodeAt(0))];

const encodeType = ({ parameters, results }: FunctionType): number[] => [
  0x60,
  ...unsigned(parameters.length),
  ...parameters.map((type) => VALUE_TYPE[type]),
  ...unsigned(results.length),
  ...results.map((type) => VALUE_TYPE[type]),
];
