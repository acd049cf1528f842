import * as fc from "fast-check";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { predefined, vector } from "@stowage/ir";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  createEngine,
  findProfile,
  MODELS_VERSION,
  profileDifference,
  profileText,
  PROFILE_SCHEMA,
  staleness,
  thisMachine,
  type ProfileDocument,
} from "../../src/index.js";

const document: ProfileDocument = {
  schema: PROFILE_SCHEMA,
  models: MODELS_VERSION,
  date: "2026-11-22T00:00:00.000Z",
  machine: thisMachine(),
  noise: 0.02,
  figures: { x64: { "pack.call": 100 }, cpu: { "pack.call": 500 } },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stowage-profile-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe("the profile that serves", () => {
  test("is shipped where there is none, with a line", () => {
    vi.stubEnv("XDG_DATA_HOME", folder);
    vi.stubEnv("STOWAGE_PROFILE", "");
    expect(findProfile()).toMatchObject({ remarks: [expect.stringMatching(/^no profile of this machine, shipped/)] });
  });

  test("that was asked for must be there; the machine's own that is damaged is left alone", () => {
    expect(() => findProfile(join(folder, "none.json"))).toThrow(/^profile .*none\.json: expected a file, got none$/);
    const damaged = join(folder, "damaged.json");
    writeFileSync(damaged, "{");
    expect(() => findProfile(damaged)).toThrow(/^profile .*damaged\.json: expected a JSON document/);
  });

  test("of another machine serves and is called stale", () => {
    const foreign = join(folder, "foreign.json");
    writeFileSync(foreign, profileText({ ...document, machine: { ...document.machine, cpu: "another", cores: 999 } }));
    expect(findProfile(foreign).remarks[0]).toMatch(/is stale \(the processor is .*, it was another; .* it had 999\)/);
    expect(staleness({ ...document, models: 0 }, thisMachine(), MODELS_VERSION)).toEqual([
      `cost models ${MODELS_VERSION}, it has figures of 0`,
    ]);
  });

  test("however wrong its figures, the same bytes move", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("pack.call", "pack.commit", "unpack.call", "threads.bound.share"),
          fc.double({ min: 0, max: 1e15, noNaN: true }),
        ),
        (figures) => {
          using engine = createEngine({ profile: { machine: "wrong", figures: { x64: figures, cpu: figures } } });
          const packed = new Float64Array(4);
          const committed = engine.commit(vector(4, 1, 2, predefined("MPI_DOUBLE")), { threads: 2 });
          for (let i = 0; i < 3; i++) committed.pack(Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7), packed).wait();
          expect([...packed]).toEqual([0, 2, 4, 6]);
        },
      ),
      { numRuns: 30 },
    );
  });
});

test("two profiles differ in the figures that changed, the greatest ratio first", () => {
  const after = { ...document, figures: { x64: { "pack.call": 150, "pack.group": 1 }, cpu: { "pack.call": 505 } } };
  expect(profileDifference(document, after, 0.1).map(({ section, name }) => `${section} ${name}`)).toEqual([
    "x64 pack.group",
    "x64 pack.call",
  ]);
});
