import { MODELS_VERSION, profileText, PROFILE_SCHEMA, type ProfileDocument } from "@stowage/backend-api";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseDatatypeText, printDatatypeText } from "@stowage/ir";
import { workloadNames } from "@stowage/workloads";
import { goldenTexts } from "../golden-texts.js";
import { buildPages, drawn, launch, openExplorer } from "../browser/open-page.js";
import { roundTrips } from "../browser/round-trips.js";

let browser: Browser;
beforeAll(async () => {
  buildPages();
  browser = await launch();
});
afterAll(() => browser.close());

const editorOf = (page: Page) => page.getByRole("textbox", { name: "Datatype as text" });

/** Puts a text into the editor, as pasting does. */
async function edit(page: Page, text: string): Promise<void> {
  await editorOf(page).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  await drawn(page);
}

const PROFILE: ProfileDocument = {
  schema: PROFILE_SCHEMA,
  models: MODELS_VERSION,
  date: "2026-11-22T00:00:00.000Z",
  machine: { cpu: "a <b>processor</b>", features: [], cores: 4, gpu: null, driver: null },
  noise: 0,
  figures: { x64: { "pack.call": 1e9 }, cpu: { "pack.call": 1e9 } },
};

/** Drops a file on the panel, as from a desktop. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const file = `new File([${JSON.stringify(text)}], ${JSON.stringify(name)})`;
  const dataTransfer = await page.evaluateHandle(
    `(() => { const all = new DataTransfer(); all.items.add(${file}); return all; })()`,
  );
  await page.getByRole("region", { name: "Predicted times" }).dispatchEvent("drop", { dataTransfer });
}

const BATCH = 100;

const canonical = (text: string): string => printDatatypeText(parseDatatypeText(text));

/** What the picture holds, as its pixels. */
const pictureOf = (page: Page): Promise<string> =>
  page.evaluate<string>("document.querySelector('canvas.bytes').toDataURL()");

