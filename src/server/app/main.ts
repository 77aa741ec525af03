import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPages } from '../web/pages/page-source.ts';
import { runServer } from './run-server.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

await runServer({
  root,
  env: process.env,
  pages: () => builtPages(join(root, 'dist/portal')),
  worker: [join(root, 'src/cli/run.mjs'), join(root, 'src/server/app/main.ts')],
});
