// What loadMpi says of a library, in a process of its own: no two MPIs can share one.
import { loadMpi } from "@stowage/mpi-abi";

try {
  const { name, abi } = loadMpi(process.argv[2]);
  console.log(`${name}, ${abi.isStandard ? "the standard's ABI" : "its own ABI"}`);
} catch (error) {
  console.log(error.message.slice(error.message.indexOf(": ") + 2));
}
process.exit(0);