describe("the explorer in a browser", { timeout: 300_000 }, () => {
  test("opens from a file, draws, and asks for nothing else", async () => {
    const { page, complaints, requests } = await openExplorer(browser);
    await expect(page.getByText("runs of 8 B, 8 × stride 24 B").count()).resolves.toBe(1);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
    await page.context().close();
  });

  test("its policy lets no request out", async () => {
    const { page } = await openExplorer(browser);
    const asked = page.evaluate<string>("fetch('http://127.0.0.1:9/').then(() => 'came', () => 'refused')");
    expect(await asked).toBe("refused");
    const policy = page.locator("meta[http-equiv]").getAttribute("content");
    expect(await policy).toContain("default-src 'none'");
    await page.context().close();
  });

  test("an edit redraws; half a document keeps the last picture and says what is wrong beside the text", async () => {
    const { page, complaints } = await openExplorer(browser);
    const before = await pictureOf(page);
    await edit(page, '{"kind":"vector","count":3,"blocklength":1,"stride":4,"child":"MPI_DOUBLE"}');
    const after = await pictureOf(page);
    expect(after).not.toBe(before);
    await edit(page, '{"kind":"vector","count":3,"blockl');
    expect(await page.getByRole("alert").textContent()).toContain("expected JSON");
    expect(await page.locator(".cm-lint-marker-error").count()).toBe(1);
    expect(await pictureOf(page)).toBe(after);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("every example is drawn", async () => {
    const { page, complaints } = await openExplorer(browser);
    const examples = page.getByRole("combobox", { name: "Examples" });
    const names = await examples.locator("option").allTextContents();
    expect(names.slice(1, 3)).toEqual(["a contiguous run", "every other number"]);
    expect(names.slice(-workloadNames().length)).toEqual(workloadNames());
    for (const name of names.slice(1)) {
      await examples.selectOption(name);
      await drawn(page);
      expect(await page.getByRole("alert").textContent(), name).toBe("");
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("the golden documents round-trip: pasted, written as C, read back as JSON, and copied", async () => {
    const { page, complaints } = await openExplorer(browser);
    const texts = goldenTexts();
    for (let at = 0; at < texts.length; at += BATCH) {
      const batch = texts.slice(at, at + BATCH);
      const copied = await roundTrips(page, batch);
      expect(copied.map(({ faults }) => faults).filter((faults) => faults !== "")).toEqual([]);
      expect(copied.map(({ text }) => canonical(text))).toEqual(batch.map(canonical));
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("the datatype is written in every dialect, and read back", async () => {
    const { page, complaints } = await openExplorer(browser);
    const before = await pictureOf(page);
    for (const way of ["C", "mpi4py", "Fortran", "JSON", "Form"]) {
      await page.getByRole("button", { name: way, exact: true }).click();
      await page.waitForTimeout(200);
      await drawn(page);
      expect(await page.getByRole("alert").textContent(), way).toBe("");
      expect(await pictureOf(page), way).toBe(before);
    }
    await page.getByRole("textbox", { name: "stride" }).fill("5");
    await page.keyboard.press("Tab");
    await page.getByText("8 × stride 20 B").first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a program that is pasted is told its wrong line", async () => {
    const { page } = await openExplorer(browser);
    await page.getByRole("button", { name: "C", exact: true }).click();
    await page.waitForTimeout(200);
    await edit(page, "MPI_Datatype t;\nMPI_Type_vector(3, rows, 5, MPI_INT, &t);");
    expect(await page.getByRole("alert").textContent()).toMatch(/^line 2: expected an integer/);
    await page.context().close();
  });

  test("passes, the DAME program, code and the GPU are shown", async () => {
    const { page, complaints } = await openExplorer(browser);
    const shows = async (panel: string, text: string | RegExp): Promise<void> => {
      await page.getByRole("button", { name: panel, exact: true }).click();
      await page.getByText(text).first().waitFor();
    };
    await shows("Passes", "after foldDenseStream");
    await shows("DAME", "VECTORFINAL(8,1,24,8,8)");
    await page.getByRole("button", { name: "Step: forward" }).click();
    await page.getByText("packed byte 8: 8 bytes from 24").waitFor();
    await page.getByRole("button", { name: "Back: one step" }).click();
    await page.getByText("packed byte 0: 8 bytes from 0").waitFor();
    await shows("Code", "memcpy(to, from1, 8);");
    await page.getByRole("combobox", { name: "Program" }).selectOption("PTX, cuda-strided");
    await page.getByText(".visible .entry").waitFor();
    await shows("GPU", "access 1 of the first");
    expect(await faultsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("times are predicted by a profile that is dropped or chosen; a wrong file changes nothing but a line", async () => {
    const { page, complaints } = await openExplorer(browser);
    await page.getByRole("button", { name: "GPU", exact: true }).click();
    const times = page.getByRole("region", { name: "Predicted times" });
    const inUse = page.getByRole("status", { name: "Profile in use" });
    await inUse.getByText("Shipped figures").waitFor();
    const shipped = await times.innerText();
    await drop(page, "machine.json", profileText(PROFILE));
    await inUse.getByText("machine.json: a <b>processor</b>, 4 cores, no GPU, of 2026-11-22.").waitFor();
    const dropped = await times.innerText();
    expect(dropped).not.toBe(shipped);
    await drop(page, "wrong.json", '{"schema":"stowage-results/1"}');
    await page.getByText('profile wrong.json: schema: expected stowage-profile/1, got "stowage-results/1"').waitFor();
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "half.json", mimeType: "application/json", buffer: Buffer.from("{") });
    await page.getByText("profile half.json: expected a JSON document").waitFor();
    expect([await inUse.innerText(), await times.innerText()]).toEqual([
      expect.stringContaining("machine.json"),
      dropped,
    ]);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Shipped figures" }).click();
    await inUse.getByText("Shipped figures, of").waitFor();
    expect(await times.innerText()).toBe(shipped);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a link shows what was shown", async () => {
    const { page } = await openExplorer(browser);
    await edit(page, '{"kind":"contiguous","count":999,"child":"MPI_SHORT_INT"}');
    await page.getByRole("textbox", { name: "Elements", exact: true }).fill("7");
    await page.getByRole("button", { name: "+: Zoom in" }).click();
    await page.waitForTimeout(800);
    const before = await pictureOf(page);
    const fragment = await page.evaluate<string>("location.hash");
    await page.context().close();
    const again = await openExplorer(browser, fragment);
    expect(await pictureOf(again.page)).toBe(before);
    expect(await again.page.getByRole("textbox", { name: "Elements", exact: true }).inputValue()).toBe("7");
    await again.page.context().close();
  });

  test.each(["#7.abc", "#1.garbage", "#%00%FF", "#1.eyJhIjoxfQ"])(
    "a link of %s is told and leaves a picture",
    async (link) => {
      const { page, complaints } = await openExplorer(browser, link);
      expect(await page.getByRole("alert").textContent()).toMatch(/link/);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  test("a type of 10^6 blocks is drawn; that it has no link is told where links are copied", async () => {
    const { page, complaints } = await openExplorer(browser);
    let [at, state] = [0, 7];
    const displacements = Array.from({ length: 1_000_000 }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return (at += 2 + (state % 1000));
    });
    await edit(page, JSON.stringify({ kind: "indexed_block", blocklength: 1, displacements, child: "MPI_INT" }));
    const copy = page.getByRole("button", { name: /Copy link/ });
    await expect.poll(() => copy.isDisabled(), { timeout: 60_000 }).toBe(true);
    expect(await copy.getAttribute("title")).toMatch(/^No link: expected at most 2000000 characters, got \d+$/);
    expect(await page.getByRole("alert").first().textContent()).toBe("");
    expect(await page.evaluate("location.hash")).toBe("");
    await edit(page, '"MPI_INT"');
    await expect.poll(() => copy.isDisabled(), { timeout: 60_000 }).toBe(false);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a type of depth 10^4 is drawn and written in every way", async () => {
    const { page, complaints } = await openExplorer(browser);
    await edit(page, `${'{"kind":"dup","child":'.repeat(10_000)}"MPI_INT"${"}".repeat(10_000)}`);
    for (const way of ["C", "mpi4py", "Fortran", "Form", "JSON"]) {
      await page.getByRole("button", { name: way, exact: true }).click();
      await page.waitForTimeout(200);
      await drawn(page);
      expect(await page.getByRole("alert").first().textContent(), way).toBe("");
    }
    await edit(page, "[".repeat(10_000));
    expect(await page.getByRole("alert").first().textContent()).toContain("expected JSON");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("hostile text stays text", async () => {
    const { page, complaints } = await openExplorer(browser);
    await edit(page, '{"kind":"<img src=x onerror=alert(1)>","child":"</script><script>alert(1)</script>"}');
    expect(await page.getByRole("alert").textContent()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator(".fault img").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("counts beyond any memory are refused or drawn, at once", async () => {
    const { page } = await openExplorer(browser);
    const count = page.getByRole("textbox", { name: "Elements", exact: true });
    await count.fill("9007199254740991");
    await drawn(page);
    expect(await page.getByRole("alert").textContent()).toContain("below 2^53");
    await count.fill("1000000000000");
    await drawn(page);
    expect(await page.getByRole("alert").textContent()).toBe("");
    await page.context().close();
  });

  test("the keyboard reaches everything, and moves and zooms the picture", async () => {
    const { page } = await openExplorer(browser);
    for (let i = 0; i < 60 && !(await page.evaluate("document.activeElement.matches('canvas.bytes')")); i++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.getByText("packed byte 9", { exact: false }).waitFor();
    await page.keyboard.press("0");
    await page.context().close();
  });

  for (const [width, height] of [
    [400, 800],
    [1280, 800],
    [3840, 2160],
  ] as const)
    for (const colorScheme of ["light", "dark"] as const)
      test(`${width} px wide, ${colorScheme}: nothing overflows, and axe finds no serious fault`, async () => {
        const { page } = await openExplorer(browser, "", { width, height, colorScheme });
        const wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate<number>(wider)).toBeLessThanOrEqual(0);
        expect(await faultsOf(page)).toEqual([]);
        await page.context().close();
      });
});

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** The serious faults that axe finds. It is evaluated by the debugger, which the page's policy does not bind. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe.source });
  const violations = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
