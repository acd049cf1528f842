import { refusal } from "./read-elf.js";

/** What a relocation writes: `place` is where it stands in the image, `target` what its symbol and addend give. */
export interface Fix {
  readonly view: DataView;
  readonly place: number;
  readonly target: number;
  /** The place that a symbol of RISC-V's lower halves stands for, and its target. */
  readonly upper: (place: number) => number;
}

type Apply = (fix: Fix) => void;

/** Distances of pages of 4 KiB: the image lies at a multiple of one. */
const pageOf = (address: number): number => Math.floor(address / 4096);
const lowerTwelve = (address: number): number => address % 4096;

const wordOf = ({ view, place }: Fix): number => view.getUint32(place, true);

/** Or-s bits into an instruction. */
const insert = (fix: Fix, bits: number): void => fix.view.setUint32(fix.place, (wordOf(fix) | bits) >>> 0, true);

function requireSigned(value: number, bits: number): number {
  const most = 2 ** (bits - 1);
  if (value < -most || value >= most) throw refusal(`distances of ${bits} bits`, String(value));
  return value;
}

/** Distance in units of four bytes, in the low bits of a branch. */
const branch: Apply = (fix) => insert(fix, (requireSigned((fix.target - fix.place) / 4, 26) & 0x3ff_ffff) >>> 0);

/** The lower twelve bits of an address, in units of an access. */
const lowerTwelveBy =
  (unitBytes: number): Apply =>
  (fix) =>
    insert(fix, (lowerTwelve(fix.target) / unitBytes) << 10);

/** The upper twenty bits of a distance, of which the lower twelve are signed. */
const upperTwenty = (distance: number): number =>
  (requireSigned(Math.floor((distance + 2048) / 4096), 20) & 0xf_ffff) << 12;
const signedLowerTwelve = (distance: number): number => distance - Math.floor((distance + 2048) / 4096) * 4096;

const x86 = {
  // R_X86_64_PC32, R_X86_64_PLT32
  2: (fix: Fix) => fix.view.setInt32(fix.place, requireSigned(fix.target - fix.place, 32), true),
  4: (fix: Fix) => fix.view.setInt32(fix.place, requireSigned(fix.target - fix.place, 32), true),
} satisfies Record<number, Apply>;

const aarch64 = {
  // R_AARCH64_ADR_PREL_PG_HI21: 2 bits at 29, 19 bits at 5
  275: (fix: Fix) => {
    const pages = requireSigned(pageOf(fix.target) - pageOf(fix.place), 21) & 0x1f_ffff;
    insert(fix, ((pages & 3) << 29) | ((pages >> 2) << 5));
  },
  // R_AARCH64_ADD_ABS_LO12_NC, and loads of 1, 2, 4, 8 and 16 bytes
  277: lowerTwelveBy(1),
  278: lowerTwelveBy(1),
  284: lowerTwelveBy(2),
  285: lowerTwelveBy(4),
  286: lowerTwelveBy(8),
  299: lowerTwelveBy(16),
  // R_AARCH64_JUMP26, R_AARCH64_CALL26
  282: branch,
  283: branch,
} satisfies Record<number, Apply>;

const call: Apply = (fix) => {
  const distance = fix.target - fix.place;
  insert(fix, upperTwenty(distance));
  insert({ ...fix, place: fix.place + 4 }, (signedLowerTwelve(distance) & 0xfff) << 20);
};

const riscv = {
  // R_RISCV_CALL, R_RISCV_CALL_PLT: auipc and jalr
  18: call,
  19: call,
  // R_RISCV_PCREL_HI20; the lower halves name the place of their upper one
  23: (fix: Fix) => insert(fix, upperTwenty(fix.target - fix.place)),
  24: (fix: Fix) => insert(fix, (signedLowerTwelve(fix.upper(fix.target)) & 0xfff) << 20),
  25: (fix: Fix) => {
    const lower = signedLowerTwelve(fix.upper(fix.target)) & 0xfff;
    insert(fix, ((lower >> 5) << 25) | ((lower & 31) << 7));
  },
  // R_RISCV_RELAX: what a linker may shorten
  51: () => undefined,
} satisfies Record<number, Apply>;

/** Relocations by e_machine and type, each relative to where it stands: an image runs at any multiple of a page. */
const TABLES: Readonly<Record<number, Readonly<Record<number, Apply>>>> = { 62: x86, 183: aarch64, 243: riscv };

export function applyOf(machine: number, type: number): Apply {
  const found = TABLES[machine]?.[type];
  if (found !== undefined) return found;
  if (TABLES[machine] === undefined) throw refusal("one for x86-64, AArch64 or RISC-V", `one for machine ${machine}`);
  throw refusal("relocations relative to their place", `type ${type} of machine ${machine}`);
}

/** R_RISCV_PCREL_HI20. */
export const isUpper = (machine: number, type: number): boolean => machine === 243 && type === 23;

/** What a relocation writes: R_RISCV_CALL and R_RISCV_CALL_PLT two instructions, R_RISCV_RELAX nothing. */
export const writtenBytes = (machine: number, type: number): number =>
  machine === 243 ? ({ 18: 8, 19: 8, 51: 0 }[type] ?? 4) : 4;
