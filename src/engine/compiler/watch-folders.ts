import { watch } from 'chokidar';

/** Editors write a file in several steps, and a checkout many files: wait until they are done. */
const settleMs = 60;

/** Folders that are being watched. */
export interface FolderWatch {
  /** Calls `onChange` after changes, one call at a time, for those since the watch began too; a change during a call brings one more after it. */
  start(onChange: () => Promise<void>): void;
  close(): Promise<void>;
}

/**
 * Watches some folders and all below, also those that come later. What is read once it answers misses no change. (`fs.watch` does not
 * do: on Node 20 its recursive mode goes deaf to a file that was replaced by a rename, as most editors and git save.)
 */
export async function watchFolders(folders: readonly string[]): Promise<FolderWatch> {
  let listener = () => Promise.resolve();
  let begin: () => void = () => undefined;
  let running = new Promise<void>((resolve) => (begin = resolve));
  let timer: NodeJS.Timeout | undefined;
  const call = () => listener();
  const watcher = watch([...folders], { ignoreInitial: true, persistent: false });
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(() => (running = running.then(call, call)), settleMs);
    timer.unref();
  });
  watcher.on('error', (error) => process.emitWarning(`Changes of files may go unseen: ${String(error)}`));
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return {
    start(onChange) {
      listener = onChange;
      begin();
    },
    async close() {
      clearTimeout(timer);
      await watcher.close();
      begin();
      await running;
    },
  };
}
