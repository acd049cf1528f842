import { MODELS_VERSION, profileText, PROFILE_SCHEMA, UNCALIBRATED, type ProfileDocument } from "@stowage/backend-api";
import { describe, expect, test } from "vitest";
import { profileInUse } from "../../src/gpu/profile-in-use.js";
import { answers } from "../../src/worker/answers.js";

const ROOM = { columns: 64, rows: 16 };
const COLUMN = '{"kind":"vector","count":64,"blocklength":1,"stride":64,"child":"MPI_DOUBLE"}';

const slow: ProfileDocument = {
  schema: PROFILE_SCHEMA,
  models: MODELS_VERSION,
  date: "2026-11-22T17:58:16.821Z",
  machine: { cpu: "a processor", features: [], cores: 16, gpu: "NVIDIA H200", driver: "580.1" },
  noise: 0,
  figures: {
    host: {},
    cpu: { "pack.call": 1e9 },
    x64: { "pack.call": 2e9 },
    "cuda-generic": {},
    "cuda-strided": {},
    dma: {},
  },
};
const file = (document: unknown) => ({ name: "p.json", text: JSON.stringify(document) });

describe("the profile in use", () => {
  test("is the shipped one, which says so, until a file is dropped", () => {
    const { profile, about } = profileInUse(undefined);
    expect(profile).toBe(UNCALIBRATED);
    expect(about).toMatch(/^Shipped figures/);
  });

  test("is a file that `stowage calibrate` wrote, told by its machine and by what it has no figures of", () => {
    const { profile, about } = profileInUse({ name: "p.json", text: profileText(slow) });
    expect(profile.figures).toEqual(slow.figures);
    expect(about).toMatch(/^p.json: a processor, 16 cores, NVIDIA H200, driver 580.1, of 2026-11-22\./);
    expect(about).toContain("Shipped figures serve where it has none: cuda-generic-specialised");
  });

  test("of other cost models says so", () => {
    const { about } = profileInUse(file({ ...slow, models: 0 }));
    expect(about).toContain(`Its figures are of cost models 0; these are ${MODELS_VERSION}.`);
  });

  test.each([
    ["{", /^profile p\.json: expected a JSON document, got .*$/],
    ["[]", /^profile p\.json: expected an object, got .*$/],
    [
      '{"schema":"stowage-results/1"}',
      /^profile p\.json: schema: expected stowage-profile\/1, got "stowage-results\/1"$/,
    ],
    [JSON.stringify({ ...slow, figures: { x64: { call: -1 } } }), /^profile p\.json: x64 call: expected a number of 0/],
  ])("%s is no profile: one line says why", (text, line) => {
    expect(() => profileInUse({ name: "p.json", text })).toThrow(line);
  });
});

test("a worker predicts by a file, and answers a wrong one in words", () => {
  const worker = answers();
  worker.open(COLUMN, "json", 1, ROOM, undefined);
  const predicted = worker.predicted(file(slow));
  if (typeof predicted === "string") throw new Error(predicted);
  const host = predicted.times.filter(({ memory }) => memory === "host");
  expect(host.map(({ backend, runNs = 0 }) => [backend, Math.floor(runNs / 1e9)])).toEqual([
    ["x64", 2],
    ["cpu", 1],
  ]);
  expect(worker.predicted({ name: "p.json", text: "{" })).toMatch(/^profile p\.json: expected a JSON document/);
  expect(worker.predicted(undefined)).toMatchObject({ about: expect.stringMatching(/^Shipped/) as string });
});
