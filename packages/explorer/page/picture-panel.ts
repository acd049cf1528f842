import { bytesOf } from "../src/picture/cells.js";
import { pitchedView, within, zoomed, type View } from "../src/picture/view.js";
import type { Link, Opened, Picture } from "../src/worker/protocol.js";
import { BytePicture } from "./byte-picture.js";
import type { Client } from "./client.js";
import { button, element } from "./element.js";
import { PackedStrip } from "./packed-strip.js";

/** Who wants to know what the picture shows. */
export interface PictureListener {
  /** Undefined: all of it. */
  readonly onView: (view: View | undefined) => void;
  readonly onLink: (link: Link | undefined) => void;
}

/** The picture of the bytes and the packed stream below it: linked, zoomed and moved by pointer and by keys. */
export class PicturePanel {
  readonly node: HTMLElement;
  readonly #client: Client;
  readonly #listener: PictureListener;
  readonly #picture: BytePicture;
  readonly #strip: PackedStrip;
  readonly #pitch = element("select", { "aria-label": "Bytes in a row" });
  readonly #scale = element("span", { class: "faint" });
  readonly #readout = element("p", { class: "readout", role: "status" });
  #opened: Opened | undefined;
  #shownPicture: Picture | undefined;
  #totalBytes = 0;
  #cursor = 0;

