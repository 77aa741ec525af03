/** Tasks to run after the click that ends the current press. */
const waiting = new Set<() => void>();
let pressed = false;
let release: ReturnType<typeof setTimeout> | undefined;
let watching = false;

/**
 * Runs a task that may shift the layout: immediately, or after the click if a pointer is down. A shift between press and release would move the
 * pressed control away from the pointer, and the browser would dispatch no click to it.
 */
export function afterPress(task: () => void): void {
  if (pressed) waiting.add(task);
  else task();
}

/** Starts to observe pointer presses, once per page. Does nothing on a server. */
export function watchPresses(): void {
  if (watching || typeof document === 'undefined') return;
  watching = true;
  const listen = (types: readonly string[], listener: () => void) =>
    types.forEach((type) => document.addEventListener(type, listener, { capture: true, passive: true }));
  listen(['pointerdown', 'mousedown'], begin);
  // After a tap, mousedown, mouseup and click follow the pointer events. A key, a context menu or a drag ends a press whose release event is lost.
  listen(['pointerup', 'pointercancel', 'mouseup', 'contextmenu', 'dragend', 'keydown'], end);
}

function begin(): void {
  clearTimeout(release);
  pressed = true;
}

function end(): void {
  clearTimeout(release);
  release = setTimeout(() => {
    pressed = false;
    const tasks = [...waiting];
    waiting.clear();
    for (const task of tasks) task();
  }); // runs after the click, which the browser dispatches first
}
