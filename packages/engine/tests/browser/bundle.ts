import { rolldown, type OutputChunk } from "rolldown";

/** The page's program and all that it imports, as one script that assigns its exports to `page`. */
export async function bundlePage(): Promise<OutputChunk> {
  const bundle = await rolldown({
    input: new URL("page.ts", import.meta.url).pathname,
    platform: "browser",
    resolve: { conditionNames: ["@stowage/source", "browser", "import"] },
  });
  const { output } = await bundle.generate({ format: "iife", name: "page" });
  await bundle.close();
  return output[0];
}
