/** The error of a simulated launch that did what a GPU would fault on, or leave undefined. Its message is one line. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
}
