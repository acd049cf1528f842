// The first rank of two programs: this one and python-peer.py, in one MPI_COMM_WORLD of Open MPI:
// mpirun -n 1 node packages/mpi-bridge/examples/python-peer.mjs : -n 1 /usr/bin/python3
// packages/mpi-bridge/examples/python-peer.py
import { predefined, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";

const { world } = openMpi();
const matrix = Float64Array.from({ length: 16 }, (_, i) => i);
const diagonal = { buffer: matrix, datatype: vector(4, 1, 5, predefined("MPI_DOUBLE")), count: 1 };

world.send(diagonal, 1, { tag: 7 });
const doubled = new Float64Array(4);
const { tag, sizeBytes } = world.recv(doubled, 1);
console.log(`Node: Python sent ${doubled.join(" ")} back: ${sizeBytes} bytes with tag ${tag}`);
