import { existsSync, watch, type FSWatcher } from 'node:fs';

/** Editors write a file in several steps: wait until they are done. */
const settleMs = 60;

/** Calls `onChange` after changes below some folders, one call at a time; a change during a call brings one more after it. */
export function watchFolders(folders: readonly string[], onChange: () => Promise<void>): { close: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (running = running.then(onChange, onChange)), settleMs);
    timer.unref();
  };
  const watchers: FSWatcher[] = folders
    .filter((folder) => existsSync(folder))
    .map((folder) => watch(folder, { recursive: true, persistent: false }, changed));
  return {
    async close() {
      clearTimeout(timer);
      watchers.forEach((watcher) => watcher.close());
      await running;
    },
  };
}
