import type { Kernel } from "../ir/kernel.js";
import { layParameters, type ParameterType } from "../ir/parameter-layout.js";
import { Builder } from "./builder.js";
import { Scope } from "./scope.js";
import type { Value } from "./value.js";

/** What a kernel has besides its body. */
export interface KernelOptions<Types extends Readonly<Record<string, ParameterType>>> {
  /** The types of the parameters by their names, in the order in which a launch passes them. */
  readonly parameters: Types;
  /** Bytes of shared memory of a block. Default: 0. */
  readonly sharedBytes?: number;
  /** The most threads that a block may have (.maxntid; PTX ISA 11.4). Default: not said. */
  readonly maxThreads?: number;
  /** How many blocks are wanted on a multiprocessor (.minnctapersm; PTX ISA 11.4). Default: not said. */
  readonly minBlocks?: number;
}

/** The scalar parameters, loaded once at the kernel's start; byte arrays are read by Builder.loadParameter. */
export type Arguments<Types> = {
  readonly [Name in keyof Types as Types[Name] extends "u32" | "u64" ? Name : never]: Value;
};

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * Builds a kernel: `body` is called once and appends instructions through the builder.
 * Throws a TypeError where types do not fit or the name is no identifier, a RangeError for constants outside their
 * type.
 *
 * @example
 * ```typescript
 * // Adds 1 to each of `count` u32 values.
 * const kernel = buildKernel("increment", { parameters: { values: "u64", count: "u64" } }, (b, { values, count }) => {
 *   const thread = b.globalThread();
 *   b.if(thread.lt(count), () => {
 *     const address = values.add(thread.shl(2));
 *     b.store("global", address, [b.load("global", address, { bits: 32 }).add(1)], { bits: 32 });
 *   });
 * });
 * print(kernel, { arch: 90 });
 * ```
 */
export function buildKernel<const Types extends Readonly<Record<string, ParameterType>>>(
  name: string,
  options: KernelOptions<Types>,
  body: (builder: Builder, parameters: Arguments<Types>) => void,
): Kernel {
  if (!NAME.test(name)) throw new TypeError(`kernel name: expected an identifier, got "${name}"`);
  const parameters = Object.freeze(layParameters(options.parameters));
  const scope = new Scope();
  const builder = new Builder(scope, Object.keys(options.parameters));
  const instructions = scope.collect(() => body(builder, loadScalars(builder, options.parameters)));
  const last = parameters.at(-1);
  return Object.freeze({
    name,
    parameters,
    parameterBytes: last === undefined ? 0 : last.offsetBytes + last.sizeBytes,
    sharedBytes: options.sharedBytes ?? 0,
    ...(options.maxThreads === undefined ? {} : { maxThreads: options.maxThreads }),
    ...(options.minBlocks === undefined ? {} : { minBlocks: options.minBlocks }),
    registers: scope.registers,
    body: instructions,
  });
}

function loadScalars<Types extends Readonly<Record<string, ParameterType>>>(builder: Builder, types: Types) {
  const scalars = Object.entries(types).filter(([, type]) => typeof type === "string");
  const values = scalars.map(([name, type]) => {
    const [value] = builder.loadParameter(name, { bits: type === "u64" ? 64 : 32 });
    return [name, value] as const;
  });
  return Object.fromEntries(values) as Arguments<Types>;
}
