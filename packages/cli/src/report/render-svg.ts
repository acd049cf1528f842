import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { plotColours } from "./figures/palette.js";

/** Vega's own colours repeat from the eleventh series on; no plot of ours has as many as these. */
const MOST_SERIES = 64;
const CONFIG = { range: { category: [...plotColours(MOST_SERIES)] } };

/** Draws a plot without a browser, and without a word: what is wrong with a specification is a test's to find. */
export async function renderSvg(specification: TopLevelSpec): Promise<string> {
  const view = new vega.View(
    vega.parse(compile(specification, { config: CONFIG, logger: vega.logger(vega.Error) }).spec),
    {
      renderer: "none",
    },
  );
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
