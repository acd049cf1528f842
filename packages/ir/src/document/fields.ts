import { nearest } from "../datatype/nearest.js";
import { quoted } from "../checks/quoted.js";
import { DatatypeError } from "../errors.js";
import { DOCUMENT_KINDS, FIELDS, isDocumentKind, type DocumentKind } from "./document.js";

/** A document that is an object of a known kind, with exactly the fields of that kind. */
export interface Fields {
  readonly kind: DocumentKind;
  readonly value: Readonly<Record<string, unknown>>;
}

const EXPECTED = 'an MPI name such as "MPI_DOUBLE" or an object with a kind';

/** Checks kind and field names; the builders check the values. Paths of errors are relative to the document. */
export function requireFields(document: unknown): Fields {
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw new DatatypeError({ subject: "datatype", expected: EXPECTED, got: quoted(document) });
  }
  const value = document as Readonly<Record<string, unknown>>;
  const kind = requireKind(value);
  const names = FIELDS[kind];
  for (const name of names) requirePresent(value, kind, name);
  for (const name of Object.keys(value)) if (name !== "kind" && !names.includes(name)) throw extraField(kind, name);
  return { kind, value };
}

function requireKind(value: Readonly<Record<string, unknown>>): DocumentKind {
  const kind = Object.hasOwn(value, "kind") ? value["kind"] : undefined;
  if (typeof kind === "string" && isDocumentKind(kind)) return kind;
  const near = typeof kind === "string" ? nearest(kind, DOCUMENT_KINDS) : undefined;
  const known = `one of ${DOCUMENT_KINDS.join(", ")}`;
  const expected = near === undefined ? known : `a known kind (did you mean "${near}"?)`;
  throw new DatatypeError({ path: "kind", subject: "kind of datatype", expected, got: quoted(kind) });
}

function requirePresent(value: Readonly<Record<string, unknown>>, kind: DocumentKind, name: string): void {
  if (Object.hasOwn(value, name)) return;
  const near = nearest(
    name,
    Object.keys(value).filter((key) => key !== "kind" && !FIELDS[kind].includes(key)),
  );
  const got = near === undefined ? "no such field" : `no such field, but ${quoted(near)}`;
  throw new DatatypeError({ path: name, subject: `field of ${kind}`, expected: "a value", got });
}

function extraField(kind: DocumentKind, name: string): DatatypeError {
  const expected = `only kind, ${FIELDS[kind].join(", ")}`;
  return new DatatypeError({ subject: `fields of ${kind}`, expected, got: `${quoted(name)} too` });
}

export function numberField({ value }: Fields, name: string): number {
  const field = value[name];
  if (typeof field === "number") return field;
  throw new DatatypeError({ path: name, subject: name, expected: "an integer", got: quoted(field) });
}

/** A list; whoever builds the datatype checks each entry, whatever its type. */
export function listField<T>({ value }: Fields, name: string): readonly T[] {
  const field = value[name];
  if (Array.isArray(field)) return field as readonly T[];
  throw new DatatypeError({ path: name, subject: name, expected: "a list", got: quoted(field) });
}
