import { type Signature, type SignatureNode } from "@stowage/ir";
import { BridgeError } from "../../errors.js";
import { fromExternal, toExternal } from "./convert.js";
import { EXTERNAL32, type External } from "./table.js";

/** Bytes that elements of a signature take in external32. */
export function externalSize({ root }: Signature): number {
  let bytes = 0;
  forEachRun(root, (_, form, count) => (bytes += count * form.values * form.externalBytes));
  return bytes;
}

/** Turns the packed stream of elements into external32: beside moves of bytes, for it must know the type of each. */
export function encode({ root }: Signature, count: number, packed: Uint8Array, external: Uint8Array): void {
  walk(root, count, packed, external, (name, form, native, foreign, elements) =>
    toExternal(name, form, native, foreign, elements),
  );
}

/** The other way. */
export function decode({ root }: Signature, count: number, external: Uint8Array, packed: Uint8Array): void {
  walk(root, count, packed, external, (_, form, native, foreign, elements) =>
    fromExternal(form, foreign, native, elements),
  );
}

type Convert = (name: string, form: External, native: DataView, external: DataView, count: number) => void;

function walk(root: SignatureNode, count: number, native: Uint8Array, external: Uint8Array, convert: Convert): void {
  let [from, to] = [0, 0];
  const run = (name: string, form: External, elements: number): void => {
    const [here, there] = [elements * form.values * form.nativeBytes, elements * form.values * form.externalBytes];
    convert(name, form, viewOf(native, from, here), viewOf(external, to, there), elements);
    from += here;
    to += there;
  };
  // Elements of one basic type are one run, however many.
  const only = root.kind === "repeat" ? root.child : root;
  if (only.kind === "basic") return run(only.name, formOf(only.name), count * root.elements);
  for (let i = 0; i < count; i++) forEachRun(root, run);
}

function forEachRun(node: SignatureNode, visit: (name: string, form: External, elements: number) => void): void {
  switch (node.kind) {
    case "empty":
      return;
    case "basic":
      return visit(node.name, formOf(node.name), 1);
    case "pair":
      forEachRun(node.first, visit);
      return forEachRun(node.second, visit);
    case "repeat":
      if (node.child.kind === "basic") return visit(node.child.name, formOf(node.child.name), node.count);
      for (let i = 0; i < node.count; i++) forEachRun(node.child, visit);
  }
}

function formOf(name: string): External {
  const form = EXTERNAL32[name];
  if (form === undefined) throw new BridgeError("datatype in external32", "basic types of the standard's table", name);
  return form;
}

const viewOf = (bytes: Uint8Array, start: number, length: number): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset + start, length);
