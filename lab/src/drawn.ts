import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** A plot as SVG, without a browser. */
export async function drawn(specification: object): Promise<string> {
  const { spec } = compile(specification as TopLevelSpec, { logger: vega.logger(vega.Error) });
  const view = new vega.View(vega.parse(spec), { renderer: "none" });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
