import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** Draws a plot without a browser, and without a word: what is wrong with a specification is a test's to find. */
export async function renderSvg(specification: TopLevelSpec): Promise<string> {
  const view = new vega.View(vega.parse(compile(specification, { logger: vega.logger(vega.Error) }).spec), {
    renderer: "none",
  });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
