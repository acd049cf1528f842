// Every part in one start: a start costs a second or two.
import { check, equal, mpi, report, world } from "./checks.mjs";
import "./point-to-point.mjs";
import "./nonblocking.mjs";
import "./communicators.mjs";
import "./collectives.mjs";
import "./mailbox.mjs";
import "./external32.mjs";
import "./terms.mjs";
import "./routes.mjs";
import "./explain.mjs";

// Once those before are over: modules that await go on side by side, and ranks must call collectives in one order.
await import("./reductions.mjs");
// And blocking ones not while framed messages are under way.
await import("./framed.mjs");
await import("./framed.mjs?carrier=ipc");

world.barrier();
check("nothing is under way at the end", () => equal(mpi.underWay, 0));
report();
