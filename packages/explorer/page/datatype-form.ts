import {
  depthOf,
  fieldText,
  fieldValue,
  FORM_KINDS,
  isObject,
  kindOf,
  withKind,
  withMember,
  withoutMember,
} from "../src/forms/form-fields.js";
import { button, element } from "./element.js";

const MOST_CHARACTERS = 2000;
const MOST_CHILDREN = 16;
/** Levels that are shown, and that a document may have to be edited by forms. */
const DEEPEST = 12;
const MOST_DEPTH = 1000;

/** The datatype as nested forms: each node's constructor, its numbers and its children. */
export class DatatypeForm {
  readonly node = element("div", { class: "forms" });
  readonly #onChange: (document: unknown) => void;

  constructor(onChange: (document: unknown) => void) {
    this.#onChange = onChange;
  }

  show(document: unknown): void {
    // What changes is written as JSON, whose writer has no stack for more.
    const isTooDeep = depthOf(document) > MOST_DEPTH;
    const form = isTooDeep ? note() : this.#form(document, 0, (next) => this.#onChange(next));
    this.node.replaceChildren(form);
  }

  /** `replace`: puts another document in place of this one. A change of shape draws the forms anew. */
  #form(document: unknown, depth: number, replace: (document: unknown) => void): HTMLElement {
    const kind = kindOf(document);
    const kinds = element("select", { "aria-label": "Constructor" }, ...FORM_KINDS.map((each) => option(each, kind)));
    const reshape = (next: unknown): void => replace(next);
    kinds.addEventListener("change", () => reshape(withKind(document, kinds.value)));
    const form = element("fieldset", {}, element("legend", {}, kinds));
    if (!isObject(document)) return form;
    if (depth === DEEPEST) {
      form.append(note());
      return form;
    }
    const current: Record<string, unknown> = { ...document };
    for (const [name, value] of Object.entries(document)) {
      if (name === "child") {
        form.append(this.#form(value, depth + 1, (child) => replace({ ...current, child })));
      } else if (name === "children" && Array.isArray(value))
        form.append(...this.#members(current, value, depth, replace));
      else if (name !== "kind") form.append(field(name, value, (next) => replace({ ...current, [name]: next })));
    }
    return form;
  }

  #members(
    document: Readonly<Record<string, unknown>>,
    children: readonly unknown[],
    depth: number,
    replace: (document: unknown) => void,
  ): readonly HTMLElement[] {
    const forms = children.slice(0, MOST_CHILDREN).map((child, i) => {
      const put = (next: unknown): void => replace({ ...document, children: children.with(i, next) });
      const form = this.#form(child, depth + 1, put);
      if (children.length > 1) form.append(button("Remove", `Member ${i}`, () => replace(withoutMember(document, i))));
      return form;
    });
    return [...forms, button("Add", "A member", () => replace(withMember(document)))];
  }
}

const note = (): HTMLElement => element("p", { class: "faint" }, "Deeper than forms show: edit it as JSON.");

const option = (name: string, chosen: string): HTMLOptionElement =>
  element("option", { selected: name === chosen }, name);

function field(name: string, value: unknown, change: (value: unknown) => void): HTMLElement {
  const text = fieldText(value);
  const long = text.length > MOST_CHARACTERS;
  const input = element("input", { type: "text", value: long ? "too long: edit it as JSON" : text, disabled: long });
  input.addEventListener("change", () => change(fieldValue(input.value, value)));
  return element("label", {}, element("span", {}, name), input);
}
