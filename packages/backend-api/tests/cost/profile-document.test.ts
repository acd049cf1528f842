import { StowageError } from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MODELS_VERSION, parseProfile, profileText, PROFILE_SCHEMA, type ProfileDocument } from "../../src/index.js";

const document: ProfileDocument = {
  schema: PROFILE_SCHEMA,
  models: MODELS_VERSION,
  date: "2026-11-22T00:00:00.000Z",
  machine: { cpu: "a processor", features: ["avx2"], cores: 2, gpu: null, driver: null },
  noise: 0.02,
  figures: { x64: { "pack.call": 100 }, cpu: { "pack.call": 500 } },
};

describe("a profile", () => {
  test("is read as it was written", () => {
    expect(parseProfile(profileText(document), "profile")).toEqual(document);
  });

  test("cut short anywhere, it is refused in one line", () => {
    const text = profileText(document).trimEnd();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length - 1 }), (end) => {
        try {
          parseProfile(text.slice(0, end), "profile p");
        } catch (error) {
          expect(error).toBeInstanceOf(StowageError);
          expect((error as Error).message).toMatch(/^profile p.*: expected .*, got .*$/);
          return;
        }
        throw new Error("expected a refusal, got none");
      }),
    );
  });

  test.each([
    [{ figures: { x64: { "pack.call": -1 } } }, "profile p: x64 pack.call: expected a number of 0 or more, got -1"],
    [{ figures: { x64: 5 } }, "profile p: figures of x64: expected an object, got 5"],
    [{ schema: "stowage-profile/9" }, 'profile p: schema: expected stowage-profile/1, got "stowage-profile/9"'],
    [{ machine: {} }, "profile p: machine: expected cpu, features, cores, gpu and driver, got an object"],
  ])("edited by hand to %o, it says what is wrong", (edit, message) => {
    expect(() => parseProfile(JSON.stringify({ ...document, ...edit }), "profile p")).toThrow(message);
  });
});
