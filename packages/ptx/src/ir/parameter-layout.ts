import type { Kernel, Parameter } from "./kernel.js";

/** The type of a kernel parameter: a number, or an array of so many bytes, by value. Default alignment: 8 bytes. */
export type ParameterType = "u32" | "u64" | { readonly bytes: number; readonly align?: number };

const sizeOf = (type: ParameterType): number => (type === "u32" ? 4 : type === "u64" ? 8 : type.bytes);
const alignOf = (type: ParameterType): number => (typeof type === "string" ? sizeOf(type) : (type.align ?? 8));

/** Lays parameters out as the driver does: each at the next multiple of its alignment. */
export function layParameters(types: Readonly<Record<string, ParameterType>>): readonly Parameter[] {
  let endBytes = 0;
  return Object.entries(types).map(([name, type]) => {
    const alignBytes = alignOf(type);
    const offsetBytes = Math.ceil(endBytes / alignBytes) * alignBytes;
    endBytes = offsetBytes + sizeOf(type);
    const kind = typeof type === "string" ? type : "bytes";
    return Object.freeze({ name, type: kind, sizeBytes: sizeOf(type), alignBytes, offsetBytes });
  });
}

/** The value of a parameter; numbers wrap at the parameter's width. */
export type ParameterValue = number | bigint | Uint8Array;

/**
 * The parameter buffer of a launch (what the driver takes under CU_LAUNCH_PARAM_BUFFER_POINTER). Byte arrays may be
 * shorter than declared. Throws a RangeError that names a missing or oversized value.
 */
export function encodeParameters(kernel: Kernel, values: Readonly<Record<string, ParameterValue>>): Uint8Array {
  const buffer = new Uint8Array(kernel.parameterBytes);
  const view = new DataView(buffer.buffer);
  for (const parameter of kernel.parameters) writeParameter(view, kernel, parameter, values[parameter.name]);
  return buffer;
}

function writeParameter(view: DataView, kernel: Kernel, parameter: Parameter, value: ParameterValue | undefined): void {
  const where = `parameter ${parameter.name} of kernel ${kernel.name}`;
  const { type, offsetBytes, sizeBytes } = parameter;
  if (value === undefined) throw new RangeError(`${where}: expected a value, got none`);
  if (value instanceof Uint8Array) {
    if (type !== "bytes" || value.byteLength > sizeBytes) {
      throw new RangeError(`${where}: expected ${type} of ${sizeBytes} bytes, got ${value.byteLength} bytes`);
    }
    new Uint8Array(view.buffer).set(value, offsetBytes);
    return;
  }
  if (type === "bytes") throw new RangeError(`${where}: expected bytes, got a number`);
  if (type === "u32") view.setUint32(offsetBytes, Number(BigInt.asUintN(32, BigInt(value))), true);
  else view.setBigUint64(offsetBytes, BigInt.asUintN(64, BigInt(value)), true);
}
