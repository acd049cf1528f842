// What experiments on routes between a GPU and the host share: their head, and who moves a cell's bytes.
import { copyRouteContender } from "@stowage/bench/device";
import { timesText } from "../dist/times-text.js";
import { backendOn, backendsOn, ofHarness, onGpu, predictedText, present, SIMULATED } from "./device.mjs";

/** An experiment whose `cells(gpu, given)` also hold the backends of the GPU, if not their own. */
export const routesExperiment = ({ options, trial, budgetMs, cells, contenders, ...own }) => ({
  ...{ ...own, kind: "moves" },
  options: { ...SIMULATED, ...options },
  trial: { simulated: true, ...trial },
  ...(budgetMs === undefined ? {} : { sampling: () => ({ budgetMs }) }),
  *cells(given, lab) {
    yield* onGpu(given, lab, function* (gpu) {
      const backends = backendsOn(gpu);
      for (const cell of cells(gpu, given)) yield { backends, ...cell };
    });
  },
  contenders: (cell, given) => present(contenders(cell, given)),
});

/** Backends by their names. `given`: conditions. */
export const backendsBy = (cell, names, given) =>
  Object.fromEntries(names.map((name) => [name, backendOn(cell, cell.backends.get(name), given)]));

/** The calls of the driver that do what a cell's datatype asks for. */
export const callsOn = (cell, route) =>
  Object.fromEntries(
    copyRouteContender(cell.gpu, cell.input, cell.cell, route).map((call) => [call.name, ofHarness(call, cell.cell)]),
  );

/** Times, and how near the contender that is predicted to take the least comes to the quickest. */
export const timesAndPredictions = (rows) => `${timesText(rows)}\n\n${predictedText(rows)}`;
