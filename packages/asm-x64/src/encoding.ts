/** The parts of the manual's opcode column (Intel SDM, volume 2, section 3.1.1.1). */
export interface Encoding {
  /** The kind of prefix. */
  readonly space: "legacy" | "vex" | "evex";
  /** The mandatory prefix; 0: none. */
  readonly prefix: 0 | 0x66 | 0xf3 | 0xf2;
  /** The mandatory prefix as VEX.pp and EVEX.pp have it. */
  readonly compressedPrefix: 0 | 1 | 2 | 3;
  /** The opcode map: 0 (one byte), 1 (0F), 2 (0F38), 3 (0F3A). */
  readonly map: 0 | 1 | 2 | 3;
  /** REX.W, VEX.W or EVEX.W; 0 where the manual ignores it. */
  readonly w: 0 | 1;
  /** VEX.L or EVEX.L'L: 0, 1, 2 for 128, 256, 512 bits. */
  readonly vectorLength: 0 | 1 | 2;
  /** The bytes of the opcode behind prefixes; under VEX and EVEX without the map's. */
  readonly opcode: readonly number[];
  /** The digit in ModRM.reg (/digit); -1 where ModRM.reg names an operand, or there is no ModRM. */
  readonly digit: number;
  /** The bits of the immediate (ib, id, io); 0: none. */
  readonly immediateBits: 0 | 8 | 32 | 64;
  /** The bits of the relative displacement (cb, cd); 0: none. */
  readonly relativeBits: 0 | 8 | 32;
}

const MAPS: Readonly<Record<string, 1 | 2 | 3>> = { "0F": 1, "0F38": 2, "0F3A": 3 };
const COMPRESSED_PREFIXES = [0, 0x66, 0xf3, 0xf2] as const;
const PREFIXES: Readonly<Record<string, 0 | 0x66 | 0xf3 | 0xf2>> = { NP: 0, "66": 0x66, F3: 0xf3, F2: 0xf2 };
const LENGTHS: Readonly<Record<string, 0 | 1 | 2>> = { "128": 0, LZ: 0, LIG: 0, L0: 0, L1: 1, "256": 1, "512": 2 };

/** Reads `REX.W + 8B /r`, `VEX.256.F3.0F.WIG 6F /r` or `EVEX.512.66.0F38.W0 7D /r`. */
export function parseEncoding(text: string): Encoding {
  const tokens = text.replaceAll("+ ", "").split(/\s+/);
  const head = tokens[0] ?? "";
  const { space, prefix, map, w, vectorLength, opcode } = /^E?VEX\./.test(head)
    ? vectorHead(text, head)
    : legacyHead(tokens);
  const { digit, immediateBits, relativeBits } = tailOf(text, tokens);
  // Property by property: copies made by spreading have a hidden class each, and reading those costs three times as
  // much.
  const compressedPrefix = COMPRESSED_PREFIXES.indexOf(prefix) as Encoding["compressedPrefix"];
  return Object.freeze({
    space,
    prefix,
    compressedPrefix,
    map,
    w,
    vectorLength,
    opcode,
    digit,
    immediateBits,
    relativeBits,
  });
}

function tailOf(text: string, tokens: readonly string[]): Pick<Encoding, "digit" | "immediateBits" | "relativeBits"> {
  const digit = /\/([0-7])/.exec(text)?.[1];
  const has = (token: string): boolean => tokens.includes(token);
  return {
    digit: digit === undefined ? -1 : Number(digit),
    // /is4: a register's number in the upper half of a byte.
    immediateBits: has("ib") || has("/is4") ? 8 : has("id") ? 32 : has("io") ? 64 : 0,
    relativeBits: has("cb") ? 8 : has("cd") ? 32 : 0,
  };
}

const opcodesIn = (tokens: readonly string[]): number[] =>
  tokens
    .map((token) => /^([0-9A-F]{2})(\+r[bwdo])?$/.exec(token)?.[1])
    .filter((hex) => hex !== undefined)
    .map((hex) => parseInt(hex, 16));

type Head = Omit<Encoding, "compressedPrefix" | "digit" | "immediateBits" | "relativeBits">;

function vectorHead(text: string, head: string): Head {
  const [space, length = "", prefix = "", map = "", w = ""] = head.split(".");
  const parsed = { vectorLength: LENGTHS[length], prefix: PREFIXES[prefix], map: MAPS[map] };
  const { vectorLength, prefix: byte, map: number } = parsed;
  if (vectorLength === undefined || byte === undefined || number === undefined) {
    throw new SyntaxError(`encoding of a row: expected the manual's notation, got ${text}`);
  }
  const opcode = opcodesIn(text.split(/\s+/).slice(1));
  return {
    space: space === "EVEX" ? "evex" : "vex",
    vectorLength,
    prefix: byte,
    map: number,
    w: w === "W1" ? 1 : 0,
    opcode,
  };
}

function legacyHead(tokens: readonly string[]): Head {
  const bytes = opcodesIn(tokens);
  const first = bytes[0];
  const prefix = (first === 0x66 || first === 0xf2 || first === 0xf3) && bytes.length > 1 ? first : 0;
  const rest = prefix === 0 ? bytes : bytes.slice(1);
  const map = rest[0] !== 0x0f ? 0 : rest[1] === 0x38 ? 2 : rest[1] === 0x3a ? 3 : 1;
  const opcode = rest.slice(map === 0 ? 0 : map === 1 ? 1 : 2);
  return { space: "legacy", prefix, map, w: tokens.includes("REX.W") ? 1 : 0, vectorLength: 0, opcode };
}
