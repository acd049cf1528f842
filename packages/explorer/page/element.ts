type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | undefined;

/** An element with attributes and children. Text stays text: nothing of a user's becomes markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A button that says what it does. */
export function button(text: string, label: string, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", "aria-label": `${text}: ${label}`, title: label }, text);
  made.addEventListener("click", act);
  return made;
}
