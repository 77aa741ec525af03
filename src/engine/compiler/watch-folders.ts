import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { watch } from 'chokidar';

/** Editors write a file in several steps, and a checkout many files: wait until they are done. */
const settleMs = 60;
/** How often the files are looked at whether the watcher reports a change or not: a look at 500 files takes 25 ms of CPU. */
const defaultLookMs = 10_000;

/** Folders that are being watched. */
export interface FolderWatch {
  /** Calls `onChange` after changes, one call at a time, for those since the watch began too; a change during a call brings one more after it. */
  start(onChange: () => Promise<void>): void;
  close(): Promise<void>;
}

/**
 * Watches some folders and all below, also those that come later. What is read once it answers misses no change. (`fs.watch` does not
 * do: on Node 20 its recursive mode goes deaf to a file that was replaced by a rename, as most editors and git save.) The watcher of
 * many files at once may lose one, as in a checkout, and hears nothing on some network drives: so a look at times and sizes goes with it.
 * Files that `isRead` leaves out are not watched.
 */
export async function watchFolders(
  folders: readonly string[],
  isRead: (path: string) => boolean = () => true,
  lookMs = defaultLookMs,
): Promise<FolderWatch> {
  let listener = () => Promise.resolve();
  let begin: () => void = () => undefined;
  let running = new Promise<void>((resolve) => (begin = resolve));
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  /** A call waits for the one that runs. */
  let queued = false;
  const watcher = watch([...folders], {
    ignoreInitial: true,
    persistent: false,
    ignored: (path) => !isRead(path),
  });
  watcher.on('error', (error) => process.emitWarning(`Changes of files may go unseen: ${String(error)}`));
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  let seen = await listing(folders, isRead);
  const call = async (): Promise<void> => {
    queued = false;
    seen = await listing(folders, isRead); // before they are read: a change meanwhile differs from it
    await listener();
  };
  const changed = (): void => {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(() => {
      queued = true;
      running = running.then(call, call);
    }, settleMs);
    timer.unref();
  };
  const look = async (): Promise<void> => {
    if (!queued && (await listing(folders, isRead)) !== seen) changed();
  };
  watcher.on('all', changed);
  const looking = setInterval(() => void look(), lookMs).unref();
  return {
    start(onChange) {
      listener = onChange;
      begin();
    },
    async close() {
      closed = true;
      clearInterval(looking);
      clearTimeout(timer);
      await watcher.close();
      begin();
      await running;
    },
  };
}

/** Every file that is read with its size, its time and its place on the disk. */
async function listing(folders: readonly string[], isRead: (path: string) => boolean): Promise<string> {
  const lists = await Promise.all(
    folders.map((folder) =>
      readdir(folder, { recursive: true }).then(
        (names) => names.map((name) => join(folder, name)),
        () => [],
      ),
    ),
  );
  const lines = await Promise.all(
    lists
      .flat()
      .filter(isRead)
      .sort()
      .map((file) =>
        stat(file).then(
          ({ size, mtimeMs, ino }) => `${file} ${size} ${mtimeMs} ${ino}`,
          () => file,
        ),
      ),
  );
  return lines.join('\n');
}
