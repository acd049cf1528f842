import { timeText } from "../src/report/report-view.js";
import type { PredictedTime } from "../src/gpu/predicted-times.js";
import type { ProfileFile } from "../src/gpu/profile-in-use.js";
import type { DrawnAccess, KernelAccesses } from "../src/gpu/warp-accesses.js";
import type { Client } from "./client.js";
import { button, element } from "./element.js";
import { ProfileInput } from "./profile-input.js";
import type { Panel } from "./steps-panels.js";
import { warpPicture } from "./warp-picture.js";

/** The warp accesses of a simulated kernel, one at a time, and what each backend's cost model predicts. */
export function gpuPanel(client: Client): Panel {
  const kernels = element("select", { "aria-label": "Kernel" });
  const which = element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Access, in order" });
  const summary = element("p", { class: "faint" });
  const about = element("p", { class: "readout", role: "status" });
  const picture = element("div", { class: "warp" });
  const times = element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Predicted times" });
  const profile = new ProfileInput((file) => predict(file));
  let found: readonly KernelAccesses[] = [];

  const chosen = (): KernelAccesses | undefined => found.find(({ backend }) => backend === kernels.value);
  const draw = (): void => {
    const kernel = chosen();
    const access = kernel?.accesses[Number(which.value)];
    about.textContent = access === undefined ? (kernel?.reason ?? "") : accessText(access, Number(which.value), kernel);
    picture.replaceChildren(...(access === undefined ? [] : [warpPicture(access)]));
  };
  const pick = (): void => {
    const kernel = chosen();
    which.max = String(Math.max(0, (kernel?.accesses.length ?? 1) - 1));
    which.value = "0";
    summary.textContent = kernel === undefined || kernel.reason !== undefined ? "" : countersText(kernel);
    draw();
  };
  const predict = async (file: ProfileFile | undefined): Promise<string | undefined> => {
    const predicted = await client.ask("predicted", file);
    if (typeof predicted === "string") return predicted;
    profile.about(predicted.about);
    times.replaceChildren(timesTable(predicted.times));
    return undefined;
  };
  const move = (by: number): void => {
    which.value = String(Number(which.value) + by);
    draw();
  };
  kernels.addEventListener("change", pick);
  which.addEventListener("input", draw);
  const show = async (): Promise<void> => {
    found = await client.ask("warpAccesses");
    const usual = found.find(({ reason }) => reason === undefined)?.backend;
    kernels.replaceChildren(...found.map(({ backend }) => element("option", { selected: backend === usual }, backend)));
    pick();
    await profile.apply();
  };
  const tools = element(
    "div",
    { class: "tools" },
    kernels,
    button("Back", "one access", () => move(-1)),
    button("Next", "access", () => move(1)),
    which,
  );
  const node = element(
    "div",
    { class: "steps" },
    ...[tools, summary, picture, about],
    element("h3", {}, "Predicted times of packing all elements"),
    profile.node,
    times,
  );
  profile.takeDrops(node);
  return { node, show };
}

function countersText({ loads, stores }: KernelAccesses): string {
  const side = (name: string, { requests, bytes, sectors, lines }: KernelAccesses["loads"]): string =>
    `${name}: ${requests} warp accesses, ${sectors} sectors, ${lines} cache lines; the sectors hold ${32 * sectors} B, lanes ask for ${bytes} B`;
  return `One element packed on a simulated GPU. ${side("Loads", loads)}. ${side("Stores", stores)}.`;
}

const share = (bytes: number, sectors: number): string =>
  sectors === 0 ? "none" : `${Math.min(100, Math.round((100 * bytes) / (32 * sectors)))} %`;

function accessText(access: DrawnAccess, index: number, kernel: KernelAccesses | undefined): string {
  const { writes, memory, laneBytes, lanes, sectors } = access;
  const lines = new Set(sectors.map((sector) => Math.floor(sector / 4))).size;
  const verb = writes ? "store" : "load";
  const places = new Set(lanes.map(({ offsetBytes }) => offsetBytes)).size;
  const used = share(places * laneBytes, sectors.length);
  return `access ${index + 1} of the first ${kernel?.accesses.length}: ${verb} of ${laneBytes} bytes a lane by ${lanes.length} lanes, ${memory}; ${sectors.length} sectors in ${lines} cache lines, ${used} of them used`;
}

function timesTable(rows: readonly PredictedTime[]): HTMLElement {
  const cells = rows.map(({ memory, backend, runNs, commitNs, reason }) =>
    element(
      "tr",
      {},
      element("td", {}, `${memory} memory`),
      element("td", {}, backend),
      element("td", { class: "numeric" }, runNs === undefined ? "-" : timeText(runNs)),
      element("td", { class: "numeric" }, commitNs === undefined ? "-" : timeText(commitNs)),
      element("td", {}, reason ?? ""),
    ),
  );
  const heads = ["data in", "backend", "a call", "a commit", ""].map((name) => element("th", { scope: "col" }, name));
  return element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...cells));
}
