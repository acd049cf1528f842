import { check, equal, mpi, report, world } from "./checks.mjs";
import "./windows.mjs";
import "./files.mjs";

world.barrier();
check("nothing is under way at the end", () => equal(mpi.underWay, 0));
report();
