import { cellText, filtered, sorted, type Column, type Order } from "../../src/report/report-view.js";
import { element } from "../element.js";

const MOST_ROWS = 1000;

/** A table that its headers sort, and a field filters. */
export class SortableTable<Row> {
  readonly node: HTMLElement;
  readonly #rows: readonly Row[];
  readonly #columns: readonly Column<Row>[];
  readonly #body = element("tbody");
  readonly #headers: readonly HTMLElement[];
  readonly #note = element("p", { class: "faint", role: "status" });
  #order: Order = { column: 0, descending: false };
  #filter = "";

  constructor(caption: string, rows: readonly Row[], columns: readonly Column<Row>[]) {
    this.#rows = rows;
    this.#columns = columns;
    this.#headers = columns.map(({ name }, column) => {
      const sort = element("button", { type: "button" }, name);
      sort.addEventListener("click", () => this.#sort(column));
      return element("th", { scope: "col" }, sort);
    });
    const filter = element("input", { type: "search", placeholder: "filter", "aria-label": `Filter: ${caption}` });
    filter.addEventListener("input", () => {
      this.#filter = filter.value;
      this.#draw();
    });
    const table = element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...this.#headers)),
      this.#body,
    );
    const scroller = element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": caption }, table);
    this.node = element("section", {}, filter, scroller, this.#note);
    this.#draw();
  }

  #sort(column: number): void {
    const descending = this.#order.column === column ? !this.#order.descending : false;
    this.#order = { column, descending };
    this.#draw();
  }

  #draw(): void {
    const { column, descending } = this.#order;
    this.#headers.forEach((header, i) => {
      header.setAttribute("aria-sort", i !== column ? "none" : descending ? "descending" : "ascending");
    });
    const rows = sorted(filtered(this.#rows, this.#columns, this.#filter), this.#columns, this.#order);
    this.#body.replaceChildren(...rows.slice(0, MOST_ROWS).map((row) => this.#row(row)));
    const more = rows.length > MOST_ROWS ? `, the first ${MOST_ROWS} shown` : "";
    this.#note.textContent = `${rows.length} of ${this.#rows.length} rows${more}`;
  }

  #row(row: Row): HTMLElement {
    const cells = this.#columns.map((column) => {
      const isNumber = typeof column.value(row) === "number";
      return element("td", isNumber ? { class: "numeric" } : {}, cellText(column, row));
    });
    return element("tr", {}, ...cells);
  }
}
