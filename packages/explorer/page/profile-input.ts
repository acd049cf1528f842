import type { ProfileFile } from "../src/gpu/profile-in-use.js";
import { button, element } from "./element.js";

/** A profile has some kilobytes of figures. */
const MOST_BYTES = 1_000_000;

/**
 * Which machine's figures are in use, and what another profile is given by. `use` applies a profile, undefined the
 * shipped figures; it returns in one line what is wrong with it, and then the last good one stays.
 */
export class ProfileInput {
  readonly node: HTMLElement;
  readonly #use: (file: ProfileFile | undefined) => Promise<string | undefined>;
  readonly #about = element("p", { class: "readout", role: "status", "aria-label": "Profile in use" });
  readonly #fault = element("p", { class: "fault", role: "alert", "aria-label": "What is wrong with the profile" });
  #inUse: ProfileFile | undefined;

  constructor(use: (file: ProfileFile | undefined) => Promise<string | undefined>) {
    this.#use = use;
    const file = element("input", { type: "file", accept: ".json,application/json" });
    file.addEventListener("change", () => {
      void this.#read(file.files?.[0]);
      // A file that is chosen again once it has changed must count as a change.
      file.value = "";
    });
    const label = element("label", { class: "faint" }, "Profile of a machine (a file, or dropped here): ", file);
    const shipped = button("Shipped figures", "predict by these", () => void this.#try(undefined));
    this.node = element("div", {}, element("div", { class: "tools" }, label, shipped), this.#about, this.#fault);
  }

  /** Takes files that are dropped on an element. */
  takeDrops(target: HTMLElement): void {
    target.addEventListener("dragover", (event) => event.preventDefault());
    target.addEventListener("drop", (event) => {
      event.preventDefault();
      void this.#read(event.dataTransfer?.files[0]);
    });
  }

  /** Applies what is in use once more. */
  apply(): Promise<void> {
    return this.#try(this.#inUse);
  }

  about(text: string): void {
    this.#about.textContent = text;
  }

  async #read(file: File | undefined): Promise<void> {
    if (file === undefined) return this.#complain("profile: expected a file, got none");
    const { name, size } = file;
    if (size > MOST_BYTES) return this.#complain(`profile ${name}: expected at most ${MOST_BYTES} bytes, got ${size}`);
    const text = await file.text().catch(() => undefined);
    if (text === undefined) return this.#complain(`profile ${name}: expected a file that can be read, got none`);
    await this.#try({ name, text }).catch((error: unknown) => this.#complain((error as Error).message));
  }

  async #try(file: ProfileFile | undefined): Promise<void> {
    const fault = await this.#use(file);
    this.#complain(fault ?? "");
    if (fault === undefined) this.#inUse = file;
  }

  #complain(text: string): void {
    this.#fault.textContent = text;
  }
}
