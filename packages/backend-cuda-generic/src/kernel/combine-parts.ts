import type { Value } from "@stowage/ptx";
import { ELEMENTS, type Operation, type Reduction } from "@stowage/backend-api";

/** Bytes of one number: of an element, or of one part of a complex one. */
export function partBytes({ element }: Reduction): 1 | 2 | 4 | 8 {
  const { kind, sizeBytes } = ELEMENTS[element];
  return (kind === "complex" ? sizeBytes / 2 : sizeBytes) as 1 | 2 | 4 | 8;
}

/** What becomes of numbers: of those that arrive (s), each in a register of its own, and those that are there (t). */
export function combineParts(reduction: Reduction, s: readonly Value[], t: readonly Value[]): readonly Value[] {
  const isComplex = ELEMENTS[reduction.element].kind === "complex";
  if (isComplex && reduction.op === "MPI_PROD") return complexProducts(s, t);
  return s.map((arriving, i) => combinePart(reduction, arriving, t[i] as Value));
}

/** (a, b) times (c, d): (ac - bd, ad + bc), every step rounded. */
function complexProducts(s: readonly Value[], t: readonly Value[]): readonly Value[] {
  const products: Value[] = [];
  for (let i = 0; i < s.length; i += 2) {
    const [a, b, c, d] = [s[i], s[i + 1], t[i], t[i + 1]] as [Value, Value, Value, Value];
    products.push(a.mulFloat(c).subFloat(b.mulFloat(d)), a.mulFloat(d).addFloat(b.mulFloat(c)));
  }
  return products;
}

function combinePart(reduction: Reduction, s: Value, t: Value): Value {
  const { op } = reduction;
  const { kind } = ELEMENTS[reduction.element];
  if (kind === "float" || kind === "complex") return combineFloats(op, s, t);
  switch (op) {
    case "MPI_MAX":
    case "MPI_MIN": {
      const [a, b] = kind === "signed" ? [s, t].map((value) => signed(value, partBytes(reduction))) : [s, t];
      const [x, y] = [a, b] as [Value, Value];
      return (op === "MPI_MAX" ? x.max(y) : x.min(y)).to(s.type);
    }
    case "MPI_SUM":
      return s.add(t);
    case "MPI_PROD":
      return s.mul(t);
    case "MPI_LAND":
      return truth(s.ne(0).and(t.ne(0)), s);
    case "MPI_LOR":
      return truth(s.ne(0).or(t.ne(0)), s);
    case "MPI_LXOR":
      return truth(s.ne(0).xor(t.ne(0)), s);
    case "MPI_BAND":
      return s.and(t);
    case "MPI_BOR":
      return s.or(t);
    case "MPI_BXOR":
      return s.xor(t);
  }
}

const truth = (condition: Value, like: Value): Value => condition.select(1, 0, like.type);

/** Numbers shorter than a register come with zeros before them. */
function signed(value: Value, sizeBytes: number): Value {
  if (sizeBytes === 8) return value.to("s64");
  const empty = 32 - 8 * sizeBytes;
  return empty === 0 ? value.to("s32") : value.shl(empty).to("s32").shr(empty);
}

/** A NaN that arrives is never greater or less, and one that is there is not displaced. */
function combineFloats(op: Operation, s: Value, t: Value): Value {
  switch (op) {
    case "MPI_SUM":
      return s.addFloat(t);
    case "MPI_PROD":
      return s.mulFloat(t);
    case "MPI_MAX":
      return s.gtFloat(t).select(s, t);
    case "MPI_MIN":
      return s.ltFloat(t).select(s, t);
    case "MPI_LAND":
    case "MPI_LOR":
    case "MPI_LXOR":
    case "MPI_BAND":
    case "MPI_BOR":
    case "MPI_BXOR":
      throw new TypeError(
        `operation of floating-point numbers: expected MPI_SUM, MPI_PROD, MPI_MAX or MPI_MIN, got ${op}`,
      );
  }
}
