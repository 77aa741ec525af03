import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { normalizePath } from 'vite';

/** Vite's defaults, which the setting would otherwise replace. */
const usual = ['.env', '.env.*', '*.{crt,pem,key,p12,pfx,cer,der}', '.npmrc', '.yarnrc.yml', '**/.git/**'];

/** Returns Vite's `server.fs.deny` for folders that the development server must never read, such as that of the keys. */
export function denyFolders(folders: readonly string[]): string[] {
  const found = folders.flatMap((folder) => [resolve(folder), realpathOf(resolve(folder))]);
  const literal = [...new Set(found)].map((path) => normalizePath(path).replace(/[[\]{}()*?!+@|\\]/g, '\\$&'));
  return [...usual, ...literal, ...literal.map((path) => `${path}/**`)];
}

/** Returns the path itself if the folder does not exist yet. */
function realpathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
