// A module and all that it imports as one script for pages, from the sources, so that it needs no build before.
import { rolldown } from "rolldown";

/** A page has neither Node nor native code: what would call them says so, and the rest of its package works. */
const withoutNode = {
  name: "without-node",
  resolveId: (id) => (/^(node:|koffi$)/.test(id) ? "\0absent" : undefined),
  load: (id) =>
    id === "\0absent"
      ? `const absent = () => () => { throw new Error("no native code in a page"); };
         export const createRequire = absent, isMainThread = true;
         export default { struct: () => {}, array: () => {}, load: absent() };`
      : undefined,
};

const DISPOSE = `Symbol.dispose ??= Symbol.for("Symbol.dispose");`;

export async function scriptOf(file, name) {
  const bundle = await rolldown({
    input: file,
    platform: "browser",
    resolve: { conditionNames: ["@stowage/source", "browser", "import"] },
    plugins: [withoutNode],
    // `using` is newer than many browsers.
    transform: { define: { "import.meta": "{}" }, target: "es2022" },
    logLevel: "warn",
  });
  const { output } = await bundle.generate({
    format: "iife",
    name,
    banner: DISPOSE,
    minify: true,
    codeSplitting: false,
  });
  await bundle.close();
  // An end tag in a string would end the script element.
  return output[0].code.replaceAll("</script", "<\\/script");
}
