/** Runs a TypeScript file of the project: `node src/cli/run.mjs FILE [ARGUMENT…]`. */
import { dirname, resolve } from 'node:path';
import { load } from './load.mjs';

const entry = resolve(process.argv[2] ?? '');
process.argv.splice(1, 2, entry); // as if Node.js had run the file itself
await load(`import ${JSON.stringify(entry)};`, dirname(entry));
