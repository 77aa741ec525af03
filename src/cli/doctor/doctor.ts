import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { oldNodeText } from '../../server/app/run-server.ts';
import { formatError, action, type Command, type Invocation } from '../command.ts';
import { documents } from '../../server/web/pages/page-source.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { deskRisks } from '../../server/platform/config/conflicts.ts';
import { isLoopbackHost } from '../../server/platform/config/loopback.ts';
import { listAdmittedPlain } from '../../server/platform/config/plain-transports.ts';
import { ConfigError, readConfig } from '../../server/platform/config/read-config.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import { readTrust } from '../../server/trust/certificates/trust.ts';
import { fixedClients } from '../../server/trust/federation/clients/clients.ts';
import { checkClient } from '../../server/trust/federation/oidc/dialect.ts';
import { fixedServiceProviders } from '../../server/trust/federation/saml/service-providers.ts';
import { openWallet } from '../../server/trust/federation/wallet/open-wallet.ts';
import { httpRegistry } from '../../server/trust/identity/registry/registry.ts';
import { root } from '../project.ts';
import { examineDatabase, findLeniency } from './examine-database.ts';
import { examineKeys, doubtful, fine, wrong, type Finding } from './examine-keys.ts';

export const command: Command = {
  action: action({}, examine),
};

type Check = (config: Config) => Promise<readonly Finding[]> | readonly Finding[];

const checks: readonly Check[] = [
  runtime,
  build,
  examineKeys,
  examineDatabase,
  desk,
  mail,
  proxy,
  transports,
  registry,
  files,
  leniency,
  disk,
  securityContact,
  risks,
];

async function examine({ terminal }: Invocation): Promise<number> {
  const findings = await listFindings(terminal.env);
  for (const { kind, text } of findings) terminal.out(`${kind.padEnd(8)}  ${text}\n`);
  return findings.some(({ kind }) => kind === 'wrong') ? 1 : 0;
}

async function listFindings(env: Invocation['terminal']['env']): Promise<readonly Finding[]> {
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

async function mail({ smtpUrl, mailFrom }: Config): Promise<readonly Finding[]> {
  if (smtpUrl === null) return [fine('mail: none is sent; the outbox page shows it')];
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 5_000, greetingTimeout: 5_000 });
  try {
    await transport.verify();
    return [
      fine('mail: the server takes the credentials'),
      ...(mailFrom.includes('@localhost') ? [wrong(`mail: MAIL_FROM is ${mailFrom}. No mailbox accepts that.`)] : []),
    ];
  } catch (error) {
    return [wrong(`mail: the server refuses: ${formatError(error)}`)];
  } finally {
    transport.close();
  }
}

function desk({ agentsHost, agentDomains }: Config): readonly Finding[] {
  if (agentsHost === '' || agentDomains.length > 0) return [];
  return [wrong(`desk: AGENTS_HOST is ${agentsHost}, and AGENT_DOMAINS is empty. No agent can sign in there.`)];
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

function transports(config: Config): readonly Finding[] {
  const plain = listAdmittedPlain(config);
  return [
    ...(plain.length === 0
      ? []
      : [
          doubtful(
            `transport: PLAIN_TRANSPORTS lets ${plain.join(', ')} go without TLS. A service mesh must encrypt it.`,
          ),
        ]),
    ...(isLoopbackHost(config.host) || config.tlsFile !== null
      ? []
      : [
          doubtful(
            `transport: HOST is ${config.host} and TLS_FILE is empty. The proxy reaches this server without TLS.`,
          ),
        ]),
  ];
}

async function registry({ registry: given, registryCsv, loopback }: Config): Promise<readonly Finding[]> {
  if (given === null)
    return registryCsv === null && !loopback
      ? [doubtful('registry: none. Identity cards are not checked against the registry; set REGISTRY_URL.')]
      : [];
  try {
    await (await httpRegistry(given)).find('11111111');
    return [fine('registry: it answers')];
  } catch (error) {
    return [wrong(`registry: ${formatError(error instanceof Error ? (error.cause ?? error) : error)}`)];
  }
}

/** Checks the files that settings name, as the start reads them. Each entry begins with the prefix of its findings. */
async function files({ signature, card, wallet, clientsFile, samlFile }: Config): Promise<readonly Finding[]> {
  const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['certificates', () => readTrust('SIGNATURE', signature)],
    ['certificates', async () => card && readTrust('CARD', card)],
    ['wallet', () => openWallet({ wallet })],
    ['applications', () => fixedClients(clientsFile, false, checkClient)],
    ['applications', () => fixedServiceProviders(samlFile)],
  ];
  const found = reads.map(async ([name, read]): Promise<readonly Finding[]> => {
    try {
      await read();
      return [];
    } catch (error) {
      return [wrong(`${name}: ${formatError(error)}`)];
    }
  });
  return (await Promise.all(found)).flat();
}

/** Names the legacy clients of CLIENTS_FILE. `examineDatabase` names the others. */
async function leniency({ clientsFile }: Config): Promise<readonly Finding[]> {
  const clients = await fixedClients(clientsFile, false, checkClient).catch(() => []); // `files` reports why
  return findLeniency(clients.map(({ registration }) => registration));
}

/** Free bytes below which the disk is reported as nearly full. */
const littleBytes = 1_000_000_000;

async function disk({ dataDir }: Config): Promise<readonly Finding[]> {
  const space = await statfs(dataDir).catch(() => null);
  if (space === null || space.bavail * space.bsize >= littleBytes) return [];
  return [doubtful(`disk: less than 1 GB is free for DATA_DIR (${dataDir}).`)];
}

/** Days before the expiry of security.txt at which its renewal is due. */
const renewalDays = 30;

function securityContact({ securityContact: { uris, expires }, loopback }: Config): readonly Finding[] {
  if (loopback) return [];
  if (uris.length === 0)
    return [doubtful('contact: SECURITY_CONTACT is empty. Nobody finds out where to report a vulnerability.')];
  const days = Math.floor((Date.parse(expires) - Date.now()) / 86_400_000);
  if (days < 0)
    return [wrong(`contact: SECURITY_EXPIRES (${expires}) is over, so security.txt is not served. Set a later date.`)];
  if (days < renewalDays || days > 366)
    return [
      doubtful(`contact: SECURITY_EXPIRES (${expires}) is in ${days} days. Set a date from 30 days to a year ahead.`),
    ];
  return [fine('contact: security.txt names it')];
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
