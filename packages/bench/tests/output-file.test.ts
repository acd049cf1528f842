import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
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
  [
    "a file in a folder that is not there",
    () => at("no", "a.json"),
    /^--out: expected a folder that exists, got .*no$/,
  ],
  [
    "a link in a circle",
    () => (symlinkSync("round.json", at("round.json")), at("round.json")),
    /^--out: expected a file, got .*, a symbolic link in a circle$/,
  ],
])("%s is refused before there is anything to write", (_, path, message) => {
  expect(() => outputFile(path(), "--out")).toThrow(message);
});

test.runIf(existsSync("/dev/null"))("a device is written to, and is no file to be replaced", () => {
  const device = outputFile("/dev/null", "--out");
  device.write("text");
  expect(device.replaceable).toBe(false);
});

test("a folder is made with the folders that it lies in", () => {
  outputFolder(at("x", "y"), "--plots");
  outputFolder(at("x", "y"), "--plots");
  expect(readdirSync(at("x"))).toEqual(["y"]);
});

test("a folder that cannot be made is one line", () => {
  expect(() => outputFolder(at("a.json"), "--plots")).toThrow(/^--plots: expected a folder, got the file /);
  mkdirSync(at("z"));
  if (existsSync("/proc/self"))
    expect(() => outputFolder("/proc/x/y", "--plots")).toThrow(/^--plots: expected to write /);
});
