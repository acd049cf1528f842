import type { IntegerTable, Layout, LayoutNode } from "@stowage/ir";

const MOST_ENTRIES = 256;
const MOST_MEMBERS = 32;

/** A C function that packs `count` elements by plain loops; lists that are longer than a screen are cut, and say so. */
export function cLoops(layout: Layout): string {
  const writer = new Writer();
  writer.line("void pack(char *to, const char *from, ptrdiff_t count)");
  writer.line("{");
  if (layout.sizeBytes > 0) writer.elements(layout);
  writer.line("}");
  return `#include <stddef.h>\n#include <string.h>\n\n${writer.text}`;
}

class Writer {
  readonly #lines: string[] = [];
  #depth = 0;
  #names = 0;

  get text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  line(text: string): void {
    if (text.startsWith("}")) this.#depth--;
    this.#lines.push(`${"  ".repeat(this.#depth)}${text}`);
    if (text.endsWith("{")) this.#depth++;
  }

  elements({ startBytes, extentBytes, root }: Layout): void {
    this.#loop("count", root, (i) => `from${plus(startBytes)} + ${i} * ${paren(extentBytes)}`);
  }

  #loop(count: string, child: LayoutNode, place: (i: string) => string): void {
    const i = `i${this.#names}`;
    const from = `from${this.#names++}`;
    this.line(`for (ptrdiff_t ${i} = 0; ${i} < ${count}; ${i}++) {`);
    this.line(`const char *${from} = ${place(i)};`);
    this.#node(child, from);
    this.line("}");
  }

  #node(node: LayoutNode, from: string): void {
    switch (node.kind) {
      case "dense":
        return this.#copy(from, String(node.lengthBytes));
      case "stream":
        return this.#loop(String(node.count), node.child, (i) => `${from} + ${i} * ${paren(node.strideBytes)}`);
      case "blocks":
        return this.#blocks(node, from);
      case "sequence":
        return this.#members(node, from);
    }
  }

  #blocks(
    { displacementsBytes, blocklengths, strideBytes, child }: Extract<LayoutNode, { kind: "blocks" }>,
    from: string,
  ): void {
    const at = this.#table("at", displacementsBytes);
    const count = String(displacementsBytes.length);
    if (blocklengths === 1) return this.#loop(count, child, (i) => `${from} + ${at}[${i}]`);
    const lengths = this.#table("lengths", blocklengths);
    const i = `i${this.#names}`;
    const block = `from${this.#names++}`;
    this.line(`for (ptrdiff_t ${i} = 0; ${i} < ${count}; ${i}++) {`);
    this.line(`const char *${block} = ${from} + ${at}[${i}];`);
    if (child.kind === "dense" && child.lengthBytes === strideBytes) {
      this.#copy(block, child.lengthBytes === 1 ? `${lengths}[${i}]` : `${lengths}[${i}] * ${child.lengthBytes}`);
    } else this.#loop(`${lengths}[${i}]`, child, (j) => `${block} + ${j} * ${paren(strideBytes)}`);
    this.line("}");
  }

  #members({ members }: Extract<LayoutNode, { kind: "sequence" }>, from: string): void {
    for (const { offsetBytes, node } of members.slice(0, MOST_MEMBERS)) {
      const member = `from${this.#names++}`;
      this.line("{");
      this.line(`const char *${member} = ${from}${plus(offsetBytes)};`);
      this.#node(node, member);
      this.line("}");
    }
    if (members.length > MOST_MEMBERS) this.line(`/* ${members.length - MOST_MEMBERS} more members */`);
  }

  #copy(from: string, bytes: string): void {
    this.line(`memcpy(to, ${from}, ${bytes});`);
    this.line(`to += ${bytes};`);
  }

  #table(name: string, table: IntegerTable): string {
    const named = `${name}${this.#names}`;
    const shown = Array.from(table.subarray(0, MOST_ENTRIES)).join(", ");
    const more = table.length > MOST_ENTRIES ? ` /* ${table.length - MOST_ENTRIES} more */` : "";
    this.line(`static const ptrdiff_t ${named}[${table.length}] = {${shown}${more}};`);
    return named;
  }
}

const paren = (value: number): string => (value < 0 ? `(${value})` : String(value));
const plus = (value: number): string => (value === 0 ? "" : value < 0 ? ` - ${-value}` : ` + ${value}`);
