import { columnsAtOnce, columnsOf } from "../columns.js";
import { transposeOrder } from "../transpose-order.js";
import type { StreamRule } from "../stream-rule.js";

/**
 * Neighbouring columns of single elements: tiles of several columns through registers. Moved one by one, each element is a load
 * and a store, and each row's line is fetched for every column of it.
 */
export const transposedColumns: StreamRule = {
  name: "transposed columns",
  plan(context, { node, most }) {
    const columns = columnsOf(context, node.child, node.strideBytes);
    if (columns === undefined) return "children are no neighbouring columns of single elements";
    const counts = columnsAtOnce(context, columns).filter((children) => children <= most);
    if (counts.length === 0) return "fewer columns than a tile takes";
    return counts.map((children) => ({
      what: "columns",
      children,
      columns,
      order: transposeOrder(context, columns, children),
    }));
  },
};
