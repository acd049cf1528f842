import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { goldenFile } from "../src/golden/golden-file.js";
import { verify } from "../src/golden/verify.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-"));

/** What a command prints. */
async function printed(run: () => Promise<void>): Promise<string> {
  let text = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    await run();
  } finally {
    write.mockRestore();
  }
  return text;
}

test("verify --device checks golden datatypes by every backend and every route", async () => {
  const few = join(folder, "few.jsonl");
  const lines = readFileSync(goldenFile(), "utf8").split("\n");
  writeFileSync(few, lines.filter((_, i) => i % 125 === 7).join("\n"));
  const text = await printed(() => verify([few], { backend: "all", device: "cuda", simulated: true }));
  expect(text).toMatch(/^4 of 4 agree/);
  for (const way of ["cuda-generic to device", "dma to pinned", "staged/dma to host", "pipelined/cuda-strided to host"])
    expect(text).toContain(`${way} memory`);
});

test("verify --device finds a packed byte that is another", async () => {
  const wrong = join(folder, "wrong.jsonl");
  const [line = ""] = readFileSync(goldenFile(), "utf8").split("\n");
  writeFileSync(wrong, line.replace(/"sha256":"[0-9a-f]{4}/, '"sha256":"0000'));
  await printed(async () => {
    const found = verify([wrong], { backend: "one-shot/cuda-generic", device: "cuda", simulated: true });
    await expect(found).rejects.toThrow("0 of 1 agree");
  });
});
