import { ELEMENTS, type Element, type Operation, type Reduction } from "@stowage/backend-api";
import { viewAt, type Image } from "../memory/image.js";
import { entriesIn, type ByteMap, type Range } from "./byte-map.js";

/** The elements of a range combined one after another with what an image holds, as the operations are defined. */
export function reduceInto(image: Image, map: ByteMap, range: Range, packed: Uint8Array, reduction: Reduction): void {
  const { sizeBytes } = ELEMENTS[reduction.element];
  let used = 0;
  for (const { offsetBytes, lengthBytes } of entriesIn(map, range)) {
    for (let at = 0; at < lengthBytes; at += sizeBytes, used += sizeBytes) {
      const there = viewAt(image, offsetBytes + at, sizeBytes);
      there.set(combined(reduction, packed.slice(used, used + sizeBytes), there.slice()));
    }
  }
}

/** The bytes of one element: of what arrives (s) and of what is there (t). */
export function combined({ op, element }: Reduction, s: Uint8Array, t: Uint8Array): Uint8Array {
  if (op === "MPI_MAX" || op === "MPI_MIN") return displaces(op, element, s, t) ? s : t;
  switch (op) {
    case "MPI_LAND":
      return truth(element, isTrue(s) && isTrue(t));
    case "MPI_LOR":
      return truth(element, isTrue(s) || isTrue(t));
    case "MPI_LXOR":
      return truth(element, isTrue(s) !== isTrue(t));
    case "MPI_BAND":
      return s.map((byte, i) => byte & (t[i] as number));
    case "MPI_BOR":
      return s.map((byte, i) => byte | (t[i] as number));
    case "MPI_BXOR":
      return s.map((byte, i) => byte ^ (t[i] as number));
    case "MPI_SUM":
    case "MPI_PROD":
      return arithmetic(op, element, s, t);
  }
}

const isTrue = (bytes: Uint8Array): boolean => bytes.some((byte) => byte !== 0);

function truth(element: Element, value: boolean): Uint8Array {
  const bytes = new Uint8Array(ELEMENTS[element].sizeBytes);
  bytes[0] = value ? 1 : 0;
  return bytes;
}

function displaces(op: Operation, element: Element, s: Uint8Array, t: Uint8Array): boolean {
  const [arriving, there] = [valueOf(element, s), valueOf(element, t)];
  return op === "MPI_MAX" ? arriving > there : arriving < there;
}

function valueOf(element: Element, bytes: Uint8Array): number | bigint {
  if (element === "float32") return new Float32Array(bytes.slice().buffer)[0] as number;
  if (element === "float64") return new Float64Array(bytes.slice().buffer)[0] as number;
  return integerOf(bytes, ELEMENTS[element].kind === "signed");
}

/** Little-endian, in two's complement where it is signed. */
function integerOf(bytes: Uint8Array, isSigned: boolean): bigint {
  const value = bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return isSigned ? BigInt.asIntN(8 * bytes.length, value) : value;
}

function arithmetic(op: "MPI_SUM" | "MPI_PROD", element: Element, s: Uint8Array, t: Uint8Array): Uint8Array {
  const isSum = op === "MPI_SUM";
  if (element === "float32" || element === "complex64")
    return bytesOf(new Float32Array(floating(isSum, element, float32s(s), float32s(t), Math.fround)));
  if (element === "float64" || element === "complex128")
    return bytesOf(new Float64Array(floating(isSum, element, float64s(s), float64s(t), (x) => x)));
  const [a, b] = [integerOf(s, false), integerOf(t, false)];
  const wrapped = BigInt.asUintN(8 * s.length, isSum ? a + b : a * b);
  return s.map((_, i) => Number((wrapped >> BigInt(8 * i)) & 255n));
}

const float32s = (bytes: Uint8Array): number[] => [...new Float32Array(bytes.slice().buffer)];
const float64s = (bytes: Uint8Array): number[] => [...new Float64Array(bytes.slice().buffer)];
const bytesOf = (values: Float32Array | Float64Array): Uint8Array => new Uint8Array(values.buffer);

function floating(isSum: boolean, element: Element, s: number[], t: number[], round: (x: number) => number): number[] {
  if (isSum) return s.map((x, i) => x + (t[i] as number));
  const [a, b] = s as [number, number];
  const [c, d] = t as [number, number];
  if (ELEMENTS[element].kind === "float") return [a * c];
  return [round(a * c) - round(b * d), round(a * d) + round(b * c)];
}
