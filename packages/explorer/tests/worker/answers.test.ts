import { parseDatatypeText, printDatatypeText } from "@stowage/ir";
import { workloadNames } from "@stowage/workloads";
import { expect, test } from "vitest";
import { EXAMPLE_GROUPS } from "../../src/examples/examples.js";
import { DIALECTS } from "../../src/link/state.js";
import { answer, answers } from "../../src/worker/answers.js";
import type { Opened, Refused } from "../../src/worker/protocol.js";
import { goldenTexts } from "../golden-texts.js";

const ROOM = { columns: 32, rows: 16 };
const open = (questions: ReturnType<typeof answers>, text: string, count = 1) =>
  questions.open(text, "json", count, ROOM, undefined);

test("the golden documents come back as they went in", () => {
  const questions = answers();
  const texts = goldenTexts();
  expect(texts.length).toBe(500);
  for (const text of texts) {
    expect(open(questions, text).ok).toBe(true);
    expect(printDatatypeText(parseDatatypeText(questions.textIn("json")))).toBe(
      printDatatypeText(parseDatatypeText(text)),
    );
  }
});

const BEGINNERS = EXAMPLE_GROUPS.flatMap(({ examples }) => examples.map(({ name }) => name));

test("a dozen examples to begin with have names of their own", () => {
  expect(BEGINNERS.length).toBeGreaterThanOrEqual(12);
  expect(new Set([...BEGINNERS, ...workloadNames()]).size).toBe(BEGINNERS.length + workloadNames().length);
});

/** A text with so many copies of `before` in front and of `behind` after it. */
const nested = (before: string, middle: string, behind: string, times: number): string =>
  `${before.repeat(times)}${middle}${behind.repeat(times)}`;

test("a type of depth 10^4 is answered in whatever is asked of it", () => {
  const questions = answers();
  const text = nested('{"kind":"contiguous","count":1,"child":', '"MPI_INT"', "}", 10_000);
  expect((open(questions, text) as Opened).facts.sizeBytes).toBe(4);
  expect(questions.linkOfBytes(0, 4)?.path).toHaveLength(10_001);
  for (const dialect of DIALECTS) {
    const written = questions.textIn(dialect);
    expect((questions.open(written, dialect, 1, ROOM, undefined) as Opened).facts.sizeBytes, dialect).toBe(4);
  }
  expect(questions.passes().length).toBeGreaterThan(0);
  expect(questions.dameText()).not.toBe("");
  expect(questions.machineTexts().length).toBeGreaterThan(0);
});

test("expressions nested deeper than a program has them are refused in a line", () => {
  const questions = answers();
  for (const [dialect, text] of [
    ["c", `MPI_Type_contiguous(${nested("(", "1", ")", 10_000)}, MPI_INT, &t);`],
    ["c", `MPI_Type_contiguous(${"-".repeat(10_000)}1, MPI_INT, &t);`],
    ["mpi4py", `t = MPI.INT.Create_contiguous(${nested("[", "1", "]", 10_000)})`],
  ] as const) {
    const { ok, fault } = questions.open(text, dialect, 1, ROOM, undefined) as Refused;
    expect([ok, fault.message]).toEqual([
      false,
      "line 1: expected at most 500 expressions inside each other, got more",
    ]);
  }
  const brackets = open(questions, "[".repeat(10_000)) as Refused;
  expect([brackets.ok, brackets.fault.message]).toEqual([false, expect.stringContaining("expected JSON")]);
});

test("every example opens, and its picture holds bytes", () => {
  const questions = answers();
  for (const name of [...BEGINNERS, ...workloadNames()]) {
    const { text, count } = questions.example(name);
    const opened = open(questions, text, count) as Opened;
    expect(opened.ok, name).toBe(true);
    expect(
      opened.picture.cells.filled.some((share) => share > 0),
      name,
    ).toBe(true);
  }
});

test.each(DIALECTS)("an empty editor says what to type in %s, and what it says is a datatype", (dialect) => {
  const questions = answers();
  const empty = questions.open(" \n", dialect, 1, ROOM, undefined) as Refused;
  expect(empty.fault.message).toMatch(/^No datatype yet: choose an example above, or type one such as /);
  const suggested = empty.fault.message.slice(empty.fault.message.indexOf("such as ") + "such as ".length);
  expect((questions.open(suggested, dialect, 1, ROOM, undefined) as Opened).facts.sizeBytes).toBe(32);
});

test("a text that is none is refused with its place, and the last datatype stays", () => {
  const questions = answers();
  open(questions, '{"kind":"contiguous","count":3,"child":"MPI_INT"}');
  const text = '{"kind":"vector","count":-3,"blocklength":1,"stride":1,"child":"MPI_INT"}';
  const { ok, fault } = open(questions, text) as Refused;
  expect([ok, text.slice(fault.from, fault.to), fault.message]).toEqual([
    false,
    "-3",
    "type.count: count of vector: expected an integer from 0 to 2^53 - 1, got -3",
  ]);
  expect((open(questions, '{"kind":"vec') as Refused).fault.message).toContain("expected JSON");
  expect(questions.linkOfPacked(4).addressBytes).toBe(4);
});

test("counts whose bytes have no safe place are refused", () => {
  const { fault } = open(answers(), '"MPI_DOUBLE"', 2 ** 52) as Refused;
  expect(fault.message).toBe("count: expected elements whose bytes have places below 2^53, got 4503599627370496");
});

test("a byte, its packed position and its nodes lead to each other", () => {
  const questions = answers();
  open(
    questions,
    '{"kind":"struct","blocklengths":[1,2],"displacements":[0,8],"children":["MPI_INT","MPI_DOUBLE"]}',
    2,
  );
  const link = questions.linkOfBytes(40, 48);
  expect(link).toMatchObject({ addressBytes: 40, packedByte: 32, element: 1 });
  expect(link?.path.map(({ path }) => path)).toEqual(["type", "type.children[1]"]);
  expect(questions.linkOfPacked(32)).toEqual(link);
  expect(questions.linkOfBytes(4, 8)).toBeUndefined();
  expect([...questions.cellsOfNode("type.children[1]", Float64Array.of(0, 4, -1, 19, 24))]).toEqual([0, 1, 0, 1, 1]);
});

test("what goes wrong in an answer is told, not thrown", () => {
  const asked = answer(answers(), { id: 7, name: "linkOfPacked", args: [0] });
  expect(asked).toEqual({ id: 7, error: "expected a datatype that was opened, got none" });
});
