import { runServer } from '../server/app/run-server.ts';
import { isLoopbackHost, type Config } from '../server/platform/config/config.ts';
import { readConfig } from '../server/platform/config/read-config.ts';
import { readEnvironment } from '../server/platform/config/read-environment.ts';
import { createCliAction, CommandError } from './command.ts';
import { projectRoot } from './project.ts';

export const command = createCliAction({}, async ({ terminal }) => {
  const env = readEnvironment({ NODE_ENV: 'development', SHED_LAG_MS: '0', ...terminal.env });
  assertOnlyLocalAccess(readConfig(env));
  const { openDevelopmentServer } = await import('../studio/server/development-server.ts'); // imported dynamically, because only this command needs the bundler
  await runServer({
    root: projectRoot,
    env,
    pages: ({ config, definitions }) => openDevelopmentServer(config, definitions),
    printedPages: [
      ['Gallery', '/_dev/pantallas'],
      ['Studio', '/_dev/estudio'],
    ],
  });
});

/** Throws a CommandError if other machines could reach the studio, which writes files without authentication, or if other servers could share the database. */
function assertOnlyLocalAccess({ host, baseUrl, loopback, databaseUrl }: Config): void {
  if (!isLoopbackHost(host))
    throw new CommandError(
      `portal dev serves this machine only, and HOST (${host}) is not a loopback address. Leave HOST empty, or use npm start.`,
    );
  if (!loopback)
    throw new CommandError(
      `portal dev serves this machine only, and BASE_URL (${baseUrl}) is not a loopback address. Leave BASE_URL empty, or use npm start.`,
    );
  if (databaseUrl !== null)
    throw new CommandError(
      'portal dev does not run on a shared database, because a save in the studio goes into service at once. Leave DATABASE_URL empty, or use npm start.',
    );
}
