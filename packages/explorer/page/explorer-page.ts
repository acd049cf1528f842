import { answer, answers } from "../src/worker/answers.js";
import type { Ask } from "../src/worker/protocol.js";
import { startPage } from "./app.js";

// One script is both the page and its worker: a page from a file may load no other, and a worker may be a copy of it.
if (typeof document === "undefined") {
  const questions = answers();
  addEventListener("message", ({ data }: MessageEvent<Ask>) => {
    const began = performance.now();
    const answered = answer(questions, data);
    postMessage({ answered, workMs: performance.now() - began });
  });
} else void startPage(document.currentScript?.textContent ?? "");
