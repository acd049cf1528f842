import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { knownIdentity } from "../../src/build/known-identity.js";

let folder: string;
let wrapper: string;
let header: string;
let libraries: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stowage-identity-"));
  [wrapper, header, libraries] = [join(folder, "mpicc"), join(folder, "mpi.h"), join(folder, "lib")];
  mkdirSync(libraries, { mode: 0o700 });
  writeFileSync(header, "");
  // A wrapper that says how often it was asked.
  const answers = `case "$*" in *-E*) echo '# 1 "${header}" 1'; echo 'stowage_mpi mpich "4.1"';; *) echo "cc -I${folder}";; esac`;
  writeFileSync(wrapper, `#!/bin/sh\necho >> ${folder}/asked\n${answers}\n`, { mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true }));

const asked = (): number => readFileSync(join(folder, "asked"), "utf8").length;
const identity = (environment = {}): object => knownIdentity(wrapper, libraries, [], environment);

test("a wrapper is asked once, for what it reads and for what it calls", () => {
  const expected = { family: "mpich", version: "4.1", commandLine: `cc -I${folder}`, flags: [], header };
  expect([identity(), identity(), identity({ HOME: "/elsewhere" })]).toEqual([expected, expected, expected]);
  expect(asked()).toBe(2);
});

test("it is asked again where its mpi.h, itself or what it reads of the environment has changed", () => {
  identity();
  writeFileSync(header, "another release");
  identity();
  expect(asked()).toBe(4);
  writeFileSync(wrapper, `${readFileSync(wrapper, "utf8")}# changed\n`);
  identity();
  expect(asked()).toBe(6);
  identity({ MPICH_CC: "clang" });
  expect(asked()).toBe(8);
  identity();
  expect(asked()).toBe(8);
  const flags = ["-DMPI_ABI"];
  for (let i = 0; i < 2; i++) expect(knownIdentity(wrapper, libraries, flags, {}).flags).toEqual(flags);
  expect(asked()).toBe(10);
});

test("it is asked each time where nothing can be kept, or others can write what is", () => {
  expect(knownIdentity(wrapper, join(folder, "absent"), [], {})).toEqual(
    knownIdentity(wrapper, join(folder, "absent"), [], {}),
  );
  expect(asked()).toBe(4);
  identity();
  chmodSync(libraries, 0o777);
  identity();
  expect(asked()).toBe(8);
});
