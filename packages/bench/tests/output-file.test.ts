import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { outputFile, outputFolder } from "../src/results/output-file.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-output-file-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (...names: string[]): string => join(folder, ...names);

test("a file is replaced in one step, and no draft of it is left", () => {
  const file = outputFile(at("a.json"), "--out");
  file.write("first");
  file.write("second");
  expect(readFileSync(at("a.json"), "utf8")).toBe("second");
  expect(readdirSync(folder)).toEqual(["a.json"]);
});

test("a link to nothing yet makes what it names", () => {
  symlinkSync("later.json", at("link.json"));
  outputFile(at("link.json"), "--out").write("text");
  expect(readFileSync(at("later.json"), "utf8")).toBe("text");
});

test.each([
  ["a folder", () => folder, /^--out: expected a file, got the directory /],
  ["a file below a file", () => at("a.json", "b.json"), /^--out: expected a folder, got the file .*a\.json$/],
  [
    "a link in a circle",
    () => (symlinkSync("round.json", at("round.json")), at("round.json")),
    /^--out: expected a file, got .*, a symbolic link in a circle$/,
  ],
])("%s is refused before there is anything to write", (_, path, message) => {
  expect(() => outputFile(path(), "--out")).toThrow(message);
});

test.runIf(existsSync("/proc/self"))(
  "a file where there can be none is refused before there is anything to write",
  () => {
    expect(() => outputFile("/proc/x/a.json", "--out")).toThrow(/^--out: expected to write \/proc\/x\/a\.json, got E/);
  },
);

test.runIf(existsSync("/dev/null"))("a device is written to, and is no file to be replaced", () => {
  const device = outputFile("/dev/null", "--out");
  device.write("text");
  expect(device.replaceable).toBe(false);
});

test("the folders of a file are made when it is written, and not when it is looked at", () => {
  outputFolder(at("x"), "--plots");
  const file = outputFile(at("x", "y", "b.json"), "--out");
  expect(existsSync(at("x"))).toBe(false);
  file.write("text");
  file.write("other");
  expect(readFileSync(at("x", "y", "b.json"), "utf8")).toBe("other");
  expect(readdirSync(at("x", "y"))).toEqual(["b.json"]);
});

test("a folder that could not be made is one line", () => {
  expect(() => outputFolder(at("a.json"), "--plots")).toThrow(/^--plots: expected a folder, got the file /);
  if (existsSync("/proc/self"))
    expect(() => outputFolder("/proc/x/y", "--plots")).toThrow(/^--plots: expected to write /);
});
