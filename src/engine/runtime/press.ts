/** Tasks that wait for the click of the press that began. */
const waiting = new Set<() => void>();
let pressed = false;
let release: ReturnType<typeof setTimeout> | undefined;
let watching = false;

/**
 * Runs a task that may move the page: at once, or after the click if a pointer is down. Moving the page between press and release would take the
 * pressed link or control away from under the pointer, and the browser would send it no click.
 */
export function afterPress(task: () => void): void {
  if (pressed) waiting.add(task);
  else task();
}

/** Begins to watch presses, once a page. On a server there are none. */
export function watchPresses(): void {
  if (watching || typeof document === 'undefined') return;
  watching = true;
  const listen = (types: readonly string[], listener: () => void) =>
    types.forEach((type) => document.addEventListener(type, listener, { capture: true, passive: true }));
  listen(['pointerdown', 'mousedown'], begin);
  // Of a tap, mousedown, mouseup and click follow the pointer's events. A key, a menu or a drag ends a press whose release is lost.
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
  }); // the click is sent before the next task
}
