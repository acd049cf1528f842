import { PointToPoint } from "./point-to-point.js";

/** @internal */
export class Collectives extends PointToPoint {
  /** Returns once all ranks have called it (MPI_Barrier). */
  barrier(): void {
    this.context.native.call("MPI_Barrier", this.handle);
  }
}
