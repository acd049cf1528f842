import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** Draws a plot without a browser. */
export async function renderSvg(specification: TopLevelSpec): Promise<string> {
  const view = new vega.View(vega.parse(compile(specification).spec), { renderer: "none" });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
