import { join } from 'node:path';
import { checkLayers } from './testing/check-layers.ts';
import { root } from './project.ts';

const { failed, named } = await checkLayers(root, join(root, 'node_modules/.bin/depcruise'));
if (named.length > 0) process.stderr.write(`${named.join('\n')}\n`);
process.exitCode = failed === 0 ? 0 : 1;
