import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBuiltPages } from '../web/pages/page-source.ts';
import { runServer } from './run-server.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

await runServer({
  root,
  env: process.env,
  pages: () => readBuiltPages(join(root, 'dist/portal')),
  worker: [join(root, 'src/cli/run.mjs'), join(root, 'src/server/app/main.ts')],
});
