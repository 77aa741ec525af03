import { createAction } from './command.ts';
import { buildPortal } from './build-portal.ts';
import { root } from './project.ts';

export const command = createAction({}, async () => {
  await buildPortal(root, { force: false });
  await import('../server/app/main.ts');
});
