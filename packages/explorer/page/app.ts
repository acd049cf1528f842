import { parseDatatypeText, printDatatype } from "@stowage/ir";
import { WORKLOAD_GROUPS, workloadNames } from "@stowage/workloads";
import { EXAMPLE_GROUPS } from "../src/examples/examples.js";
import { parseState, printState, type Dialect, type Panel as PanelName, type State } from "../src/link/state.js";
import type { Facts, Opened } from "../src/worker/protocol.js";
import { Client } from "./client.js";
import { CountControl } from "./count-control.js";
import { DatatypeForm } from "./datatype-form.js";
import { Editor } from "./editor.js";
import { button, element } from "./element.js";
import { gpuPanel } from "./gpu-panel.js";
import { PicturePanel } from "./picture-panel.js";
import { codePanel, passesPanel, programPanel, type Panel } from "./steps-panels.js";
import { Tabs } from "./tabs.js";
import { TreeList } from "./tree-list.js";

const FIRST: State = {
  dialect: "json",
  text: `{ "kind": "vector", "count": 8, "blocklength": 2, "stride": 6, "child": "MPI_INT" }`,
  forms: false,
  count: 2,
  panel: "picture",
};

const COPY = "Copy link to what is shown";

type Way = Dialect | "form";

const WAYS = { form: "Form", json: "JSON", c: "C", mpi4py: "mpi4py", fortran: "Fortran" } as const;
const PANEL_NAMES = { picture: "Picture", steps: "Passes", program: "DAME", code: "Code", gpu: "GPU" } as const;

/** Milliseconds without a change after which the address has the link of what is shown. */
const LINK_AFTER_MS = 300;

/** Starts the page. `script`: its own text, for the worker. */
export async function startPage(script: string): Promise<void> {
  const app = new App(script);
  document.body.append(app.node);
  await app.start();
}

