import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { c } from "@codemirror/legacy-modes/mode/clike";
import { fortran } from "@codemirror/legacy-modes/mode/fortran";
import { python } from "@codemirror/legacy-modes/mode/python";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Dialect } from "../src/link/state.js";
import type { Fault } from "../src/worker/protocol.js";

const LANGUAGES: Readonly<Record<Dialect, Extension>> = {
  json: json(),
  c: StreamLanguage.define(c),
  mpi4py: StreamLanguage.define(python),
  fortran: StreamLanguage.define(fortran),
};

/** Longer texts are shown as they are: colours and broken lines would cost more than they help. */
const MOST_COLOURED = 200_000;

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.keyword, tags.typeName, tags.standard(tags.name)], color: "var(--code-name)" },
  { tag: [tags.string], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.comment], color: "var(--faint)", fontStyle: "italic" },
]);

/** The text of the datatype, with the place of what is wrong with it. */
export class Editor {
  readonly #view: EditorView;
  readonly #language = new Compartment();
  #isQuiet = false;
  #dialect: Dialect = "json";

  constructor(parent: HTMLElement, nonce: string, onChange: (text: string) => void) {
    const extensions = [
      EditorView.cspNonce.of(nonce),
      lineNumbers(),
      history(),
      drawSelection(),
      bracketMatching(),
      lintGutter(),
      syntaxHighlighting(COLOURS),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      this.#language.of([]),
      EditorState.transactionExtender.of(({ startState, newDoc }) => {
        const isLong = newDoc.length > MOST_COLOURED;
        if (isLong === startState.doc.length > MOST_COLOURED) return null;
        return { effects: this.#language.reconfigure(isLong ? [] : this.#coloured) };
      }),
      EditorView.contentAttributes.of({ "aria-label": "Datatype as text", spellcheck: "false" }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged && !this.#isQuiet) onChange(this.text);
      }),
    ];
    this.#view = new EditorView({ parent, state: EditorState.create({ extensions }) });
  }

  get #coloured(): Extension {
    return [LANGUAGES[this.#dialect], EditorView.lineWrapping];
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text without telling of a change. */
  show(text: string, dialect: Dialect): void {
    this.#isQuiet = true;
    this.#dialect = dialect;
    const language = text.length > MOST_COLOURED ? [] : this.#coloured;
    const { length } = this.#view.state.doc;
    const changes = this.text === text ? [] : [{ from: 0, to: length, insert: text }];
    this.#view.dispatch({ changes, effects: this.#language.reconfigure(language) });
    this.#isQuiet = false;
  }

  /** Underlines what is wrong; undefined: nothing is. */
  point(fault: Fault | undefined): void {
    const { length } = this.#view.state.doc;
    const diagnostics =
      fault === undefined
        ? []
        : [
            {
              severity: "error" as const,
              message: fault.message,
              from: Math.min(fault.from, length),
              to: Math.min(Math.max(fault.to, fault.from), length),
            },
          ];
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }
}
