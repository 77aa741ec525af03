import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { normalizePath } from 'vite';

/** What Vite refuses by default: its own list is replaced by the setting. */
const usual = ['.env', '.env.*', '*.{crt,pem,key,p12,pfx,cer,der}', '.npmrc', '.yarnrc.yml', '**/.git/**'];

/** Vite's `server.fs.deny` for folders that the development server never reads from, such as that of the keys. */
export function denyFolders(folders: readonly string[]): string[] {
  const found = folders.flatMap((folder) => [resolve(folder), realpathOf(resolve(folder))]);
  const literal = [...new Set(found)].map((path) => normalizePath(path).replace(/[[\]{}()*?!+@|\\]/g, '\\$&'));
  return [...usual, ...literal, ...literal.map((path) => `${path}/**`)];
}

/** A folder may be a link, or not there yet. */
function realpathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
