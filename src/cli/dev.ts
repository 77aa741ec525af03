import { runServer } from '../server/app/run-server.ts';
import { readEnvironment } from '../server/platform/config/read-environment.ts';
import { readConfig } from '../server/platform/config/read-config.ts';
import { action, type Command } from './command.ts';
import { root } from './project.ts';
import { teamOf } from '../studio/server/team/visitors.ts';

export const command: Command = {
  usage: `Usage:
  portal dev    serves the portal for who works on it, with the studio at /_dev: a change of a file is seen at once
`,
  action: action({}, () => serveDevelopment({ team: false })),
};

/** Runs the development server as this process, for who works at this machine or for a team alone. */
export async function serveDevelopment({ team }: { readonly team: boolean }): Promise<void> {
  const { developmentPages } = await import('../studio/server/dev-pages.ts'); // the bundler and all, which only this needs
  const env = readEnvironment({ NODE_ENV: 'development', SHED_LAG_MS: '0', ...process.env });
  await runServer({
    root,
    env,
    pages: async ({ definitions }) => {
      const config = readConfig(env);
      return developmentPages(config, definitions, team ? teamOf(config) : null);
    },
    shown: [
      ['Gallery', '/_dev/pantallas'],
      ['Studio', '/_dev/estudio'],
    ],
  });
}
