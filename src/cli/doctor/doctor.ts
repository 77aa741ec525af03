import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { systemClock } from '../../server/platform/base/clock.ts';
import { oldNodeText } from '../../server/app/run-server.ts';
import { formatError, action } from '../command.ts';
import { documents } from '../../server/web/pages/page-source.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { deskRisks } from '../../server/platform/config/conflicts.ts';
import { readExpiries } from '../../server/platform/metrics/certificate-expiries.ts';
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
import { examineClients, examineDatabase, findExpiry } from './examine-database.ts';
import { examineKeys, doubtful, fine, wrong, type Finding } from './examine-keys.ts';

export const command = action({}, async ({ terminal }) => {
  const findings = await listFindings(terminal.env);
  for (const { kind, text } of findings) terminal.out(`${kind.padEnd(8)}  ${text}\n`);
  return findings.some(({ kind }) => kind === 'wrong') ? 1 : 0;
});

type Findings = AsyncIterable<Finding> | Iterable<Finding>;

async function listFindings(env: Parameters<typeof readEnvironment>[0]): Promise<readonly Finding[]> {
  try {
    const config = readConfig(readEnvironment(env));
    const found = await Promise.all(checks.map((check) => collect(check(config))));
    return [fine(`settings: every one is valid; the portal is ${config.baseUrl}`), ...found.flat()];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => wrong(`settings: ${problem}`));
    throw error;
  }
}

async function collect(findings: Findings): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for await (const finding of findings) found.push(finding);
  return found;
}

