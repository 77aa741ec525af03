import { join } from 'node:path';
import { checkLayers } from './testing/check-layers.ts';
import { root } from './project.ts';

const { failed } = await checkLayers(root, join(root, 'node_modules/.bin/depcruise'));
process.exitCode = failed === 0 ? 0 : 1;
