import { currentTheme, orderColour } from "./colours.js";

/** The packed stream from its first byte to its last, and where in it the byte at hand is. */
export class PackedStrip {
  readonly canvas: HTMLCanvasElement;
  #share: number | undefined;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
  }

  /** Marks a share of the stream, [0, 1). */
  mark(share: number | undefined): void {
    this.#share = share;
    this.draw();
  }

  draw(): void {
    const context = this.canvas.getContext("2d");
    if (context === null) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    context.scale(devicePixelRatio, devicePixelRatio);
    for (let x = 0; x < width; x++) {
      context.fillStyle = `rgb(${orderColour(x / width).join(" ")})`;
      context.fillRect(x, 4, 1, height - 8);
    }
    if (this.#share === undefined) return;
    const { text } = currentTheme();
    context.fillStyle = text;
    context.fillRect(Math.min(width - 3, Math.max(0, this.#share * width - 1)), 0, 3, height);
  }
}