const checks: readonly ((config: Config) => Findings)[] = [
  function* runtime() {
    const advice = oldNodeText(process.versions.node);
    yield advice === null ? fine(`Node.js ${process.versions.node}`) : doubtful(advice);
  },
  async function* build() {
    const document = await stat(join(root, 'dist/portal', documents.portal)).catch(() => null);
    yield document ? fine('build: it is there') : wrong('build: there is none; run `npm run build`.');
  },
  examineKeys,
  examineDatabase,
  function* desk({ agentsHost, agentDomains }) {
    if (agentsHost !== '' && agentDomains.length === 0)
      yield wrong(`desk: AGENTS_HOST is ${agentsHost}, and AGENT_DOMAINS is empty. No agent can sign in there.`);
  },
  async function* mail({ smtpUrl, mailFrom }) {
    if (smtpUrl === null) return yield fine('mail: none is sent; the outbox page shows it');
    const transport = createTransport({ url: smtpUrl, connectionTimeout: 5_000, greetingTimeout: 5_000 });
    try {
      await transport.verify();
      yield fine('mail: the server takes the credentials');
      if (mailFrom.includes('@localhost')) yield wrong(`mail: MAIL_FROM is ${mailFrom}. No mailbox accepts that.`);
    } catch (error) {
      yield wrong(`mail: the server refuses: ${formatError(error)}`);
    } finally {
      transport.close();
    }
  },
  function* proxy({ loopback, proxies, host }) {
    if (loopback) return;
    yield proxies !== null
      ? fine('proxy: TRUST_PROXY names it')
      : doubtful(
          `proxy: TRUST_PROXY is off. Behind the proxy that ends TLS for ${host}, all citizens share its address and its limits of tries.`,
        );
  },
  function* transports(config) {
    const plain = listAdmittedPlain(config).join(', ');
    if (plain !== '')
      yield doubtful(`transport: PLAIN_TRANSPORTS lets ${plain} go without TLS. A service mesh must encrypt it.`);
  },
  async function* registry({ registry: given, registryCsv, loopback }) {
    if (given === null) {
      if (registryCsv === null && !loopback)
        yield doubtful('registry: none. Identity cards are not checked against the registry; set REGISTRY_URL.');
      return;
    }
    try {
      await (await httpRegistry(given)).find('11111111');
      yield fine('registry: it answers');
    } catch (error) {
      yield wrong(`registry: ${formatError(error instanceof Error ? (error.cause ?? error) : error)}`);
    }
  },
  async function* certificates(config) {
    for (const { setting, at } of await readExpiries(config)) {
      const days = Math.floor((at.getTime() - Date.now()) / 86_400_000);
      if (days < 0)
        yield wrong(`certificates: that of ${setting} ended on ${at.toISOString()}. Replace it, and restart.`);
      else if (days < 21)
        yield doubtful(
          `certificates: that of ${setting} ends in ${days} days. Replace it, and restart the replicas one by one.`,
        );
    }
  },
  /** Checks the files that settings refer to, as the server reads them at its start. Each entry begins with the prefix of its findings. */
  async function* files({ signature, card, mtls, wallet, clientsFile, samlFile }) {
    const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['certificates', () => readTrust('SIGNATURE', signature)],
      ['certificates', async () => card && readTrust('CARD', card)],
      ['certificates', () => readTrust('MTLS', mtls)],
      ['wallet', () => openWallet({ wallet })],
      ['applications', () => fixedClients(clientsFile, false, checkClient)],
      ['applications', () => fixedServiceProviders(samlFile, systemClock.now())],
    ];
    for (const [name, read] of reads) {
      const error = await read().then(() => null, formatError);
      if (error !== null) yield wrong(`${name}: ${error}`);
    }
  },
  /** Finds files of trusted authorities that the server's process can change: an intruder could add an authority. */
  async function* trustedFiles({ loopback, signature, card, mtls, wallet }) {
    if (loopback) return;
    const files = {
      ...{ SIGNATURE_ROOTS: signature.roots, CARD_ROOTS: card?.roots, MTLS_ROOTS: mtls.roots },
      WALLET_ISSUERS: wallet?.issuers,
    };
    for (const [name, file] of Object.entries(files)) {
      const found = file ? await stat(file).catch(() => null) : null; // `files` reports a missing file
      const writable = found?.uid === process.getuid?.() ? 0o222 : 0o022;
      if (found !== null && (found.mode & writable) !== 0)
        yield doubtful(`certificates: this server can change the file of ${name} (${file}). Mount it read-only.`);
    }
  },
  /** Examines the clients of CLIENTS_FILE, and the metadata of SAML_FILE. `examineDatabase` examines the others. */
  async function* applications({ clientsFile, samlFile, strictClients }) {
    const clients = await fixedClients(clientsFile, false, checkClient).catch(() => []); // `files` reports why
    yield* examineClients(
      clients.map(({ registration }) => registration),
      { strictClients },
    );
    const providers = await fixedServiceProviders(samlFile, systemClock.now()).catch(() => []);
    for (const { registration, metadata } of providers) yield* findExpiry(registration.id, metadata);
  },
  async function* disk({ dataDir }) {
    const space = await statfs(dataDir).catch(() => null);
    if (space !== null && space.bavail * space.bsize < 1_000_000_000)
      yield doubtful(`disk: less than 1 GB is free for DATA_DIR (${dataDir}).`);
  },
  function* securityContact({ securityContact: { uris, expires }, loopback }) {
    if (loopback) return;
    const days = Math.floor((Date.parse(expires) - Date.now()) / 86_400_000);
    if (uris.length === 0)
      yield doubtful('contact: SECURITY_CONTACT is empty. Nobody finds out where to report a vulnerability.');
    else if (days < 0)
      yield wrong(`contact: SECURITY_EXPIRES (${expires}) is over, so security.txt is not served. Set a later date.`);
    else if (days < 30 || days > 366)
      yield doubtful(
        `contact: SECURITY_EXPIRES (${expires}) is in ${days} days. Set a date from 30 days to a year ahead.`,
      );
    else yield fine('contact: security.txt names it');
  },
  function* risks(config) {
    const { resetShowsEmail, backchannelPrivate, shedLagMs, logLevel, loopback } = config;
    if (resetShowsEmail) yield doubtful('risk: RESET_SHOWS_EMAIL tells strangers which documents have an account.');
    if (backchannelPrivate && !loopback)
      yield doubtful('risk: BACKCHANNEL_PRIVATE lets applications have private addresses asked.');
    if (shedLagMs === 0) yield doubtful('risk: SHED_LAG_MS is 0: a server beyond its capacity sends nobody away.');
    if (['debug', 'trace'].includes(logLevel) && !loopback)
      yield doubtful(`risk: LOG_LEVEL is ${logLevel}: the log grows quickly.`);
    for (const risk of deskRisks(config)) yield doubtful(`risk: ${risk}`);
  },
];
