import { expect, it } from "vitest";
import { TIMED, Trials } from "../../src/carriers/trials.js";

const CARRIERS = ["native", "packed", "gapped"];

/** Messages of a role until it is decided, `extraNs` added to each by its number; the ranking. */
function ranked(
  takesNs: Readonly<Record<string, number>>,
  extraNs: (message: number) => number = () => 0,
  most = 200,
): readonly string[] | undefined {
  const trials = new Trials(Object.keys(takesNs));
  for (let i = 0; i < most && trials.ranking === undefined; i++) {
    const carrier = trials.next("send", "native");
    trials.tell("send", carrier, (takesNs[carrier] as number) + extraNs(i));
  }
  return trials.ranking;
}

it("the carrier whose messages took least is chosen, an earlier one where they differ by noise", () => {
  expect(ranked({ native: 1000, packed: 500 })?.[0]).toBe("packed");
  expect(ranked({ native: 500, packed: 1000 })?.[0]).toBe("native");
  expect(ranked({ native: 1000, packed: 990 })?.[0]).toBe("native");
  expect(ranked({ native: 1000, packed: 900, gapped: 500 })).toEqual(["gapped", "packed", "native"]);
  expect(ranked({ native: 1000, packed: 500, gapped: 490 })?.[0]).toBe("packed");
});

it("messages of a role that tell nothing are not asked for ever; one that tells is followed by others", () => {
  const trials = new Trials(CARRIERS);
  const asked = (role: string): number =>
    Array.from({ length: 1000 }, () => trials.isTold(role)).filter(Boolean).length;
  const before = asked("isend");
  expect(before).toBeGreaterThan(CARRIERS.length * (TIMED + 1));
  expect(before).toBeLessThan(100);
  expect(asked("isend")).toBe(0);
  trials.tell("isend", "packed", 1000);
  expect(asked("isend")).toBe(before);
});

it("what making types and code takes does not count", () => {
  expect(ranked({ native: 1000, packed: 500 }, (i) => (i === 1 ? 1e9 : 0))?.[0]).toBe("packed");
});

it("an interruption of any of the messages decides nothing: late, early, or three of seven", () => {
  const takes = { native: 1000, packed: 800, gapped: 2000 };
  const messages = CARRIERS.length * (TIMED + 1);
  for (let at = 0; at < messages; at++) {
    expect(ranked(takes, (i) => (i === at ? 1e7 : 0))?.[0], `late message ${at}`).toBe("packed");
    // Its peer's next message finds it there, and takes next to nothing.
    expect(ranked(takes, (i) => (i === at ? -790 : 0))?.[0], `early message ${at}`).toBe("packed");
  }
  const isOfThird = (i: number): boolean => [3, 4, 5, 9, 10, 11, 15, 16, 17].includes(i);
  expect(ranked(takes, (i) => (isOfThird(i) ? 1e7 : 0))?.[0]).toBe("packed");
});

it("carriers take turns, so that a slow spell meets all of them", () => {
  const trials = new Trials(CARRIERS);
  const taken = Array.from({ length: 6 }, () => {
    const carrier = trials.next("recv", "packed");
    trials.tell("recv", carrier, 1);
    return carrier;
  });
  expect(taken).toEqual(["packed", "native", "gapped", "packed", "native", "gapped"]);
});

it("who tells nothing stays with the predicted one", () => {
  const trials = new Trials(CARRIERS);
  expect([1, 2, 3].map(() => trials.next("isend", "packed"))).toEqual(["packed", "packed", "packed"]);
});

it("sends and receives count together, and the one waits for the other, but not for ever", () => {
  const trials = new Trials(["native", "packed"]);
  const send = (): void => {
    const carrier = trials.next("send", "native");
    trials.tell("send", carrier, carrier === "packed" ? 500 : 1000);
  };
  trials.tell("recv", "native", 1);
  for (let i = 0; i < 2 * (TIMED + 1); i++) send();
  expect(trials.ranking).toBeUndefined();
  for (let i = 0; i < 8 * (TIMED + 1); i++) send();
  expect(trials.ranking?.[0]).toBe("packed");
  expect(trials.measuredNs("packed")).toBe(500);
});
