import { deviceExperiment, exchangeRow, KERNELS, ROUTES, routeVariables } from "../parts/device-programs.mjs";

export default deviceExperiment({
  name: "interposer-device-halo",
  question: "What does TEMPI's halo exchange between GPUs take through the interposer, beside kernels written by hand?",
  kind: "times",
  program: "device-halo",
  options: {
    ...KERNELS,
    ...ROUTES,
    points: { kind: "numbers", says: "edges of a rank's cube of floats", byDefault: [256] },
    ranks: { kind: "numbers", says: "ranks, which share the GPUs in turn", byDefault: [2] },
    times: { kind: "number", says: "exchanges of a turn", byDefault: 10 },
  },
  runs: ({ kernels, routes, points, ranks, times }, folder) =>
    routes.map((route) => {
      const variables = routeVariables(folder, route);
      const words = (edge) => [edge, times, ...(kernels === undefined ? [] : [kernels])];
      return {
        route,
        launches: points.flatMap((edge) => ranks.map((of) => ({ ranks: of, words: words(edge), variables }))),
      };
    }),
  rowsOf: (lines, run, isAlone) =>
    lines.map(({ halo, ranks, ...line }) =>
      exchangeRow(`halo26 of ${halo}^3 floats a rank, ${ranks} ranks`, line, run, isAlone),
    ),
});
