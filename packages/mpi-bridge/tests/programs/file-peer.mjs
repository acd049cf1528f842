// What file-peer.c does, from Node: file-peer.mjs write|read PATH ROUTE
import { vector } from "@stowage/ir";
import { double } from "./elements.mjs";
import { check, equal, mpi, rank, report, size, world } from "./checks.mjs";

const [act, path, route] = process.argv.slice(2);
check(`${act} by ${route}`, () => {
  const file = mpi.openFile(world, path, { mode: act === "write" ? "w" : "r", route });
  file.setView({ displacementBytes: 16 + 24 * rank, etype: double, filetype: vector(8, 3, 3 * size, double) });
  const expected = Float64Array.from({ length: 24 }, (_, i) => 1000 * rank + i);
  const values = act === "write" ? expected : new Float64Array(24);
  if (act === "write") file.writeAtAll(0, values);
  else file.readAtAll(0, values);
  file.close();
  equal(values, expected);
});
report();
