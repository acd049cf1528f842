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
