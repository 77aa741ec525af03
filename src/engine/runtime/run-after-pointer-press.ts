const pendingTasks = new Set<() => void>();
let isPressed = false;
let release: ReturnType<typeof setTimeout> | undefined;
let isWatching = false;

/** Waits for the click while a pointer is down. A layout shift would move the control away, so that the browser would not dispatch the click. */
export function runAfterPointerPress(task: () => void): void {
  if (isPressed) pendingTasks.add(task);
  else task();
}

/** Starts to observe pointer presses, once per page. Does nothing on a server. */
export function observePointerPresses(): void {
  if (isWatching || typeof document === 'undefined') return;
  isWatching = true;
  const listen = (types: readonly string[], listener: () => void) =>
    types.forEach((type) => document.addEventListener(type, listener, { capture: true, passive: true }));
  listen(['pointerdown', 'mousedown'], startPress);
  // After a tap, mousedown, mouseup and click follow the pointer events. A key, a context menu or a drag ends a press without a release event.
  listen(['pointerup', 'pointercancel', 'mouseup', 'contextmenu', 'dragend', 'keydown'], endPress);
}

function startPress(): void {
  clearTimeout(release);
  isPressed = true;
}

function endPress(): void {
  clearTimeout(release);
  release = setTimeout(() => {
    isPressed = false;
    const tasks = [...pendingTasks];
    pendingTasks.clear();
    for (const task of tasks) task();
  }); // runs after the click event
}
