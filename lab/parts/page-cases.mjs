// Which copies of pages are measured, part by part: how many bytes of them, between which memories, in which tunings.
import { contiguous, predefined } from "@stowage/ir";
import { callContenders, endContenders } from "./page-calls.mjs";
import { layoutOf } from "./page-cells.mjs";
import { MDSPANS } from "./page-contenders.mjs";

const sizes = (...exponents) => exponents.map((exponent) => 2 ** exponent);
const TO_HOST = { source: "device", target: "pinned" };
const FROM_HOST = { source: "pinned", target: "device" };

const isPlain = ({ name }) => /^pages\/\d+$/.test(name);
const named = (copies, pattern) => copies.filter(({ name }) => pattern.test(name));

function copyOfBytes(pageBytes) {
  const page = contiguous(pageBytes, predefined("MPI_BYTE"));
  const pool = { firstBytes: [0], strideBytes: pageBytes, isShared: false, entries: { used: 1, of: 1 } };
  const group = { page: { source: page, target: page }, source: pool, target: pool };
  return { name: `pages/${pageBytes}`, groups: [group], placed: "both" };
}

/** Lengths that no word divides: of other libraries, CUB alone takes them. */
const ODD_COPIES = [131, 515, 1037, 4099].map(copyOfBytes);

/** Forms of a kernel by name: threads a page, words in flight each, and pages whose entries they read at once. */
const formsOf = (forms) =>
  Object.fromEntries(
    forms.map(([threadsPerElement, unroll, elementsAtOnce = 1]) => [
      `${threadsPerElement} threads x ${unroll}${elementsAtOnce === 1 ? "" : `, ${elementsAtOnce} pages`}`,
      { sharing: { threadsPerElement, unroll, elementsAtOnce } },
    ]),
  );
const forms = (threads, ...unrolls) => unrolls.map((unroll) => [threads, unroll]);

const wordsOf = ({ groups: [{ page }] }, wordBytes) => layoutOf(page.source).sizeBytes / wordBytes;

/** Entries of several pages at once. */
const SEVERAL = [[8, 1, 2], [8, 1, 4], [16, 1, 2], [16, 1, 4], [16, 2, 2], [32, 2, 2], [32, 4, 2]]; // prettier-ignore

/** Forms for pages that are whole words of 16 bytes. */
function evenForms(copy) {
  const warp = forms(32, 1, 2, 4, 6, 7);
  if (wordsOf(copy, 16) < 128)
    return [...[4, 8, 16].flatMap((threads) => forms(threads, 1)), [16, 2], ...warp, ...SEVERAL];
  return [...warp, [64, 2], ...forms(256, 1, 2, 4, 6), [32, 2, 2]];
}

/** Words of 8 bytes, two loads each. */
function oddForms(copy) {
  const words = wordsOf(copy, 8);
  const short = words < 100 ? [[16, 1], [16, 1, 4], [16, 2]] : []; // prettier-ignore
  return [...short, ...forms(32, 1, 2, 3, 4, 5, 6, 8), ...(words > 100 ? forms(256, 1, 2, 4) : [])];
}

const HINTS = { bypassL1: false, storeOperator: "wb", loadOperator: "ca" };
const AS_CHOSEN = { "as chosen": {} };
const PLAIN_WORDS = { "plain words": { chunks: false } };

/**
 * What each part measures of the copies that are asked for, `copy`: of `totals` bytes at most, from and to memory of
 * `kinds` (the device's where nothing is said), ours in `tunings`, or beside others where there are none; with
 * `withPython`, Python's too. `contenders` and `turns`: where something else is timed.
 */
