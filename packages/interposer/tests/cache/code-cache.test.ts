import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CodeCache, exportFiles } from "../../src/index.js";
import { fileName } from "../../src/cache/code-cache.js";
import { inFolder } from "../service/in-folder.js";

const name = (i: number): string => fileName(i.toString(16).padStart(32, "0"), "avx2");
const KIB = new Uint8Array(1024);

/** A cache of files that were used one second after another, the first the longest ago. */
function filled(folder: string, count: number, mostBytes: number): CodeCache {
  const cache = new CodeCache(join(folder, "code"), mostBytes);
  for (let i = 0; i < count; i++) {
    cache.write(name(i), KIB);
    utimesSync(join(cache.folder, name(i)), 1_000 + i, 1_000 + i);
  }
  return cache;
}

test("never holds more than it may; what was used longest ago goes first", () =>
  inFolder((folder) => {
    const cache = filled(folder, 6, 4096);
    expect(cache.list().map((file) => file.name)).toEqual([2, 3, 4, 5].map(name));
    expect(cache.prune(2048).map((file) => file.name)).toEqual([2, 3].map(name));
    expect(cache.prune(0)).toHaveLength(2);
    expect(readdirSync(cache.folder)).toEqual([]);
    return Promise.resolve();
  }));

test("knows its own files alone, and removes those that were never finished", () =>
  inFolder((folder) => {
    const cache = filled(folder, 1, 4096);
    for (const [other, usedAt] of [
      ["notes.txt", 1],
      [`${name(7)}.99.new`, 1],
      [`${name(8)}.99.new`, Date.now() / 1000],
    ] as const) {
      writeFileSync(join(cache.folder, other), "");
      utimesSync(join(cache.folder, other), usedAt, usedAt);
    }
    expect(cache.list()).toHaveLength(1);
    cache.prune(4096);
    expect(readdirSync(cache.folder).toSorted()).toEqual([name(0), `${name(8)}.99.new`, "notes.txt"].toSorted());
    return Promise.resolve();
  }));

test("where another node's service has this one's process number, neither writes into what the other has begun", () =>
  inFolder((folder) => {
    const cache = filled(folder, 1, 4096);
    const begun = openSync(join(cache.folder, `${name(0)}.${process.pid}.new`), "w");
    cache.write(name(0), KIB);
    writeSync(begun, "another node's");
    closeSync(begun);
    expect(readFileSync(join(cache.folder, name(0)))).toEqual(Buffer.from(KIB));
    return Promise.resolve();
  }));

test("a file is its owner's alone to read and write, an exported one everybody's to read", () =>
  inFolder((folder) => {
    const cache = filled(folder, 2, 4096);
    expect(statSync(join(cache.folder, name(0))).mode & 0o777).toBe(0o600);
    const site = join(folder, "site");
    const environment = { STOWAGE_CACHE: cache.folder, STOWAGE_INTERPOSER: join(folder, "absent") };
    expect(exportFiles(site, environment)).toEqual({ code: 2, libraries: 0 });
    expect(readdirSync(join(site, "code")).toSorted()).toEqual([name(0), name(1)]);
    expect(statSync(join(site, "code", name(0))).mode & 0o777).toBe(0o644);
    return Promise.resolve();
  }));

test("a folder that others may write to is refused", () =>
  inFolder((folder) => {
    chmodSync(folder, 0o770);
    expect(() => new CodeCache(folder, 0)).toThrow(/this user alone may write to, got user \d+'s of mode 0770/);
    return Promise.resolve();
  }));
