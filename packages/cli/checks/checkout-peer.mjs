// One contender of against-checkout.mjs, in a process of its own: x64 of the checkout that it is told, under the name
// that it is told.
import { servePeer } from "@stowage/bench/peers";
import { printDatatypeText } from "@stowage/ir";
import { join } from "node:path";

await servePeer(async ({ title, checkout }) => {
  const built = (path) => import(join(checkout, path));
  const [{ enginePeer }, { parseDatatypeText }] = await Promise.all([
    built("packages/cli/dist/peers/engine-peer.js"),
    built("packages/ir/dist/index.js"),
  ]);
  const own = (datatype) => parseDatatypeText(printDatatypeText(datatype));
  const peer = enginePeer("x64");
  const open = (cell) => {
    const opened = peer.open({ ...cell, datatype: own(cell.datatype) });
    const named = ({ name, ...variant }) => ({ ...variant, name: name.replace("x64", title) });
    return { ...opened, variants: opened.variants.map(named), [Symbol.dispose]: () => opened[Symbol.dispose]() };
  };
  return { ...peer, name: title, open, create: (datatype) => peer.create(own(datatype)) };
});
