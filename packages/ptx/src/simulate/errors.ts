/** A simulated launch did what a GPU would fault on, or leave undefined. One line: kernel, where, expected, got. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
}
