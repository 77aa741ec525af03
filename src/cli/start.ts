import { buildPortal } from './build-portal.ts';
import { root } from './project.ts';

await buildPortal(root, { force: false });
await import('../server/app/main.ts');
