import { StartError } from '../server/platform/base/start-error.ts';
import { buildPortal } from './build-portal.ts';
import { root } from './project.ts';

try {
  await buildPortal(root, { force: false });
  await import('../server/app/main.ts');
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