export const PARTS = {
  plain: (copies) =>
    copies.filter(isPlain).map((copy) => ({ copy, totals: sizes(16, 20, 24, 26, 28, 30), withPython: true })),
  layouts: (copies) =>
    copies
      .filter((copy) => !isPlain(copy) && copy.memory === "device")
      .map((copy) => ({ copy, totals: sizes(20, 24, 26, 28), withPython: true })),
  odd: () =>
    ODD_COPIES.map((copy) => ({
      ...{ copy, totals: sizes(16, 20, 24, 26) },
      ...{ tunings: { tables: {}, "tables, a byte a thread": { chunks: false } }, isCompared: true },
    })),
  // Pages one after another: what a copy without tables does, too.
  ordered: (copies) =>
    copies
      .filter(({ name }) => MDSPANS[name] !== undefined)
      .map((copy) => ({ copy: { ...copy, isOrdered: true }, totals: sizes(20, 24, 26, 28) })),
  host: (copies) =>
    copies
      .filter(({ name, memory }) => memory === "host" || /\/(656|2048|8192|24576|65536)$/.test(name))
      .flatMap((copy) =>
        (copy.memory === "device" ? [TO_HOST, FROM_HOST] : [TO_HOST]).map((kinds) => ({
          ...{ copy, kinds, totals: sizes(16, 20, 22, 24, 26, 28) },
        })),
      ),
  // With --pool-gib: pages that lie so far apart that each is another page of the TLB.
  wide: (copies) => named(copies, /\/(512|2048|65536)$/).map((copy) => ({ copy, totals: sizes(24, 26) })),
  sharing: (copies) =>
    named(copies, /\/(\d+|mla-fp8)$/).map((copy) => ({
      ...{ copy, totals: sizes(24, 26, 28), tunings: { ...AS_CHOSEN, ...formsOf(evenForms(copy)) } },
    })),
  "odd-sharing": () =>
    [...ODD_COPIES, copyOfBytes(132), copyOfBytes(1004)].map((copy) => ({
      ...{ copy, totals: sizes(24, 26), tunings: { ...AS_CHOSEN, ...PLAIN_WORDS, ...formsOf(oddForms(copy)) } },
    })),
  // Words of two widths in one launch: the narrower shifted, or plain.
  "two-widths": (copies) =>
    named(copies, /^pages\/mla-fp8$/).map((copy) => ({
      ...{ copy, totals: sizes(24, 26, 28), tunings: { ...AS_CHOSEN, ...PLAIN_WORDS } },
    })),
  // Loads or stores that leave L2 first.
  leaving: (copies) =>
    [...named(copies, /\/\d+$/), ...ODD_COPIES].map((copy) => ({
      ...{ copy, totals: sizes(22, 24, 26) },
      tunings: {
        neither: { hints: HINTS },
        loads: { hints: { ...HINTS, loadOperator: "cs" } },
        stores: { hints: { ...HINTS, storeOperator: "cs" } },
      },
    })),
  "host-sharing": (copies) =>
    named(copies, /\/(656|2048|8192|24576)$/).flatMap((copy) =>
      [TO_HOST, FROM_HOST].map((kinds) => ({
        ...{ copy, kinds, totals: sizes(24, 26) },
        tunings: { ...AS_CHOSEN, ...formsOf([...forms(16, 1, 2), ...forms(32, 1, 2, 4), ...forms(256, 1, 2, 4)]) },
      })),
    ),
  ends: (copies) =>
    named(copies, /\/(128|144|512)$/).map((copy) => ({
      ...{ copy, totals: sizes(16, 20), title: `end of ${copy.name}` },
      ...{ contenders: endContenders, turns: { turns: 60 } },
    })),
  calls: (copies) =>
    named(copies, /^pages\/2048$/).flatMap((copy) =>
      [1, 8, 64, 160].map((pools) => {
        const [group] = copy.groups;
        const side = { ...group.source, firstBytes: new Array(pools).fill(0) };
        return {
          ...{ copy: { ...copy, groups: [{ ...group, source: side, target: side }] }, totals: sizes(23) },
          ...{ title: `call of ${copy.name} x ${pools} pools`, contenders: callContenders },
          turns: { turns: 200, warmUpTurns: 50, calls: 7 },
        };
      }),
    ),
};
