import { ArgumentError } from "@stowage/ir";
import { afterEach, describe, expect, test, vi } from "vitest";
import { resolveSettings } from "../src/resolve-settings.js";
import { SimpleBackend } from "./simple/simple-backend.js";

const resolved = (options = {}) => resolveSettings(() => new SimpleBackend(), options);

afterEach(() => vi.unstubAllEnvs());

describe("seed and number of cases", () => {
  test("come from the options first", () => {
    vi.stubEnv("STOWAGE_SEED", "5");
    vi.stubEnv("STOWAGE_LAW_RUNS", "7");
    expect(resolved({ seed: 1, runs: 2 })).toMatchObject({ seed: 1, runs: 2 });
    expect(resolved()).toMatchObject({ seed: 5, runs: 7 });
  });

  test("are fixed in CI and at least 2,000 cases", () => {
    vi.stubEnv("STOWAGE_SEED", "");
    vi.stubEnv("STOWAGE_LAW_RUNS", "");
    vi.stubEnv("CI", "true");
    expect(resolved().seed).toBe(resolved().seed);
    expect(resolved().runs).toBe(2000);
  });

  test("are refused where they are no integers", () => {
    vi.stubEnv("STOWAGE_SEED", "yesterday");
    expect(() => resolved()).toThrow('STOWAGE_SEED: expected an integer, got "yesterday"');
  });
});

describe("a replay", () => {
  test("is a part of a law and the path of a case", () => {
    expect(resolved({ replay: "3 splits of pack:17:0:2" }).replay).toEqual({
      part: "3 splits of pack",
      path: "17:0:2",
    });
    vi.stubEnv("STOWAGE_REPLAY", "1 copies:5");
    expect(resolved().replay).toEqual({ part: "1 copies", path: "5" });
  });

  test("is refused where it is neither", () => {
    expect(() => resolved({ replay: "17:0" })).toThrow(
      'replay: expected a part of a law and a path, as PART:PATH, got "17:0"',
    );
  });
});

test.each([
  ["another name", { rnus: 3 }],
  ["cases that would never end", { runs: 7.5 }],
  ["no case", { runs: 0 }],
  ["a seed that is no integer", { seed: "today" }],
  ["a replay that is no text", { replay: 3 }],
  ["no options", null],
])("options with %s are refused by an ArgumentError", (_, options) => {
  expect(() => resolved(options as never)).toThrow(ArgumentError);
});
