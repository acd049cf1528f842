// The two kernels of the benchmark, built by our own builder; the C program loads the same text.
import { buildKernel } from "@stowage/ptx";

/** Does nothing: what is left is the cost of launching. */
export const nothing = buildKernel("nothing", { parameters: { unused: "u64" } }, () => undefined);

/** Copies 16-byte words, a grid of any size striding over them. */
export const copyWords = buildKernel(
  "copy_words",
  { parameters: { target: "u64", source: "u64", words: "u64" }, maxThreads: 256 },
  (builder, { target, source, words }) => {
    const index = builder.variable("u64", builder.globalThread());
    const step = builder.gridThreads();
    builder.while(
      () => index.lt(words),
      () => {
        const offset = index.shl(4);
        const word = builder.loadVector("global", source.add(offset), { bits: 32, lanes: 4 });
        builder.store("global", target.add(offset), word, { bits: 32 });
        index.set(index.add(step));
      },
    );
  },
);
