import { childrenOf, predefined, printDatatype, visitPostOrder, withChildren, type Datatype } from "@stowage/ir";
import type { Dialect } from "../link/state.js";
import { CONSTANT_NAMES, CONSTRUCTORS, type Constructor } from "./constructors.js";

type Code = Exclude<Dialect, "json">;
const LEAF = predefined("MPI_BYTE");

type Fields = Readonly<Record<string, unknown>>;

/** A program that builds the datatype: one constructor a line, children before parents. parseCode reads it back. */
export function printCode(datatype: Datatype, dialect: Code): string {
  const names = new Map<Datatype, string>();
  const lines: string[] = [];
  visitPostOrder(
    datatype,
    (node) => names.has(node),
    (node) => {
      if (node.kind === "predefined") return void names.set(node, WRITERS[dialect].predefined(node.name));
      const name = `t${lines.length}`;
      lines.push(call(node, name, names, dialect));
      names.set(node, name);
    },
  );
  const last = names.get(datatype) as string;
  return `${[...lines, WRITERS[dialect].last(last, lines.length > 0)].join("\n")}\n`;
}

function call(
  node: Exclude<Datatype, { kind: "predefined" }>,
  name: string,
  names: ReadonlyMap<Datatype, string>,
  dialect: Code,
): string {
  const found = CONSTRUCTORS.find(({ kind }) => kind === node.kind) as Constructor;
  const children = childrenOf(node);
  // Its own fields alone: to print what is below it at each node takes the square of the depth.
  const alone = withChildren(
    node,
    children.map(() => LEAF),
  );
  const fields: Fields = Object.fromEntries(Object.entries(printDatatype(alone)));
  return WRITERS[dialect].call(
    found,
    name,
    fields,
    children.map((child) => names.get(child) as string),
  );
}

interface Writer {
  readonly predefined: (name: string) => string;
  readonly call: (of: Constructor, name: string, fields: Fields, children: readonly string[]) => string;
  readonly last: (name: string, isBuilt: boolean) => string;
}

const scalar = (value: unknown, prefix: string): string =>
  typeof value === "number"
    ? String(value)
    : `${prefix}${(CONSTANT_NAMES.get(value as string | null) as string).slice(4)}`;

const countOf = (fields: Fields, name: string): number => (fields[name.slice(1)] as readonly unknown[]).length;

/** The types of C's lists, by the fields that they are; displacements are int where they count extents. */
function listType(name: string, kind: string): string {
  if (name === "children") return "MPI_Datatype";
  return name === "displacements" && /^(?:h|struct)/.test(kind) ? "MPI_Aint" : "int";
}

const WRITERS: Readonly<Record<Code, Writer>> = {
  c: {
    predefined: (name) => name,
    call({ kind, call, fields: order }, name, fields, children) {
      const lists: string[] = [];
      const listed = (field: string, entries: readonly string[]): string => {
        const variable = `${field}_${name}`;
        lists.push(`${listType(field, kind)} ${variable}[] = {${entries.join(", ")}};\n`);
        return variable;
      };
      const args = order.map((field) => {
        if (field === "child") return children[0] as string;
        if (field === "children") return listed(field, children);
        if (field.startsWith("#")) return String(countOf(fields, field));
        const value = fields[field];
        return Array.isArray(value)
          ? listed(
              field,
              value.map((entry) => scalar(entry, "MPI_")),
            )
          : scalar(value, "MPI_");
      });
      return `${lists.join("")}MPI_Datatype ${name};\n${call}(${[...args, `&${name}`].join(", ")});`;
    },
    last: (name, isBuilt) => (isBuilt ? `MPI_Type_commit(&${name});` : `MPI_Datatype type = ${name};`),
  },
  mpi4py: {
    predefined: (name) => (name === "MPI_2INT" ? "MPI.TWOINT" : `MPI.${name.slice(4)}`),
    call({ kind, method, fields: order }, name, fields, children) {
      const value = (entry: unknown): string =>
        Array.isArray(entry) ? `[${entry.map(value).join(", ")}]` : scalar(entry, "MPI.");
      const args = order.flatMap((field) => {
        if (field === "child" || field.startsWith("#")) return [];
        return field === "children" ? [`[${children.join(", ")}]`] : [value(fields[field])];
      });
      const receiver = kind === "struct" ? "MPI.Datatype" : (children[0] as string);
      return `${name} = ${receiver}.${method}(${args.join(", ")})`;
    },
    last: (name, isBuilt) => (isBuilt ? `${name}.Commit()` : `type = ${name}`),
  },
  fortran: {
    predefined: (name) => FORTRAN_NAMES[name] ?? name,
    call({ call, fields: order }, name, fields, children) {
      const list = (entries: readonly string[], type: string): string => `[${entries.join(", ") || `${type} ::`}]`;
      const args = order.map((field) => {
        if (field === "child") return children[0] as string;
        if (field === "children") return list(children, "integer");
        if (field.startsWith("#")) return String(countOf(fields, field));
        const value = fields[field];
        return Array.isArray(value)
          ? list(
              value.map((entry) => scalar(entry, "MPI_")),
              "integer",
            )
          : scalar(value, "MPI_");
      });
      return `call ${call}(${[...args, name, "ierr"].join(", ")})`;
    },
    last: (name, isBuilt) => (isBuilt ? `call MPI_Type_commit(${name}, ierr)` : `type = ${name}`),
  },
};

const FORTRAN_NAMES: Readonly<Record<string, string>> = {
  MPI_INT: "MPI_INTEGER",
  MPI_FLOAT: "MPI_REAL",
  MPI_DOUBLE: "MPI_DOUBLE_PRECISION",
};
