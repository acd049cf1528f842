import type { Link } from "../src/worker/protocol.js";
import type { TreeRow } from "../src/tree/tree-rows.js";
import { element } from "./element.js";

/** The nodes of the datatype; the one at hand marks its bytes, and the bytes at hand mark theirs. */
export class TreeList {
  readonly node = element("ul", { class: "tree", "aria-label": "Nodes of the datatype" });
  readonly #onNode: (path: string | undefined) => void;
  #items = new Map<string, HTMLElement>();

  constructor(onNode: (path: string | undefined) => void) {
    this.#onNode = onNode;
  }

  show(rows: readonly TreeRow[]): void {
    this.#items = new Map();
    this.node.replaceChildren(...rows.map((row) => this.#item(row)));
  }

  mark(link: Link | undefined): void {
    for (const item of this.#items.values()) item.classList.remove("linked");
    for (const { path } of link?.path ?? []) this.#items.get(path)?.classList.add("linked");
  }

  #item({ path, depth, label, facts }: TreeRow): HTMLElement {
    const row = element("button", { type: "button" }, label, " ", element("span", { class: "faint" }, facts));
    row.style.paddingInlineStart = `${0.5 + depth * 1.1}rem`;
    for (const event of ["pointerenter", "focus"]) row.addEventListener(event, () => this.#onNode(path));
    for (const event of ["pointerleave", "blur"]) row.addEventListener(event, () => this.#onNode(undefined));
    if (facts !== "") this.#items.set(path, row);
    return element("li", {}, row);
  }
}
