import { deviceExperiment, exchangeRow, KERNELS, ROUTES, routeVariables } from "../parts/device-programs.mjs";

/** Programs of before say nothing of their turns. */
const TURNS = 15;

export default deviceExperiment({
  name: "interposer-device",
  question: "What does a vector between two ranks' GPUs take through the interposer, beside kernels written by hand?",
  kind: "times",
  program: "device-ping-pong",
  options: { ...KERNELS, ...ROUTES, most: { kind: "bytes", says: "the greatest message", byDefault: [2 ** 22] } },
  runs: ({ kernels, routes, most: [most] }, folder) =>
    routes.map((route) => ({
      route,
      launches: [{ ranks: 2, words: [kernels, most], variables: routeVariables(folder, route) }],
    })),
  rowsOf: (lines, run, isAlone) =>
    lines.map(({ block, ...line }) =>
      exchangeRow(`vector of ${block}-byte blocks, one way`, { runs: TURNS, ...line }, run, isAlone),
    ),
});
