import type { Datatype } from "../datatype/datatype.js";
import { predefinedCalled } from "../datatype/predefined.js";
import { DatatypeError } from "../errors.js";
import { listField, requireFields, type Fields } from "./fields.js";
import { parseNode } from "./parse-node.js";
import { textOf, type DocumentPath } from "./document-path.js";

/** One object of the document on the way from the root to where the walk is. */
interface Frame {
  readonly path: DocumentPath;
  readonly document: object;
  readonly fields: Fields;
  readonly waiting: readonly unknown[];
  readonly children: Datatype[];
}

/**
 * The datatype of a JSON document (see DatatypeDocument). Objects that a document reaches twice become one shared
 * datatype. The walk keeps its own stack: nesting may be as deep as memory allows.
 * @throws DatatypeError with the path of the bad field: `type.children[2].count: ...`.
 */
export function parseDatatype(document: unknown): Datatype {
  const walk = new Walk();
  let result = walk.enter(document, { parent: undefined, step: "type" });
  for (let frame = walk.frames.at(-1); frame !== undefined; frame = walk.frames.at(-1)) {
    result = walk.advance(frame);
  }
  return result as Datatype;
}

class Walk {
  readonly frames: Frame[] = [];
  readonly #parsed = new Map<object, Datatype>();
  readonly #open = new Set<object>();

  /** The datatype of a document that needs no walk, or a new frame on the stack. */
  enter(document: unknown, path: DocumentPath): Datatype | undefined {
    return located(path, () => {
      if (typeof document === "string") return predefinedCalled(document);
      const fields = requireFields(document);
      const object = document as object;
      const known = this.#parsed.get(object);
      if (known !== undefined) return known;
      this.#requireAcyclic(object);
      this.frames.push({ path, document: object, fields, waiting: childDocuments(fields), children: [] });
      return undefined;
    });
  }

  #requireAcyclic(object: object): void {
    if (this.#open.has(object)) {
      const expected = "a document that ends";
      throw new DatatypeError({ subject: "datatype", expected, got: "an object that contains itself" });
    }
    this.#open.add(object);
  }

  /** Enters the next child of the top frame, or closes the frame with its datatype. */
  advance(frame: Frame): Datatype | undefined {
    const index = frame.children.length;
    if (index === frame.waiting.length) return this.#close(frame);
    const step = frame.fields.kind === "struct" ? index : ".child";
    this.#deliver(this.enter(frame.waiting[index], { parent: frame.path, step }), frame);
    return undefined;
  }

  #close(frame: Frame): Datatype {
    const datatype = located(frame.path, () => parseNode(frame.fields, frame.children));
    this.#parsed.set(frame.document, datatype);
    this.#open.delete(frame.document);
    this.frames.pop();
    this.#deliver(datatype, this.frames.at(-1));
    return datatype;
  }

  #deliver(datatype: Datatype | undefined, parent: Frame | undefined): void {
    if (datatype !== undefined) parent?.children.push(datatype);
  }
}

function childDocuments(fields: Fields): readonly unknown[] {
  return fields.kind === "struct" ? listField<unknown>(fields, "children") : [fields.value["child"]];
}

/** Runs `work`, giving any DatatypeError the path of the document it arose in. */
function located<T>(path: DocumentPath, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DatatypeError)) throw error;
    const inner = error.details.path;
    const text = inner === undefined ? textOf(path) : `${textOf(path)}.${inner}`;
    throw new DatatypeError({ ...error.details, path: text }, { cause: error });
  }
}
