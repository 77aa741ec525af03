import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchFolders, type FolderWatch } from '../../src/engine/compiler/open-live-definitions.ts';

// Simulates a watcher without events, as on a network drive.
vi.mock('chokidar', () => ({
  watch: () => {
    const watcher = Object.assign(new EventEmitter(), { close: () => Promise.resolve() });
    setImmediate(() => watcher.emit('ready'));
    return watcher;
  },
}));

const lookMs = 500;

let folder: string;
let watching: FolderWatch;
let changes: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-watch-'));
  await writeFile(join(folder, 'a.json'), '1');
  changes = 0;
  watching = await watchFolders([folder, join(folder, 'missing')], undefined, lookMs);
  watching.start(async () => void (changes += 1));
});
afterEach(async () => {
  await watching.close();
  await rm(folder, { recursive: true });
});
const seen = (count: number) => vi.waitFor(() => expect(changes).toBe(count), { timeout: 20_000, interval: 20 });

test('[ANA-01] watchFolders detects, once, a change for which the watcher has no event', async () => {
  await writeFile(join(folder, 'a.json'), '22');
  await seen(1);
  await writeFile(join(folder, 'new.json'), '33');
  await rename(join(folder, 'new.json'), join(folder, 'a.json'));
  await seen(2);
  await mkdir(join(folder, 'below'));
  await seen(3);
  await writeFile(join(folder, 'below/b.json'), '1');
  await seen(4);
  await rm(join(folder, 'below'), { recursive: true });
  await seen(5);
  await new Promise((resolve) => setTimeout(resolve, 2.5 * lookMs));
  expect(changes).toBe(5);
});

test('[ANA-01] watchFolders reports changes during a reload once, after that reload', async () => {
  let finish: () => void = () => undefined;
  watching.start(() => {
    changes += 1;
    return changes > 1 ? Promise.resolve() : new Promise((resolve) => (finish = resolve));
  });
  await writeFile(join(folder, 'a.json'), '22');
  await seen(1);
  await writeFile(join(folder, 'a.json'), '333');
  await new Promise((resolve) => setTimeout(resolve, 3.5 * lookMs)); // waits for three polls of the watcher
  expect(changes).toBe(1);
  finish();
  await seen(2);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(changes, 'one reload for all changes').toBe(2);
});
