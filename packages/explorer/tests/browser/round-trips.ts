import type { Page } from "playwright-core";

/** What came back of a text, and what the page complained of on the way. */
interface RoundTrip {
  readonly text: string;
  readonly faults: string;
}

const IN_PAGE = `async (texts) => {
  const app = document.querySelector(".app");
  const editor = document.querySelector(".cm-content");
  const press = (name) => [...app.querySelectorAll("button")].find(({ textContent }) => textContent === name).click();
  const isDrawn = (before) => app.dataset.drawn === "yes" && Number(app.dataset.opening) > before;
  const drawnAfter = (act) => new Promise((resolve) => {
    const before = Number(app.dataset.opening);
    const observer = new MutationObserver(() => {
      if (!isDrawn(before)) return;
      observer.disconnect();
      resolve(app.querySelector("[role=alert]").textContent);
    });
    observer.observe(app, { attributes: true });
    act();
  });
  const selectAll = () => {
    editor.focus();
    const key = { key: "a", code: "KeyA", keyCode: 65, ctrlKey: true, bubbles: true, cancelable: true };
    editor.dispatchEvent(new KeyboardEvent("keydown", key));
  };
  const clipboard = (type, clipboardData) => {
    selectAll();
    editor.dispatchEvent(new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData;
  };
  const copied = [];
  for (const text of texts) {
    const given = new DataTransfer();
    given.setData("text/plain", text);
    const faults = [await drawnAfter(() => clipboard("paste", given))];
    for (const way of ["C", "JSON"]) faults.push(await drawnAfter(() => press(way)));
    copied.push({ text: clipboard("copy", new DataTransfer()).getData("text/plain"), faults: faults.join("") });
  }
  return copied;
}`;

/**
 * By what a user has: pastes each text, has it written as C and as JSON again, and copies that. One evaluation for all.
 */
export const roundTrips = (page: Page, texts: readonly string[]): Promise<readonly RoundTrip[]> =>
  page.evaluate(`(${IN_PAGE})(${JSON.stringify(texts)})`);
