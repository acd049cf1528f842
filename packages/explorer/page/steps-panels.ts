import type { DameStep } from "../src/steps/dame-stepper.js";
import type { PassStep } from "../src/steps/pass-steps.js";
import type { MachineText } from "../src/steps/machine-text.js";
import type { Client } from "./client.js";
import { button, element } from "./element.js";

/** What a panel beside the picture does when it is to be seen. */
export interface Panel {
  readonly node: HTMLElement;
  readonly show: () => Promise<void>;
}

/** The layout after each pass of canonicalise. */
export function passesPanel(client: Client): Panel {
  const node = element("div", { class: "steps" });
  const show = async (): Promise<void> => {
    const steps = await client.ask("passes");
    node.replaceChildren(...steps.map(passNode));
  };
  return { node, show };
}

const MARKS = { none: "  ", new: "+ ", gone: "− " } as const;

function passNode({ name, lines }: PassStep, i: number): HTMLElement {
  const texts = lines.map(({ text, change }) =>
    element("span", { class: `line ${change}` }, `${MARKS[change]}${text}`),
  );
  const title = i === 0 ? "as lowered" : `${i}. after ${name}`;
  return element("section", {}, element("h3", {}, title), pre(`Layout ${title}`, ...texts));
}

/** Text that scrolls: the keyboard must reach it to do so. */
const pre = (label: string, ...children: readonly (Node | string)[]): HTMLElement =>
  element("pre", { tabindex: 0, role: "region", "aria-label": label }, ...children);

/** The DAME program and where it stands; each step moves a run of bytes. */
export function programPanel(client: Client): Panel {
  let at = 0;
  const program = element("pre", { tabindex: 0, role: "region", "aria-label": "DAME program" });
  const state = element("p", { class: "readout", role: "status" });
  const bytes = element("pre", { class: "bytes-moved", tabindex: 0, role: "region", "aria-label": "Bytes moved" });
  const stand = async (): Promise<void> => {
    const step = await client.ask("dameStep", at);
    const [loop] = step?.loops.slice(-1) ?? [];
    [...program.children].forEach((line, i) => line.classList.toggle("at", i === loop?.line));
    if (step === undefined) {
      state.textContent = "The program has moved every byte. Back goes to its last step.";
      return bytes.replaceChildren();
    }
    const loops = step.loops.map(({ line, iteration, count }) =>
      line < 0 ? `element ${iteration} of ${count}` : `line ${line + 1}: ${iteration} of ${count}`,
    );
    state.textContent = `packed byte ${step.packedByte.toLocaleString("en")}: ${step.lengthBytes.toLocaleString("en")} bytes from ${step.offsetBytes.toLocaleString("en")}; ${loops.join("; ")}`;
    const hex = [...step.bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    bytes.textContent = step.bytes.length < step.lengthBytes ? `${hex} …` : hex;
  };
  const go = async (step: Promise<DameStep | undefined>, to: (step: DameStep) => number): Promise<void> => {
    const found = await step;
    if (found !== undefined) at = to(found);
    await stand();
  };
  const tools = element(
    "div",
    { class: "tools" },
    button("First", "step", () => void go(client.ask("dameStep", 0), () => 0)),
    button("Back", "one step", () => void go(client.ask("dameStepBefore", at), ({ packedByte }) => packedByte)),
    button("Step", "forward", () => void go(client.ask("dameStep", at), ({ nextByte }) => nextByte)),
  );
  const show = async (): Promise<void> => {
    at = 0;
    const text = await client.ask("dameText");
    const lines = text.trimEnd().split("\n");
    program.replaceChildren(
      ...lines.map((line, i) => element("span", { class: "line" }, `${i + 1}`.padStart(4), `  ${line}`)),
    );
    await stand();
  };
  return { node: element("div", { class: "steps" }, tools, state, bytes, program), show };
}

/** The loops in C, machine code and PTX, one at a time. */
export function codePanel(client: Client): Panel {
  const choice = element("select", { "aria-label": "Program" });
  const text = element("pre", { tabindex: 0, role: "region", "aria-label": "Text of the program" });
  let texts: readonly MachineText[] = [];
  const pick = (): void => {
    text.textContent = texts.find(({ title }) => title === choice.value)?.text ?? "";
  };
  choice.addEventListener("change", pick);
  const show = async (): Promise<void> => {
    const chosen = choice.value;
    texts = await client.ask("machineTexts");
    choice.replaceChildren(...texts.map(({ title }) => element("option", { selected: title === chosen }, title)));
    pick();
  };
  return { node: element("div", { class: "steps" }, element("div", { class: "tools" }, choice), text), show };
}
