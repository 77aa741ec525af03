/** Runs a TypeScript file of the project: `node src/cli/run.mjs FILE [ARGUMENT…]`. With --help, prints only FILE's `.help.txt`. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createRunSource, importSource } from './load.mjs';

const entry = resolve(process.argv[2] ?? '');
const help = entry.replace(/\.ts$/, '.help.txt');
const asksForHelp = process.argv.slice(3).some((word) => word === '--help' || word === '-h');
if (asksForHelp && existsSync(help)) process.stdout.write(readFileSync(help));
else {
  process.argv.splice(1, 2, entry); // removes run.mjs from the arguments, as if Node.js had run FILE directly
  await importSource(...createRunSource(entry));
}
