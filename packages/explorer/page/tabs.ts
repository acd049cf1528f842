import { element } from "./element.js";

/** Buttons of which one is pressed. */
export class Tabs<Name extends string> {
  readonly node: HTMLElement;
  readonly #buttons: ReadonlyMap<Name, HTMLButtonElement>;

  constructor(label: string, names: Readonly<Record<Name, string>>, onChoice: (name: Name) => void) {
    const entries = Object.entries(names) as [Name, string][];
    this.#buttons = new Map(entries.map(([name, text]) => [name, element("button", { type: "button" }, text)]));
    for (const [name, each] of this.#buttons)
      each.addEventListener("click", () => {
        this.show(name);
        onChoice(name);
      });
    this.node = element("div", { class: "tabs", role: "group", "aria-label": label }, ...this.#buttons.values());
  }

  show(chosen: Name): void {
    for (const [name, each] of this.#buttons) each.setAttribute("aria-pressed", String(name === chosen));
  }
}
