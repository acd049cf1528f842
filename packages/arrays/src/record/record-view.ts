import { DatatypeError, quoted } from "@stowage/ir";
import { requireMemory, stridedArray, type StridedArray } from "../strided-array.js";
import { fieldDatatype } from "./field-datatype.js";
import { isRecordType, type Fields, type FieldType, type Records, type RecordType, type Row } from "./record-type.js";
import { SCALAR_ACCESS, type FieldScalar, type ScalarArray } from "./scalar-access.js";

export class RecordView<F extends Fields> implements Records<F> {
  readonly length: number;
  readonly #type: RecordType<F>;
  readonly #view: DataView;

  /** Throws a DatatypeError where the origin lies outside the memory. */
  constructor(type: RecordType<F>, memory: ArrayBufferView | ArrayBufferLike, originBytes: number) {
    requireMemory("memory of records", memory);
    if (!Number.isSafeInteger(originBytes) || originBytes < 0 || originBytes > memory.byteLength) {
      throw wrong("origin of records", `a byte within [0, ${memory.byteLength}]`, quoted(originBytes));
    }
    const [buffer, start] = ArrayBuffer.isView(memory) ? [memory.buffer, memory.byteOffset] : [memory, 0];
    this.#type = type;
    this.#view = new DataView(buffer, start + originBytes, memory.byteLength - originBytes);
    this.length = Math.floor(this.#view.byteLength / type.sizeBytes);
  }

  at(i: number): Row<F> {
    if (!Number.isInteger(i) || i < 0 || i >= this.length) throw wrong("record", `one of ${this.length}`, quoted(i));
    return rowAt(this.#type, this.#view, i * this.#type.sizeBytes);
  }

  column(name: keyof F & string): StridedArray {
    if (typeof name !== "string" || !Object.hasOwn(this.#type.fields, name)) {
      throw wrong("field of a record", `one of ${Object.keys(this.#type.fields).join(", ")}`, quoted(name));
    }
    return stridedArray({
      element: fieldDatatype(this.#type.types[name] as FieldType),
      shape: [this.length],
      stridesBytes: [this.#type.sizeBytes],
      offsetBytes: this.#type.fields[name].offsetBytes,
      data: this.#view,
    });
  }
}

function rowAt<F extends Fields>(type: RecordType<F>, view: DataView, originBytes: number): Row<F> {
  const row = Object.create(strangersTo(type)) as object;
  for (const [name, field] of Object.entries<FieldType>(type.types)) {
    const at = originBytes + (type.fields[name] as { readonly offsetBytes: number }).offsetBytes;
    Object.defineProperty(row, name, { enumerable: true, ...accessor(name, field, view, at) });
  }
  return Object.freeze(row) as Row<F>;
}

/** What is asked of any object, by a promise or a printer: a row has none of it, and that is no mistake. */
const ASKED_OF_ALL: ReadonlySet<string> = new Set(["then", "toJSON", "inspect", "asymmetricMatch", "$$typeof"]);

const STRANGERS = new WeakMap<object, object>();

/** Where rows look up what is no field of theirs: a misspelt name must be told, not read as undefined. */
function strangersTo(type: RecordType<Fields>): object {
  const made = STRANGERS.get(type) ?? strangers(Object.keys(type.types));
  STRANGERS.set(type, made);
  return made;
}

function strangers(names: readonly string[]): object {
  const strange = (name: string): DatatypeError =>
    wrong("field of a record", `one of ${names.join(", ")}`, quoted(name));
  return new Proxy(Object.prototype, {
    get(target, name, row): unknown {
      if (typeof name === "symbol" || name in target || ASKED_OF_ALL.has(name)) return Reflect.get(target, name, row);
      throw strange(name);
    },
    set(_target, name): boolean {
      throw strange(String(name));
    },
  });
}

function accessor(name: string, type: FieldType, view: DataView, at: number): PropertyDescriptor {
  if (typeof type === "string") {
    const access = SCALAR_ACCESS[type];
    // A field's value has the type of its scalar: Row says so.
    const set = (value: never): void => {
      requireScalar(name, typeof access.read(view, at), value);
      if ("range" in access) requireInRange(name, access.range, value);
      access.write(view, at, value);
    };
    return { get: () => access.read(view, at), set };
  }
  if (isRecordType(type)) return { get: () => rowAt(type, view, at) };
  return { get: () => arrayAt(name, type, view, at) };
}

/** A view would take what is near a number, or throw an error of its own. */
function requireScalar(name: string, type: string, value: unknown): void {
  if (typeof value !== type) throw wrong(`field ${name} of a record`, `a ${type}`, quoted(value));
}

/** A view would keep the low bits of what does not fit, and drop what stands behind the point. */
function requireInRange(
  name: string,
  range: readonly [number | bigint, number | bigint] | undefined,
  value: number | bigint,
): void {
  if (range === undefined) return;
  const isWhole = typeof value === "bigint" || Number.isInteger(value);
  if (isWhole && value >= range[0] && value <= range[1]) return;
  throw wrong(`field ${name} of a record`, `an integer from ${range[0]} to ${range[1]}`, String(value));
}

function arrayAt(
  name: string,
  [scalar, length]: readonly [FieldScalar, number],
  view: DataView,
  at: number,
): ScalarArray {
  const { array } = SCALAR_ACCESS[scalar];
  const byteOffset = view.byteOffset + at;
  if (byteOffset % array.BYTES_PER_ELEMENT === 0) return new array(view.buffer, byteOffset, length);
  throw wrong(`array ${name} of a record`, `a byte offset that ${array.BYTES_PER_ELEMENT} divides`, String(byteOffset));
}

const wrong = (subject: string, expected: string, got: string): DatatypeError =>
  new DatatypeError({ subject, expected, got });
