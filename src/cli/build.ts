import { join } from 'node:path';
import { createCliAction } from './command.ts';
import { buildPortal } from './build-portal.ts';
import commands from './commands.json' with { type: 'json' };
import { createCommandSource, createRunSource, prebuild, prebuildSamples } from './load.mjs';
import { projectRoot } from './project.ts';

export const command = createCliAction({}, async () => {
  await buildPortal(projectRoot, { force: true });
  await prebuildPrograms();
});

async function prebuildPrograms(): Promise<void> {
  await prebuildSamples();
  await prebuild(...createRunSource(join(projectRoot, 'src/server/app/main.ts')));
  for (const { file } of Object.values(commands))
    if (/^(database|doctor)\//.test(file) || ['start.ts', 'definitions/version.ts'].includes(file))
      await prebuild(...createCommandSource(file));
}