  constructor(client: Client, listener: PictureListener) {
    this.#client = client;
    this.#listener = listener;
    const canvas = element("canvas", {
      class: "bytes",
      tabindex: 0,
      role: "application",
      "aria-label": "Picture of the bytes. Arrow keys move, plus and minus zoom, 0 shows all of it",
    });
    const strip = element("canvas", { class: "strip", role: "img", "aria-label": "The packed stream" });
    this.#picture = new BytePicture(canvas);
    this.#strip = new PackedStrip(strip);
    const tools = element(
      "div",
      { class: "tools" },
      button("−", "Zoom out", () => this.#zoom(2)),
      button("+", "Zoom in", () => this.#zoom(0.5)),
      button("All", "All of it", () => void this.#draw(undefined)),
      element("label", {}, "row ", this.#pitch),
      this.#scale,
    );
    const packed = element("div", { class: "packed" }, element("span", { class: "faint" }, "packed"), strip);
    this.node = element("div", { class: "picture" }, tools, canvas, packed, this.#readout);
    this.#listen(canvas, strip);
  }

  get room() {
    return this.#picture.room;
  }

  show(opened: Opened, totalBytes: number): void {
    this.#opened = opened;
    this.#totalBytes = totalBytes;
    this.#pitch.replaceChildren(
      element("option", { value: "" }, "automatic"),
      ...opened.pitches.map((pitch) => element("option", { value: pitch }, `${pitch} B`)),
    );
    this.#showPicture(opened.picture);
    this.#say(undefined);
  }

  /** Again in the room and the colours that there are now. */
  redraw(): void {
    if (this.#shownPicture !== undefined) void this.#draw(this.#isFit ? undefined : this.#shownPicture.view);
    this.#strip.draw();
  }

  /** Marks every byte of a node; undefined: none. */
  async markNode(path: string | undefined): Promise<void> {
    const packed = this.#shownPicture?.cells.packed;
    const node =
      path === undefined || packed === undefined ? undefined : await this.#client.ask("cellsOfNode", path, packed);
    if (this.#shownPicture?.cells.packed === packed) this.#picture.mark({ node });
  }

  #isFit = true;

  #showPicture(picture: Picture): void {
    const opened = this.#opened as Opened;
    this.#shownPicture = picture;
    this.#isFit = JSON.stringify(picture.view) === JSON.stringify(opened.fit);
    const { pitchBytes, bytesPerCell } = picture.view;
    const about = picture.exact ? "" : "; overlapping blocks, estimated";
    this.#scale.textContent = `${pitchBytes.toLocaleString("en")} B a row, ${bytesPerCell.toLocaleString("en")} B a cell${about}`;
    this.#cursor = Math.min(this.#cursor, picture.cells.filled.length - 1);
    this.#picture.show(picture, opened.shown, this.#totalBytes);
    this.#strip.mark(undefined);
  }

  async #draw(view: View | undefined): Promise<void> {
    const { fit } = this.#opened ?? {};
    if (fit === undefined) return;
    this.#showPicture(await this.#client.ask("draw", view ?? fit, this.room));
    this.#listener.onView(view);
  }

  #zoom(factor: number): void {
    if (this.#opened === undefined || this.#shownPicture === undefined) return;
    const { view, cells } = this.#shownPicture;
    const { fit, shown, pitches } = this.#opened;
    const bytesPerCell = Math.max(1, factor < 1 ? Math.ceil(view.bytesPerCell * factor) : view.bytesPerCell * factor);
    if (factor > 1 && bytesPerCell >= fit.bytesPerCell) return void this.#draw(undefined);
    const anchor = { row: Math.floor(this.#cursor / cells.columns), column: this.#cursor % cells.columns };
    void this.#draw(zoomed(view, bytesPerCell, anchor, shown, pitches, this.room));
  }

  #scroll(rows: number, cells: number): void {
    if (this.#opened === undefined || this.#shownPicture === undefined) return;
    const { view } = this.#shownPicture;
    const firstByte = view.firstByte + cells * view.bytesPerCell;
    const moved = within({ ...view, firstRow: view.firstRow + rows, firstByte }, this.#opened.shown, this.room);
    if (moved.firstRow !== view.firstRow || moved.firstByte !== view.firstByte) void this.#draw(moved);
  }

  #listen(canvas: HTMLCanvasElement, strip: HTMLCanvasElement): void {
    canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
      const cell = this.#picture.cellUnder(offsetX, offsetY);
      if (cell !== undefined) void this.#point(cell);
    });
    canvas.addEventListener("pointerleave", () => this.#leave());
    canvas.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    strip.addEventListener("pointermove", ({ offsetX }) => void this.#pointPacked(offsetX / strip.clientWidth));
    strip.addEventListener("pointerleave", () => this.#leave());
    this.#pitch.addEventListener("change", () => {
      const pitch = Number(this.#pitch.value);
      void this.#draw(pitch === 0 ? undefined : pitchedView(pitch, this.room));
    });
  }

  #wheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const cell = this.#picture.cellUnder(event.offsetX, event.offsetY);
      if (cell !== undefined) this.#cursor = cell;
      this.#zoom(event.deltaY < 0 ? 0.5 : 2);
    } else if (!this.#isFit) {
      event.preventDefault();
      this.#scroll(Math.sign(event.deltaY) * 3, Math.sign(event.deltaX) * 4);
    }
  }

  #key(event: KeyboardEvent): void {
    const { cells } = this.#shownPicture ?? {};
    if (cells === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.#step(0, -1),
      ArrowRight: () => this.#step(0, 1),
      ArrowUp: () => this.#step(-1, 0),
      ArrowDown: () => this.#step(1, 0),
      PageUp: () => this.#scroll(-cells.rows, 0),
      PageDown: () => this.#scroll(cells.rows, 0),
      "+": () => this.#zoom(0.5),
      "=": () => this.#zoom(0.5),
      "-": () => this.#zoom(2),
      "0": () => void this.#draw(undefined),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  }

  #step(rows: number, columns: number): void {
    const { cells } = this.#shownPicture as Picture;
    const [row, column] = [Math.floor(this.#cursor / cells.columns) + rows, (this.#cursor % cells.columns) + columns];
    if (row < 0 || row >= cells.rows || column < 0 || column >= cells.columns) return this.#scroll(rows, columns);
    void this.#point(row * cells.columns + column);
  }

  async #point(cell: number): Promise<void> {
    this.#cursor = cell;
    const { view, cells } = this.#shownPicture as Picture;
    const { shown } = this.#opened as Opened;
    const { from, end } = bytesOf(view, shown, Math.floor(cell / cells.columns), cell % cells.columns);
    this.#picture.mark({ cell });
    const link = await this.#client.ask("linkOfBytes", from, end);
    if (this.#cursor !== cell) return;
    this.#picture.mark({ cell, addressBytes: link?.addressBytes });
    this.#strip.mark(link && link.packedByte / this.#totalBytes);
    this.#say(link, `bytes ${from.toLocaleString("en")} to ${(end - 1).toLocaleString("en")}`);
    this.#listener.onLink(link);
  }

  async #pointPacked(share: number): Promise<void> {
    if (this.#opened === undefined || this.#totalBytes === 0) return;
    const link = await this.#client.ask("linkOfPacked", share * this.#totalBytes);
    this.#strip.mark(link.packedByte / this.#totalBytes);
    this.#picture.mark({ addressBytes: link.addressBytes });
    this.#say(link);
    this.#listener.onLink(link);
  }

  #leave(): void {
    this.#picture.mark({});
    this.#strip.mark(undefined);
    this.#say(undefined);
    this.#listener.onLink(undefined);
  }

  #say(link: Link | undefined, cell?: string): void {
    if (link === undefined) this.#readout.textContent = cell === undefined ? HINT : `${cell}: nothing moves`;
    else {
      const { addressBytes, packedByte, element: nth, path } = link;
      const texts = path.map(({ kind, copy }) => (copy === undefined ? kind : `${kind} [${copy}]`));
      const leftOut = texts.length - 2 * MOST_STEPS;
      const steps = [...texts.slice(0, MOST_STEPS), `… ${leftOut} more …`, ...texts.slice(-MOST_STEPS)];
      const numbers = `byte ${addressBytes.toLocaleString("en")} is packed byte ${packedByte.toLocaleString("en")}`;
      this.#readout.textContent = `${numbers}, element ${nth.toLocaleString("en")}: ${(leftOut > 0 ? steps : texts).join(" › ")}`;
    }
  }
}

/** Nodes that are named of those a byte is in, outermost and innermost ones: a line has room for as many. */
const MOST_STEPS = 6;
const HINT = "Point at a byte, at the packed stream or at a node. With the keyboard: arrows, + and −, 0.";
