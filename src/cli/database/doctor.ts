import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { pino } from 'pino';
import { deskResource } from '../../contract/desk.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { oldNodeText } from '../../server/app/node-version.ts';
import { messageOf, action, type Command, type Given } from '../command.ts';
import { documents } from '../../server/web/pages/page-source.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { deskRisks } from '../../server/platform/config/desk-risks.ts';
import { isLoopbackHost } from '../../server/platform/config/loopback.ts';
import { ConfigError, readConfig } from '../../server/platform/config/read-config.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import { postgresDialect } from '../../server/platform/database/postgres-dialect.ts';
import { clockAheadMs, toleratedSkewMs } from '../../server/platform/jobs/clock-skew.ts';
import { keyFiles } from '../../server/platform/keys/load-keys.ts';
import { readTrust } from '../../server/trust/certificates/trust.ts';
import { fixedClients } from '../../server/trust/federation/clients/clients.ts';
import { fixedServiceProviders } from '../../server/trust/federation/saml/service-providers.ts';
import { openWallet } from '../../server/trust/federation/wallet/open-wallet.ts';
import { httpRegistry } from '../../server/trust/identity/registry/http-registry.ts';
import { root } from '../project.ts';

export const command: Command = {
  usage: `Usage:
  portal doctor    says what is missing or dangerous in the settings, before a start finds out; changes nothing

  It asks the database, the mail server and the registry that the settings name. Exit code 1: the server would not start, or not serve.
`,
  action: action({}, examine),
};

/** What a check found; `wrong`: the server would not start or not serve. */
interface Finding {
  readonly kind: 'fine' | 'doubtful' | 'wrong';
  readonly text: string;
}

type Check = (config: Config) => Promise<readonly Finding[]> | readonly Finding[];

const fine = (text: string): Finding => ({ kind: 'fine', text });
const doubtful = (text: string): Finding => ({ kind: 'doubtful', text });
const wrong = (text: string): Finding => ({ kind: 'wrong', text });

const checks: readonly Check[] = [runtime, build, keys, database, mail, proxy, registry, files, disk, risks];

async function examine({ terminal }: Given): Promise<number> {
  const findings = await findingsOf(terminal.env);
  for (const { kind, text } of findings) terminal.out(`${kind.padEnd(8)}  ${text}\n`);
  return findings.some(({ kind }) => kind === 'wrong') ? 1 : 0;
}

async function findingsOf(env: Given['terminal']['env']): Promise<readonly Finding[]> {
  try {
    const config = readConfig(readEnvironment(env));
    const found = await Promise.all(checks.map(async (check) => check(config)));
    return [fine(`settings: every one is valid; the portal is ${config.baseUrl}`), ...found.flat()];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => wrong(`settings: ${problem}`));
    throw error;
  }
}

function runtime(): readonly Finding[] {
  const advice = oldNodeText(process.versions.node);
  return [advice === null ? fine(`Node.js ${process.versions.node}`) : doubtful(advice)];
}

async function build(): Promise<readonly Finding[]> {
  const built = await exists(join(root, 'dist/portal', documents.portal));
  return [built ? fine('build: it is there') : wrong('build: there is none; run `npm run build`.')];
}

/** Each key is a setting or a file of KEYS_DIR; replicas that made their own would not read each other's tokens and secrets. */
async function keys({ keys: given, databaseUrl }: Config): Promise<readonly Finding[]> {
  const found = await Promise.all(
    (['signing', 'encryption', 'captcha', 'audit'] as const).map(async (name): Promise<readonly Finding[]> => {
      if (given[name] !== null) return [];
      const path = join(given.dir, keyFiles[name]);
      const info = await stat(path).catch(() => null);
      if (info === null)
        return [
          databaseUrl === null
            ? doubtful(`keys: ${path} is made at the first start. Keep a copy of it.`)
            : wrong(
                `keys: ${path} is missing, and its setting too. The first replica makes it when it starts; every other one needs a copy.`,
              ),
        ];
      return (info.mode & 0o077) === 0 ? [] : [wrong(`keys: others may read ${path}. Set its mode to 0600.`)];
    }),
  );
  const all = found.flat();
  return all.length === 0 ? [fine('keys: all are there, and nobody else may read them')] : all;
}

async function database({ databaseUrl: url, databasePool: pool, loopback }: Config): Promise<readonly Finding[]> {
  if (url === null)
    return [
      loopback
        ? fine('database: embedded')
        : doubtful('database: embedded. It survives the end of the process, not of the machine. Set DATABASE_URL.'),
    ];
  const { dialect } = postgresDialect({ url, pool: 1, log: pino({ level: 'silent' }), statementLimitMs: 5_000 });
  const db = new Kysely<unknown>({ dialect });
  try {
    const { rows } = await sql<{ version: string; standby: boolean; most: number }>`
      select current_setting('server_version') as version, pg_is_in_recovery() as standby,
        current_setting('max_connections')::integer as most
    `.execute(db);
    const [row] = rows;
    if (!row) return [wrong('database: it answers nothing')];
    const unbound = loopback ? 0 : await agentsWithoutMailbox(db);
    const apartMs = Math.abs(await clockAheadMs(db, systemClock));
    return [
      fine(`database: PostgreSQL ${row.version} answers`),
      ...(row.standby ? [wrong('database: DATABASE_URL leads to a standby, which takes no changes.')] : []),
      ...(pool > row.most - 5
        ? [wrong(`database: DATABASE_POOL is ${pool}, and PostgreSQL takes ${row.most} connections of all replicas.`)]
        : []),
      ...(apartMs > toleratedSkewMs
        ? [doubtful(`database: its clock is ${Math.round(apartMs / 1000)} s from this one.`)]
        : []),
      ...(unbound > 0
        ? [
            doubtful(
              `agents: ${unbound} without an institutional mailbox cannot sign in at the desk. Bind each with \`portal account mailbox DOCUMENT ADDRESS\`.`,
            ),
          ]
        : []),
    ];
  } catch (error) {
    return [wrong(`database: it cannot be reached: ${messageOf(error)}`)];
  } finally {
    await db.destroy();
  }
}

