import { isReserved } from "./reserved-words.js";
import {
  ArgumentError,
  boundsOf,
  canonicalise,
  lower,
  quoted,
  requireArray,
  requireObject,
  type Bounds,
  type Datatype,
  type Layout,
} from "@stowage/ir";

/** A datatype to compile, what C calls it, and the datatype that its copies go to. */
export interface NamedDatatype {
  /** A C identifier of at most 200 letters that is no reserved word: the functions' names begin with it. */
  readonly symbol: string;
  /** The datatype to pack and unpack. */
  readonly datatype: Datatype;
  /** The datatype that copies go to, of the same size. Absent: no copy is compiled. */
  readonly copiesTo?: Datatype | undefined;
}

/** A named datatype with all that every language's file needs to say. */
export interface CompiledType extends NamedDatatype {
  readonly bounds: Bounds;
  readonly layout: Layout;
  readonly copyLayout: Layout | undefined;
}

const LONGEST_SYMBOL = 200;

/**
 * Checks names and types. Throws an ArgumentError where a symbol is no C identifier, a reserved word or stands twice,
 * or sizes of a copy differ.
 */
export function compiledTypes(types: readonly NamedDatatype[]): readonly CompiledType[] {
  requireArray(types, "datatypes to compile", "a list of { symbol, datatype }");
  const known = new Set<string>();
  const names = new Map<string, string>();
  return types.map((type) => {
    requireObject(type, "datatype to compile", "{ symbol, datatype }");
    requireIdentifier(type.symbol);
    if (known.has(type.symbol))
      throw new ArgumentError("symbol", "one of its own for each type", `${type.symbol} twice`);
    known.add(type.symbol);
    requireOwnNames(type.symbol, names);
    return compiledType(type);
  });
}

/** What follows symbols in the names that files declare. */
const SUFFIXES = [
  ...["size", "extent", "lower_bound", "true_extent", "true_lower_bound", "signature"],
  ...["pack", "unpack", "copy", "pack_element", "unpack_element", "offset", "position"],
];

/** x and x_true would both have an x_true_extent. */
function requireOwnNames(symbol: string, names: Map<string, string>): void {
  for (const suffix of SUFFIXES) {
    const name = `${symbol}_${suffix}`;
    const other = names.get(name);
    if (other !== undefined)
      throw new ArgumentError("symbols", "names of their own for each", `${name} of both ${other} and ${symbol}`);
    names.set(name, symbol);
  }
}

function compiledType(type: NamedDatatype): CompiledType {
  const bounds = boundsOf(type.datatype);
  const copyLayout = type.copiesTo === undefined ? undefined : canonicalise(lower(type.copiesTo));
  if (copyLayout !== undefined && copyLayout.sizeBytes !== bounds.sizeBytes) {
    const expected = `${bounds.sizeBytes} bytes an element, as ${type.symbol} has`;
    throw new ArgumentError("target of a copy", expected, `${copyLayout.sizeBytes}`);
  }
  return { ...type, bounds, layout: canonicalise(lower(type.datatype)), copyLayout };
}

function requireIdentifier(symbol: string): void {
  if (typeof symbol === "string" && isReserved(symbol))
    throw new ArgumentError("symbol", "a name that C, C++ and Python leave free", symbol);
  if (typeof symbol === "string" && /^[A-Za-z_][A-Za-z0-9_]*$/.test(symbol) && symbol.length <= LONGEST_SYMBOL) return;
  throw new ArgumentError("symbol", `a C identifier of at most ${LONGEST_SYMBOL} characters`, quoted(symbol));
}
