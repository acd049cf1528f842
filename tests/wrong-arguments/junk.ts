import * as fc from "fast-check";

/** What plain JavaScript hands over by mistake; a buffer whose bytes are gone among it. */
export function junk(): readonly unknown[] {
  const gone = new Uint8Array(8);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  Object.assign(gone, { [fc.toStringMethod]: () => "detached bytes" });
  return [
    undefined,
    null,
    NaN,
    Infinity,
    -1,
    0.5,
    2 ** 53,
    1n,
    "",
    "sideways",
    true,
    {},
    [],
    [null],
    Symbol("wrong"),
    () => 1,
    { kind: "vector" },
    gone,
    new Uint8Array(1),
  ];
}

export const anyJunk = (): fc.Arbitrary<unknown> => fc.constantFrom(...junk());

export type Path = readonly (string | number)[];

/** Everything in plain objects and lists: paths to what can be exchanged for something wrong. */
export function pathsIn(value: unknown, path: Path = []): Path[] {
  if (path.length > 4) return [];
  const isPlain =
    Array.isArray(value) ||
    (typeof value === "object" &&
      value !== null &&
      Object.getPrototypeOf(value) === Object.prototype &&
      !Object.isFrozen(value));
  const below = isPlain ? Object.entries(value as object).flatMap(([key, each]) => pathsIn(each, [...path, key])) : [];
  return path.length === 0 ? below : [path, ...below];
}

export function exchanged(value: unknown, [key, ...rest]: Path, junk: unknown): unknown {
  if (key === undefined) return junk;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...(value as unknown[])]
    : { ...(value as object) };
  (copy as Record<string, unknown>)[key] = exchanged((value as Record<string, unknown>)[key], rest, junk);
  return copy;
}
