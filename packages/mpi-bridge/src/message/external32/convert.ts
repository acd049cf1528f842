import { BridgeError } from "../../errors.js";
import { fromBinary128, toBinary128 } from "./long-double.js";
import type { External } from "./table.js";

const LITTLE = true;
const BIG = false;
const WORD_BITS = 64n;
const WORD = (1n << WORD_BITS) - 1n;

/** Writes `count` elements of one basic type in external32; both views hold exactly these. */
export function toExternal(name: string, form: External, native: DataView, external: DataView, count: number): void {
  for (let i = 0; i < count * form.values; i++) {
    const [from, to] = [i * form.nativeBytes, i * form.externalBytes];
    if (form.kind === "bytes") reverse(native, from, external, to, form.nativeBytes);
    else if (form.kind === "long double") writeBinary128(native, from, external, to);
    else narrow(name, form, native, from, external, to);
  }
}

/** The other way. */
export function fromExternal(form: External, external: DataView, native: DataView, count: number): void {
  for (let i = 0; i < count * form.values; i++) {
    const [from, to] = [i * form.externalBytes, i * form.nativeBytes];
    if (form.kind === "bytes") reverse(external, from, native, to, form.nativeBytes);
    else if (form.kind === "long double") readBinary128(external, from, native, to);
    else widen(form, external, from, native, to);
  }
}

function reverse(from: DataView, at: number, to: DataView, toAt: number, width: number): void {
  switch (width) {
    case 1:
      return to.setUint8(toAt, from.getUint8(at));
    case 2:
      return to.setUint16(toAt, from.getUint16(at, LITTLE), BIG);
    case 4:
      return to.setUint32(toAt, from.getUint32(at, LITTLE), BIG);
    default:
      to.setUint32(toAt, from.getUint32(at + 4, LITTLE), BIG);
      to.setUint32(toAt + 4, from.getUint32(at, LITTLE), BIG);
  }
}

/** Throws a BridgeError for a value that the narrower integer does not hold: MPI_ERR_CONVERSION's case. */
function narrow(name: string, form: External, from: DataView, at: number, to: DataView, toAt: number): void {
  const bits = 8 * form.externalBytes;
  const isWide = form.nativeBytes === 8;
  const raw = isWide ? from.getBigUint64(at, LITTLE) : BigInt(from.getUint32(at, LITTLE));
  const value = form.kind === "signed" ? BigInt.asIntN(8 * form.nativeBytes, raw) : raw;
  const kept = form.kind === "signed" ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  if (kept !== value) throw new BridgeError(`${name} in external32`, `a value of ${bits} bits`, String(value));
  if (form.externalBytes === 4) to.setUint32(toAt, Number(BigInt.asUintN(32, value)), BIG);
  else to.setUint16(toAt, Number(value), BIG);
}

function widen(form: External, from: DataView, at: number, to: DataView, toAt: number): void {
  if (form.externalBytes === 2) return to.setUint32(toAt, from.getUint16(at, BIG), LITTLE);
  const value = form.kind === "signed" ? from.getInt32(at, BIG) : from.getUint32(at, BIG);
  to.setBigInt64(toAt, BigInt(value), LITTLE);
}

function writeBinary128(from: DataView, at: number, to: DataView, toAt: number): void {
  const bits = toBinary128(BigInt(from.getUint16(at + 8, LITTLE)), from.getBigUint64(at, LITTLE));
  to.setBigUint64(toAt, bits >> WORD_BITS, BIG);
  to.setBigUint64(toAt + 8, bits & WORD, BIG);
}

function readBinary128(from: DataView, at: number, to: DataView, toAt: number): void {
  const { signExponent, significand } = fromBinary128(
    (from.getBigUint64(at, BIG) << WORD_BITS) | from.getBigUint64(at + 8, BIG),
  );
  to.setBigUint64(toAt, significand, LITTLE);
  to.setBigUint64(toAt + 8, signExponent, LITTLE); // six bytes of padding are zeros
}