class App {
  readonly node: HTMLElement;
  readonly #client: Client;
  readonly #editor: Editor;
  readonly #picture: PicturePanel;
  readonly #tree: TreeList;
  readonly #count: CountControl;
  readonly #form: DatatypeForm;
  readonly #ways: Tabs<Way>;
  readonly #panels: Tabs<PanelName>;
  readonly #others: Readonly<Partial<Record<PanelName, Panel>>>;
  readonly #editorNode = element("div", { class: "editor" });
  readonly #facts = element("dl", { class: "facts" });
  readonly #fault = element("p", { class: "fault", role: "alert" });
  readonly #copy = button("Copy link", COPY, () => {
    void this.#printLink().then(() => navigator.clipboard?.writeText(location.href));
  });
  #state: State = FIRST;
  #linkTimer = 0;
  #fragment = "";
  /** Counts what was asked to be opened: the last of them is what the page comes to show. */
  #opening = 0;

  constructor(script: string) {
    this.#client = new Client(script, () => void this.#open());
    this.#tree = new TreeList((path) => void this.#picture.markNode(path));
    this.#picture = new PicturePanel(this.#client, {
      onView: (view) => this.#set({ view }),
      onLink: (link) => this.#tree.mark(link),
    });
    this.#count = new CountControl((count) => this.#change({ count, view: undefined }));
    this.#form = new DatatypeForm((document) => this.#change({ text: JSON.stringify(document), view: undefined }));
    this.#ways = new Tabs("Ways to write the datatype", WAYS, (way) => void this.#write(way));
    this.#others = {
      steps: passesPanel(this.#client),
      program: programPanel(this.#client),
      code: codePanel(this.#client),
      gpu: gpuPanel(this.#client),
    };
    this.#panels = new Tabs("What is shown", PANEL_NAMES, (panel) => {
      this.#set({ panel });
      this.#showPanel();
    });
    const nonce = document.querySelector("style")?.nonce ?? "";
    this.#editor = new Editor(this.#editorNode, nonce, (text) => this.#change({ text, view: undefined }));
    const left = element(
      "section",
      { class: "left", "aria-label": "Datatype" },
      this.#ways.node,
      this.#editorNode,
      this.#form.node,
      this.#fault,
      this.#tree.node,
    );
    const right = element(
      "section",
      { class: "right", "aria-label": "Layout" },
      element("div", { class: "about" }, this.#facts, this.#count.node),
      this.#panels.node,
      this.#picture.node,
      ...Object.values(this.#others).map(({ node }) => node),
    );
    this.node = element("div", { class: "app" }, this.#header(), element("main", {}, left, right));
  }

  async start(): Promise<void> {
    await this.#load();
    addEventListener("hashchange", () => void this.#load());
    addEventListener("resize", () => this.#picture.redraw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#picture.redraw());
  }

  #header(): HTMLElement {
    const examples = element("select", { "aria-label": "Examples" }, element("option", { value: "" }, "Examples…"));
    const group = (label: string, names: readonly string[]): HTMLElement =>
      element("optgroup", { label }, ...names.map((name) => element("option", {}, name)));
    examples.append(
      ...EXAMPLE_GROUPS.map(({ name, examples: each }) =>
        group(
          name,
          each.map((example) => example.name),
        ),
      ),
      ...WORKLOAD_GROUPS.map((name) => group(`Workloads: ${name}`, workloadNames(name))),
    );
    examples.addEventListener("change", () => void this.#example(examples.value));
    const title = element("h1", {}, "Stowage ", element("span", {}, "explorer"));
    return element("header", {}, title, examples, this.#copy);
  }

  /** What the address holds, or the first example. */
  async #load(): Promise<void> {
    const fragment = location.hash.slice(1);
    if (fragment !== "" && fragment === this.#fragment) return;
    let problem: string | undefined;
    try {
      this.#state = fragment === "" ? FIRST : await parseState(fragment);
    } catch (error) {
      problem = (error as Error).message;
    }
    this.#showState();
    await this.#open();
    if (problem !== undefined) this.#complain(problem);
  }

  async #example(name: string): Promise<void> {
    if (name === "") return;
    const { text, count } = await this.#client.ask("example", name);
    this.#state = { ...this.#state, text, count, dialect: "json", view: undefined };
    this.#showState();
    this.#change({});
  }

  /** Writes the datatype in another way: as JSON, C, Fortran or Python. */
  async #write(way: Way): Promise<void> {
    const dialect: Dialect = way === "form" ? "json" : way;
    const text = dialect === this.#state.dialect ? this.#state.text : await this.#client.ask("textIn", dialect);
    this.#state = { ...this.#state, dialect, text, forms: way === "form" };
    this.#showState();
    this.#change({});
  }

  #showState(): void {
    const { text, dialect, forms, count, panel } = this.#state;
    this.#ways.show(forms ? "form" : dialect);
    this.#panels.show(panel);
    this.#editorNode.hidden = forms;
    this.#form.node.hidden = !forms;
    this.#editor.show(text, dialect);
    this.#count.show(count);
  }

  #showPanel(): void {
    const { panel } = this.#state;
    this.#picture.node.hidden = panel !== "picture";
    for (const [name, { node }] of Object.entries(this.#others)) node.hidden = name !== panel;
    this.#others[panel]?.show().catch((error: unknown) => this.#complain((error as Error).message));
  }

  #change(changes: Partial<State>): void {
    this.#set(changes);
    void this.#open();
  }

  #set(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes };
    this.#linkLater();
  }

  /** A link of a long text takes its time: what is being drawn comes first. */
  #linkLater(): void {
    clearTimeout(this.#linkTimer);
    this.#linkTimer = setTimeout(
      () => (this.node.dataset["drawn"] === "yes" ? void this.#printLink() : this.#linkLater()),
      LINK_AFTER_MS,
    );
  }

  async #printLink(): Promise<void> {
    let problem: string | undefined;
    try {
      this.#fragment = await printState(this.#state);
    } catch (error) {
      // Nothing is wrong with what was typed: there is no link of it, and none to what was shown before.
      problem = `No ${(error as Error).message}`;
      this.#fragment = "";
    }
    history.replaceState(null, "", this.#fragment === "" ? location.pathname + location.search : `#${this.#fragment}`);
    this.#copy.disabled = problem !== undefined;
    this.#copy.title = problem ?? COPY;
  }

  async #open(): Promise<void> {
    const { text, dialect, count, view } = this.#state;
    const began = performance.now();
    const opening = ++this.#opening;
    this.node.dataset["opening"] = String(opening);
    this.node.dataset["drawn"] = "no";
    try {
      const opened = await this.#client.ask("open", text, dialect, count, this.#picture.room, view);
      this.#editor.point(opened.ok ? undefined : opened.fault);
      this.#complain(opened.ok ? "" : opened.fault.message);
      if (opened.ok) this.#show(opened);
      performance.measure("redraw", { start: began, detail: { opening, characters: text.length } });
    } catch (error) {
      this.#complain((error as Error).message);
    }
    if (opening === this.#opening) this.node.dataset["drawn"] = "yes";
  }

  #show(opened: Opened): void {
    if (this.#state.forms) this.#form.show(printDatatype(parseDatatypeText(this.#state.text)));
    this.#tree.show(opened.tree);
    this.#facts.replaceChildren(...factsOf(opened.facts));
    this.#showPanel();
    this.#picture.show(opened, this.#state.count * opened.facts.sizeBytes);
    if (performance.getEntriesByName("first-picture").length === 0) performance.mark("first-picture");
  }

  #complain(text: string): void {
    this.#fault.textContent = text;
  }
}

function factsOf({ sizeBytes, extentBytes, lowerBoundBytes, blockCount, strided, signature }: Facts): readonly Node[] {
  const bytes = (value: number): string => `${value.toLocaleString("en")} B`;
  const rows: readonly (readonly [string, string])[] = [
    ["size", bytes(sizeBytes)],
    ["extent", lowerBoundBytes === 0 ? bytes(extentBytes) : `${bytes(extentBytes)} from ${bytes(lowerBoundBytes)}`],
    ["blocks", blockCount.toLocaleString("en")],
    ["shape", strided ?? "irregular"],
    ["elements", signature],
  ];
  return rows.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", { title: value }, value)),
  );
}
