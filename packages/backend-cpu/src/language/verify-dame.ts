import { quoted, type IntegerTable } from "@stowage/ir";
import { DameError } from "./dame-error.js";
import { fault, type Fault } from "./fault.js";
import { Grammar } from "./grammar.js";
import { PARAMETERS } from "./parameters.js";
import { isFinal, type Primitive } from "./primitive.js";
import { requireProgram, type DameProgram } from "./program.js";
import { innerIndex, typeSizeBytes } from "./type-size.js";
import { structVerifier } from "./verify-struct.js";

type Where = (index: number) => string;

/**
 * Checks that the program keeps to the grammar (every EXIT and RETURNTO has its BOTTOM), that its tables are as long as
 * their counts, that every inner size is the one that the inner type has, and that a FINAL primitive's blocks are runs.
 * Extents are free but for that, as MPI's resized makes them. `where` names a primitive in messages. Throws a
 * DameError.
 */
export function verifyDame(program: DameProgram, where: Where = nameIn(requireProgram(program))): void {
  requireProgram(program);
  if (typeof where !== "function") throw new DameError("names of primitives", "a function", quoted(where));
  verifyGrammar(program, where);
  const faultOfStruct = structVerifier(program);
  program.primitives.forEach((primitive, index) => {
    const found =
      faultOfParameters(primitive) ??
      (primitive.kind === "STRUCT" ? faultOfStruct(primitive, index) : faultOfInner(program, primitive, index)) ??
      faultOfSize(primitive);
    if (found) throw new DameError(`${where(index)}: ${found.subject}`, found.expected, found.got);
  });
  VERIFIED.add(program);
}

const VERIFIED = new WeakSet<DameProgram>();

/** Programs that come with no word of it are verified once. */
export function requireVerified(program: DameProgram): DameProgram {
  if (!VERIFIED.has(program)) verifyDame(program);
  return program;
}

const nameIn =
  ({ primitives }: DameProgram): Where =>
  (index) =>
    `primitive ${index + 1} (${primitives[index]?.kind ?? "none"})`;

function verifyGrammar(program: DameProgram, where: Where): void {
  const grammar = new Grammar();
  program.primitives.forEach((primitive, index) => {
    if (!grammar.take(primitive)) throw new DameError(where(index), grammar.expected, primitive.kind);
  });
  if (!grammar.complete) throw new DameError("end of the program", grammar.expected, "nothing");
}

function faultOfParameters(primitive: Primitive): Fault | undefined {
  const values: Readonly<Record<string, unknown>> = primitive;
  for (const { name, form } of PARAMETERS[primitive.kind]) {
    const isTable = form === "table" || form === "lines";
    const found = isTable ? faultOfTable(name, values[name]) : faultOfInteger(name, values[name]);
    if (found) return found;
  }
  return "count" in primitive ? faultOfTables(primitive) : undefined;
}

/** Programs are data and may come from anywhere: a field may be missing, or of another type. */
function faultOfInteger(name: string, value: unknown): Fault | undefined {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) return fault(name, "a safe integer", String(value));
  return value < 0 && !MAY_BE_NEGATIVE.has(name) ? fault(name, "0 or more", value) : undefined;
}

const MAY_BE_NEGATIVE: ReadonlySet<string> = new Set(["strideBytes", "extentBytes"]);

function faultOfTable(name: string, value: unknown): Fault | undefined {
  if (value instanceof Int32Array) return undefined;
  if (!(value instanceof Float64Array)) return fault(name, "a table of integers", typeof value);
  const unsafe = value.findIndex((entry) => !Number.isSafeInteger(entry));
  return unsafe === -1 ? undefined : fault(`${name}[${unsafe}]`, "a safe integer", value[unsafe] as number);
}

function faultOfTables(primitive: Extract<Primitive, { count: number }>): Fault | undefined {
  const { kind, count } = primitive;
  if ("displacementsBytes" in primitive && primitive.displacementsBytes.length !== count) {
    return fault("displacementsBytes", `${count} entries`, primitive.displacementsBytes.length);
  }
  if ("blocklengths" in primitive) return faultOfBlocklengths(primitive.blocklengths, count);
  if ("blocklength" in primitive && kind.endsWith("1") && primitive.blocklength !== 1) {
    return fault("blocklength", 1, primitive.blocklength);
  }
  return undefined;
}

function faultOfBlocklengths(blocklengths: IntegerTable, count: number): Fault | undefined {
  if (blocklengths.length !== count) return fault("blocklengths", `${count} entries`, blocklengths.length);
  const negative = blocklengths.findIndex((length) => length < 0);
  return negative === -1
    ? undefined
    : fault(`blocklengths[${negative}]`, "0 or more", blocklengths[negative] as number);
}

function faultOfInner(program: DameProgram, primitive: Primitive, index: number): Fault | undefined {
  if (!("sizeBytes" in primitive)) return undefined;
  const inner = program.primitives[innerIndex(program, index)] as Primitive;
  if (isFinal(primitive.kind)) return faultOfFinal(primitive, typeSizeBytes(inner));
  const innerBytes = typeSizeBytes(inner);
  if (primitive.sizeBytes === innerBytes) return undefined;
  return fault("sizeBytes", `${innerBytes}, the inner type's`, primitive.sizeBytes);
}

/** A block is one run of bytes: copies of the inner type side by side, as long as the CONTIGFINAL says. */
function faultOfFinal(
  primitive: Extract<Primitive, { sizeBytes: number }>,
  contigFinalBytes: number,
): Fault | undefined {
  const { sizeBytes, extentBytes } = primitive;
  const copies = "blocklength" in primitive ? primitive.blocklength : 1;
  const mayRepeat = !("blocklength" in primitive) || copies > 1;
  if (mayRepeat && extentBytes !== sizeBytes) return fault("extentBytes", `${sizeBytes}, the size`, extentBytes);
  const blockBytes = copies * sizeBytes;
  if (contigFinalBytes === blockBytes) return undefined;
  return fault("length of its CONTIGFINAL", `${blockBytes} bytes`, contigFinalBytes);
}

function faultOfSize(primitive: Primitive): Fault | undefined {
  const sizeBytes = typeSizeBytes(primitive);
  return sizeBytes > Number.MAX_SAFE_INTEGER ? fault("size", "at most 2^53 - 1 bytes", sizeBytes) : undefined;
}
