import type { Load, LoadHints, LoadParameter, Register, Store, StoreHints } from "../ir/index.js";
import { operandText } from "./operand.js";

const vector = (names: readonly string[]): string => (names.length === 1 ? (names[0] ?? "") : `{${names.join(", ")}}`);
const lanes = (count: number): string => (count === 1 ? "" : `.v${count}`);
const at = (base: string, offsetBytes: number): string =>
  offsetBytes === 0 ? `[${base}]` : `[${base}${offsetBytes < 0 ? "" : "+"}${offsetBytes}]`;

function loadModifiers(hints: LoadHints, arch: number): string {
  const parts: string[] = [];
  if (hints.operator !== undefined) parts.push(hints.operator);
  if (hints.nonCoherent === true) parts.push("nc");
  if (hints.l1 !== undefined) parts.push(`L1::${hints.l1}`);
  // L2::256B is known from sm_80 on (PTX ISA 9.7.9.8); a hint may be left out.
  const prefetch = hints.l2PrefetchBytes;
  if (prefetch !== undefined && (prefetch < 256 || arch >= 80)) parts.push(`L2::${prefetch}B`);
  return parts.map((part) => `.${part}`).join("");
}

function storeModifiers(hints: StoreHints): string {
  return (
    (hints.operator === undefined ? "" : `.${hints.operator}`) + (hints.l1 === undefined ? "" : `.L1::${hints.l1}`)
  );
}

/** 256-bit accesses exist from sm_100 on, in global memory; elsewhere they are two of 128 bits. */
function halves<T>(elements: readonly T[], bits: number, whole: boolean): (readonly T[])[] {
  if (elements.length * bits <= 128 || whole) return [elements];
  return [elements.slice(0, 2), elements.slice(2)];
}

const takesWhole = (space: string, arch: number, version: string): boolean =>
  space === "global" && arch >= 100 && Number(version) >= 8.8;

export function loadLines(load: Load, arch: number, version: string): string[] {
  const parts = halves(load.targets, load.bits, takesWhole(load.space, arch, version));
  const base = load.space === "shared" ? "%shared" : operandText(load.address);
  const lines = parts.map((targets, i) => {
    const kind = load.hints.volatile === true ? "ld.volatile" : "ld";
    const op = `${kind}.${load.space}${loadModifiers(load.hints, arch)}${lanes(targets.length)}.u${load.bits}`;
    return `${op} ${vector(targets.map(operandText))}, ${at(base, load.offsetBytes + i * 16)};`;
  });
  return load.space === "shared" ? inShared(load, lines) : lines;
}

export function storeLines(store: Store, arch: number, version: string): string[] {
  const parts = halves(store.values, store.bits, takesWhole(store.space, arch, version));
  const base = store.space === "shared" ? "%shared" : operandText(store.address);
  const lines = parts.map((values, i) => {
    const op = `st.${store.space}${storeModifiers(store.hints)}${lanes(values.length)}.u${store.bits}`;
    return `${op} ${at(base, store.offsetBytes + i * 16)}, ${vector(values.map(operandText))};`;
  });
  return store.space === "shared" ? inShared(store, lines) : lines;
}

/** Shared addresses of ours start at 0; the array's own place is added where it is used. */
function inShared(access: Load | Store, lines: readonly string[]): string[] {
  return [`add.u32 %shared, ${operandText(access.address)}, %sharedbase;`, ...lines];
}

export function loadParameterLines(load: LoadParameter, symbol: string): string[] {
  const targets: readonly Register[] = load.targets;
  const op = `ld.param${lanes(targets.length)}.u${load.bits} ${vector(targets.map(operandText))}`;
  if (load.index === null) return [`${op}, ${at(symbol, load.offsetBytes)};`];
  return [
    `mov.b64 %parameter, ${symbol};`,
    `cvt.u64.u32 %index, ${operandText(load.index)};`,
    "add.u64 %parameter, %parameter, %index;",
    `${op}, ${at("%parameter", load.offsetBytes)};`,
  ];
}
