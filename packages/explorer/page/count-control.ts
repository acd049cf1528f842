import { isCount } from "../src/link/state.js";
import { element } from "./element.js";

/** Counts that the slider stops at: each of the first, then about a quarter more each time. */
const STOPS: readonly number[] = Object.freeze(
  Array.from({ length: 61 }, (_, i) => (i < 16 ? i + 1 : Math.round(16 * 2 ** ((i - 15) / 3)))),
);

/** How many elements are shown: a slider for the eye, a field for any number. */
export class CountControl {
  readonly node: HTMLElement;
  readonly #slider = element("input", {
    type: "range",
    min: 0,
    max: STOPS.length - 1,
    step: 1,
    "aria-label": "Elements, by slider",
  });
  readonly #field = element("input", { type: "text", inputmode: "numeric", class: "number", "aria-label": "Elements" });

  constructor(onCount: (count: number) => void) {
    this.node = element("div", { class: "count" }, element("span", {}, "elements"), this.#slider, this.#field);
    this.#slider.addEventListener("input", () => {
      const count = STOPS[Number(this.#slider.value)] as number;
      this.#field.value = String(count);
      onCount(count);
    });
    this.#field.addEventListener("input", () => {
      const count = Number(this.#field.value.replaceAll(/[,_ ]/g, ""));
      const ok = isCount(count) && this.#field.value.trim() !== "";
      this.#field.setAttribute("aria-invalid", String(!ok));
      if (!ok) return;
      this.#moveSlider(count);
      onCount(count);
    });
  }

  show(count: number): void {
    this.#field.value = String(count);
    this.#field.setAttribute("aria-invalid", "false");
    this.#moveSlider(count);
  }

  #moveSlider(count: number): void {
    const stop = STOPS.findIndex((each) => each >= count);
    this.#slider.value = String(stop < 0 ? STOPS.length - 1 : stop);
  }
}