/** Number of accounts with a permission of the desk and no bound mailbox; 0 for a database that does not have the table yet. */
async function agentsWithoutMailbox(db: Kysely<unknown>): Promise<number> {
  const { rows: known } = await sql<{ exists: boolean }>`
    select to_regclass('agent_mailboxes') is not null as exists`.execute(db);
  if (known[0]?.exists !== true) return 0;
  const { rows } = await sql<{ agents: number }>`
    select count(*)::integer as agents from citizens
    where jsonb_array_length(permissions -> ${sql.lit(deskResource)}) > 0
      and not exists (select from agent_mailboxes m where m.citizen_id = citizens.id)`.execute(db);
  return rows[0]?.agents ?? 0;
}

async function mail({ smtpUrl, mailFrom }: Config): Promise<readonly Finding[]> {
  if (smtpUrl === null) return [fine('mail: none is sent; the outbox page shows it')];
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 5_000, greetingTimeout: 5_000 });
  try {
    await transport.verify();
    const plain = smtpUrl.startsWith('smtp:') && !isLoopbackHost(new URL(smtpUrl).hostname);
    return [
      fine('mail: the server takes the credentials'),
      ...(plain ? [doubtful('mail: SMTP_URL is smtp:. With smtps: nobody on the way reads codes and links.')] : []),
      ...(mailFrom.includes('@localhost') ? [wrong(`mail: MAIL_FROM is ${mailFrom}. No mailbox accepts that.`)] : []),
    ];
  } catch (error) {
    return [wrong(`mail: the server refuses: ${messageOf(error)}`)];
  } finally {
    transport.close();
  }
}

function proxy({ loopback, proxies, host }: Config): readonly Finding[] {
  if (loopback) return [];
  if (proxies !== null) return [fine('proxy: TRUST_PROXY names it')];
  return [
    doubtful(
      `proxy: TRUST_PROXY is off. Behind the proxy that ends TLS for ${host}, all citizens share its address and its limits of tries.`,
    ),
  ];
}

async function registry({ registryUrl, registryCsv, loopback }: Config): Promise<readonly Finding[]> {
  if (registryUrl === null)
    return registryCsv === null && !loopback
      ? [doubtful('registry: none. Identity cards are not checked against the registry; set REGISTRY_URL.')]
      : [];
  try {
    await httpRegistry(registryUrl).find('11111111');
    return [fine('registry: it answers')];
  } catch (error) {
    return [wrong(`registry: ${messageOf(error instanceof Error ? (error.cause ?? error) : error)}`)];
  }
}

/** What a start reads of files that settings name, with what their lines begin. */
async function files({ signature, card, wallet, clientsFile, samlFile }: Config): Promise<readonly Finding[]> {
  const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['certificates', () => readTrust('SIGNATURE', signature)],
    ['certificates', async () => card && readTrust('CARD', card)],
    ['wallet', () => openWallet({ wallet })],
    ['applications', () => fixedClients(clientsFile, false)],
    ['applications', () => fixedServiceProviders(samlFile)],
  ];
  const found = reads.map(async ([name, read]): Promise<readonly Finding[]> => {
    try {
      await read();
      return [];
    } catch (error) {
      return [wrong(`${name}: ${messageOf(error)}`)];
    }
  });
  return (await Promise.all(found)).flat();
}

/** Free bytes below which a disk is nearly full. */
const littleBytes = 1_000_000_000;

async function disk({ dataDir }: Config): Promise<readonly Finding[]> {
  const space = await statfs(dataDir).catch(() => null);
  if (space === null || space.bavail * space.bsize >= littleBytes) return [];
  return [doubtful(`disk: less than 1 GB is free for DATA_DIR (${dataDir}).`)];
}

function risks(config: Config): readonly Finding[] {
  const { resetShowsEmail, backchannelPrivate, shedLagMs, logLevel, loopback } = config;
  const found: readonly (readonly [boolean, string])[] = [
    [resetShowsEmail, 'RESET_SHOWS_EMAIL tells strangers which documents have an account.'],
    [backchannelPrivate && !loopback, 'BACKCHANNEL_PRIVATE lets applications have private addresses asked.'],
    [shedLagMs === 0, 'SHED_LAG_MS is 0: a server beyond its capacity sends nobody away.'],
    [['debug', 'trace'].includes(logLevel) && !loopback, `LOG_LEVEL is ${logLevel}: the log grows quickly.`],
  ];
  const texts = [...found.filter(([holds]) => holds).map(([, text]) => text), ...deskRisks(config)];
  return texts.map((text) => doubtful(`risk: ${text}`));
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
