import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DIALECTS, PANELS, parseState, printState, type State } from "../../src/link/state.js";

const STATE: State = { dialect: "json", text: '"MPI_INT"', forms: false, count: 1, panel: "picture" };

const anyView = fc.record({
  pitchBytes: fc.integer({ min: 1, max: 2 ** 31 }),
  bytesPerCell: fc.integer({ min: 1, max: 2 ** 31 }),
  firstRow: fc.nat(),
  firstByte: fc.nat(),
});
const anyState: fc.Arbitrary<State> = fc
  .record({
    dialect: fc.constantFrom(...DIALECTS),
    text: fc.string({ unit: "binary" }),
    forms: fc.boolean(),
    count: fc.maxSafeNat(),
    panel: fc.constantFrom(...PANELS),
    view: fc.option(anyView, { nil: undefined }),
  })
  .map(({ view, ...state }) => (view === undefined ? state : { ...state, view }));

test("a link holds the whole state", async () => {
  await fc.assert(
    fc.asyncProperty(anyState, async (state) => {
      const link = await printState(state);
      expect(link).toMatch(/^1\.[\w-]+$/);
      expect(await parseState(link)).toEqual(state);
    }),
  );
});

test("a link of another version, a damaged one, and one with other fields say so", async () => {
  await expect(parseState("7.abc")).rejects.toThrow("version of the link: expected 1, got 7");
  await expect(parseState("1.!!")).rejects.toThrow("link: expected a state that this page wrote, got a damaged one");
  const link = await printState(STATE);
  await expect(parseState(link.slice(0, -4))).rejects.toThrow("got a damaged one");
  const foreign = await printState({ ...STATE, count: -1 });
  await expect(parseState(foreign)).rejects.toThrow("link: expected dialect, text, count and panel, got");
});

test("a small link that holds a very large text is not unpacked", async () => {
  const link = await printState({ ...STATE, text: " ".repeat(40_000_000) });
  expect(link.length).toBeLessThan(100_000);
  await expect(parseState(link)).rejects.toThrow("got more");
});
