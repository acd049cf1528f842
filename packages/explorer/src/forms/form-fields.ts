import { PREDEFINED_NAMES } from "@stowage/ir";

type Fields = Readonly<Record<string, unknown>>;

/** What a new node of each kind is, before its numbers are changed. */
const NEW: Readonly<Record<string, Fields>> = {
  contiguous: { count: 2 },
  vector: { count: 3, blocklength: 1, stride: 2 },
  hvector: { count: 3, blocklength: 1, stride: 16 },
  indexed: { blocklengths: [1, 2], displacements: [0, 3] },
  hindexed: { blocklengths: [1, 2], displacements: [0, 24] },
  indexed_block: { blocklength: 1, displacements: [0, 3] },
  hindexed_block: { blocklength: 1, displacements: [0, 24] },
  struct: { blocklengths: [1], displacements: [0] },
  subarray: { sizes: [4, 4], subsizes: [2, 2], starts: [1, 1], order: "C" },
  darray: {
    ...{ size: 4, rank: 0, gsizes: [8, 8], distribs: ["block", "block"] },
    ...{ dargs: [null, null], psizes: [2, 2], order: "C" },
  },
  resized: { lb: 0, extent: 16 },
  dup: {},
};

export const FORM_KINDS: readonly string[] = Object.freeze([...Object.keys(NEW), ...PREDEFINED_NAMES]);

export const isObject = (document: unknown): document is Fields =>
  typeof document === "object" && document !== null && !Array.isArray(document);

export const kindOf = (document: unknown): string => (isObject(document) ? String(document["kind"]) : String(document));

/** How many constructors a document has inside each other. */
export function depthOf(document: unknown): number {
  let deepest = 0;
  const waiting: [document: unknown, depth: number][] = [[document, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [top, depth] = next;
    deepest = Math.max(deepest, depth);
    if (!isObject(top)) continue;
    const { child, children } = top;
    for (const below of [child, ...(Array.isArray(children) ? (children as unknown[]) : [])])
      if (below !== undefined) waiting.push([below, depth + 1]);
  }
  return deepest;
}

/** A document with another constructor at its root: fields of the same name and the first child stay. */
export function withKind(document: unknown, kind: string): unknown {
  const fresh = NEW[kind];
  if (fresh === undefined) return kind;
  const old = isObject(document) ? document : {};
  const child = firstChild(document);
  const names = Object.keys(fresh);
  const isSame = (name: string): boolean => Array.isArray(old[name]) === Array.isArray(fresh[name]);
  const keepsLists = kind !== "struct" && old["kind"] !== "struct" && names.every(isSame);
  const keeps = (name: string): boolean =>
    Array.isArray(fresh[name]) ? keepsLists : typeof old[name] === typeof fresh[name];
  const fields = Object.fromEntries(names.map((name) => [name, keeps(name) ? old[name] : fresh[name]]));
  return { kind, ...fields, ...(kind === "struct" ? { children: [child] } : { child }) };
}

function firstChild(document: unknown): unknown {
  if (!isObject(document)) return document ?? "MPI_INT";
  const { child, children } = document;
  return child ?? (Array.isArray(children) ? (children[0] as unknown) : undefined) ?? "MPI_INT";
}

/** A struct with one more member, behind the last. */
export function withMember(document: Fields): Fields {
  const list = (name: string): readonly unknown[] =>
    Array.isArray(document[name]) ? (document[name] as unknown[]) : [];
  const last = Number(list("displacements").at(-1) ?? -8);
  return {
    ...document,
    blocklengths: [...list("blocklengths"), 1],
    displacements: [...list("displacements"), last + 8],
    children: [...list("children"), "MPI_INT"],
  };
}

/** A struct without its i-th member. */
export function withoutMember(document: Fields, i: number): Fields {
  const lists = ["blocklengths", "displacements", "children"];
  const shorter = lists.map((name) => [name, (document[name] as readonly unknown[]).filter((_, each) => each !== i)]);
  return { ...document, ...(Object.fromEntries(shorter) as Fields) };
}

/**
 * The text of a field of a form, and what a text means there. What is no number stays a text: the datatype then says
 * what is wrong.
 */
export const fieldText = (value: unknown): string =>
  Array.isArray(value) ? value.map((entry) => (entry === null ? "default" : String(entry))).join(", ") : String(value);

export function fieldValue(text: string, before: unknown): unknown {
  if (!Array.isArray(before)) return entry(text);
  return text.trim() === "" ? [] : text.split(",").map(entry);
}

function entry(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "default") return null;
  return /^-?\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
}
