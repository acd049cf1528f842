// Every part in one start: a start costs a second or two.
import { check, equal, mpi, report, world } from "./checks.mjs";
import "./point-to-point.mjs";
import "./nonblocking.mjs";
import "./communicators.mjs";
import "./collectives.mjs";
import "./reductions.mjs";
import "./mailbox.mjs";
import "./external32.mjs";
import "./terms.mjs";
import "./routes.mjs";

// Once those before it are over: ranks must not call blocking collectives while framed messages are under way.
await import("./framed.mjs");

world.barrier();
check("nothing is under way at the end", () => equal(mpi.underWay, 0));
report();
