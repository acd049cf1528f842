import { createRequire } from "node:module";

/** Packages of others that draw plots: as many again as all else that the command needs, so they are optional. */
const DRAWING = ["vega", "vega-lite"] as const;

/** Throws one line where what draws plots is not installed. `resolve`: how modules are found from here. */
export function requireDrawing(
  subject: string,
  resolve: (name: string) => unknown = createRequire(import.meta.url).resolve,
): void {
  for (const name of DRAWING) {
    try {
      resolve(name);
    } catch (cause) {
      // There, and for import alone.
      if ((cause as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED") continue;
      const expected = `${DRAWING.join(" and ")}, which draw plots, to be installed`;
      throw new Error(`${subject}: expected ${expected}, got no ${name}: npm install ${DRAWING.join(" ")}`, { cause });
    }
  }
}
