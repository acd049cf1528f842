import { ArgumentError } from "@stowage/ir";
import type { View } from "../picture/view.js";

export const DIALECTS = ["json", "c", "mpi4py", "fortran"] as const;
export type Dialect = (typeof DIALECTS)[number];

export const PANELS = ["picture", "steps", "program", "code", "gpu"] as const;
export type Panel = (typeof PANELS)[number];

/** All that the page shows, and all that a link holds. */
export interface State {
  readonly dialect: Dialect;
  /** What stands in the editor, right or wrong. */
  readonly text: string;
  /** Whether the datatype is edited by forms instead of as text. */
  readonly forms: boolean;
  readonly count: number;
  readonly panel: Panel;
  /** Absent: all of it. */
  readonly view?: View | undefined;
}

const VERSION = "1";
const MOST_CHARACTERS = 2_000_000;

/** The part of a link behind #: a version and the state. Throws an ArgumentError where it is too long for a link. */
export async function printState(state: State): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  const text = `${VERSION}.${base64url(bytes)}`;
  if (text.length <= MOST_CHARACTERS) return text;
  throw new ArgumentError("link", `at most ${MOST_CHARACTERS} characters`, String(text.length));
}

/** Reads what printState wrote. Throws an ArgumentError that says what is wrong with the link. */
export async function parseState(fragment: string): Promise<State> {
  const [version, text] = split(fragment);
  if (version !== VERSION) throw new ArgumentError("version of the link", VERSION, version.slice(0, 20));
  let document: unknown;
  try {
    const bytes = await through(fromBase64url(text), new DecompressionStream("deflate-raw"));
    document = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const got = error instanceof ArgumentError ? error.got : "a damaged one";
    throw new ArgumentError("link", "a state that this page wrote", got, { cause: error });
  }
  return requireState(document);
}

function split(fragment: string): readonly [string, string] {
  const dot = fragment.indexOf(".");
  return dot < 0 ? [fragment, ""] : [fragment.slice(0, dot), fragment.slice(dot + 1)];
}

/** What came out of a link is anybody's: every field is looked at. */
function requireState(document: unknown): State {
  const fields = (typeof document === "object" && document !== null ? document : {}) as Record<string, unknown>;
  const { dialect, text, forms, count, panel, view } = fields;
  const known = DIALECTS.find((each) => each === dialect);
  const shown = PANELS.find((each) => each === panel);
  if (known === undefined || shown === undefined || typeof text !== "string" || !isCount(count))
    throw new ArgumentError(
      "link",
      "dialect, text, count and panel",
      JSON.stringify(document)?.slice(0, 60) ?? "nothing",
    );
  const state = { dialect: known, text, forms: forms === true, count, panel: shown };
  return isView(view) ? { ...state, view } : state;
}

export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isView(view: unknown): view is View {
  if (typeof view !== "object" || view === null) return false;
  const { pitchBytes, bytesPerCell, firstRow, firstByte } = view as Record<string, unknown>;
  return (
    isCount(pitchBytes) &&
    isCount(bytesPerCell) &&
    pitchBytes > 0 &&
    bytesPerCell > 0 &&
    isCount(firstRow) &&
    isCount(firstByte)
  );
}

/** A small link may hold a large text: no more of it is read than a page can show. */
async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const input = new Blob([bytes]).stream();
  const reader = input.pipeThrough(stream).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const part = read.value as Uint8Array;
    parts.push(part);
    length += part.length;
    if (length <= 16 * MOST_CHARACTERS) continue;
    await reader.cancel();
    throw new ArgumentError("link", `at most ${16 * MOST_CHARACTERS} bytes`, "more");
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const fromBase64url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
