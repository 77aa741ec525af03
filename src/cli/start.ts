import { createCliAction } from './command.ts';
import { buildPortal } from './build-portal.ts';
import { projectRoot } from './project.ts';

export const command = createCliAction({}, async () => {
  await buildPortal(projectRoot, { force: false });
  await import('../server/app/main.ts');
});
