// SPDX-License-Identifier: Apache-2.0
// Many lines, drawn into a picture piece by piece; meanwhile the last whole picture is shown where the view is now.

const kPiece = 1500; // lines between looks at the clock

/** Draws lines 0 to count - 1 by `draw(context, view, first, end)`, later ones above earlier ones. */
export class Raster {
  #shown; // {canvas, view, ratio}, whole
  #next; // the same, with `done` lines so far
  #spare;

  /** Forgets all pictures: what is drawn has changed. */
  clear() {
    this.#shown = this.#next = undefined;
  }

  /** Works on the picture of a view for some milliseconds. Returns whether there is more to do. */
  work(view, ratio, count, draw, milliseconds) {
    if (same(this.#shown, view, ratio) && !this.#next) return false;
    // A picture that is begun is finished, wherever the view goes: else nothing would be seen of long moves.
    this.#next ??= this.#begin(view, ratio);
    const { context } = this.#next;
    const until = performance.now() + milliseconds;
    do {
      const end = Math.min(count, this.#next.done + kPiece);
      draw(context, this.#next.view, this.#next.done, end);
      context.getImageData(0, 0, 1, 1); // what is asked for is drawn now, not when the frame is due
      this.#next.done = end;
    } while (this.#next.done < count && performance.now() < until);
    if (this.#next.done < count) return true;
    this.#spare = this.#shown?.canvas;
    this.#shown = this.#next;
    this.#next = undefined;
    return !same(this.#shown, view, ratio);
  }

  /** Shows the last whole picture, or what there is of the first, moved to a view. */
  show(context, view) {
    const picture = this.#shown ?? this.#next;
    if (!picture) return;
    const scale = view.k / picture.view.k;
    const [x, y] = [view.x - picture.view.x * scale, view.y - picture.view.y * scale];
    context.drawImage(picture.canvas, x, y, picture.view.width * scale, picture.view.height * scale);
  }

  #begin(view, ratio) {
    const canvas = this.#spare ?? document.createElement('canvas');
    this.#spare = undefined;
    canvas.width = view.width * ratio;
    canvas.height = view.height * ratio;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineCap = 'butt';
    return { canvas, context, view: { ...view }, ratio, done: 0 };
  }
}

function same(picture, view, ratio) {
  return picture !== undefined && picture.ratio === ratio && ['k', 'x', 'y', 'width', 'height'].every((key) => picture.view[key] === view[key]);
}
