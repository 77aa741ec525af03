import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { systemClock } from '../../server/platform/base/clock.ts';
import { findNodeVersionWarning } from '../../server/app/run-server.ts';
import { createCliAction } from '../command.ts';
import { pageDocumentPaths } from '../../server/web/pages/page-source.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { describeDeskRisk } from '../../server/platform/config/setting-conflicts.ts';
import { readCertificateExpiries } from '../../server/platform/metrics/certificate-expiries.ts';
import { listAllowedPlainTransports } from '../../server/platform/config/plain-transports.ts';
import { ConfigError, readConfig } from '../../server/platform/config/read-config.ts';
import { readEnvironment, secretSettingNames } from '../../server/platform/config/read-environment.ts';
import { readClientTlsOptions } from '../../server/platform/config/tls-files.ts';
import { readTrustStore } from '../../server/trust/certificates/trust-store.ts';
import { loadFixedClients } from '../../server/trust/federation/clients/client-store.ts';
import { createClientValidator } from '../../server/trust/federation/oidc/provider-configuration.ts';
import { loadFixedServiceProviders } from '../../server/trust/federation/saml/service-providers.ts';
import { openWalletVerifier } from '../../server/trust/federation/wallet/wallet-verifier.ts';
import { openMalwareScanner } from '../../server/trust/uploads/malware-scanner.ts';
import { createHttpIdentityRegistry } from '../../server/trust/identity/registry/identity-registry.ts';
import { projectRoot } from '../project.ts';
import {
  collectDoctorFindings,
  examineClientRegistrations,
  examineDatabase,
  examineSamlMetadataExpiry,
  examineRsa2048Exception,
} from './examine-database.ts';
import {
  examineKeys,
  createDoctorWarning,
  createDoctorOk,
  createDoctorError,
  type DoctorFinding,
} from './examine-keys.ts';
import { describeError } from '../../server/platform/base/errors.ts';

export const command = createCliAction({}, async ({ terminal }) => {
  const findings = await listFindings(terminal.env);
  for (const { kind, text } of findings) terminal.out(`${kind.padEnd(8)}  ${text}\n`);
  return findings.some(({ kind }) => kind === 'wrong') ? 1 : 0;
});

type Environment = Parameters<typeof readEnvironment>[0];

async function listFindings(env: Environment): Promise<readonly DoctorFinding[]> {
  try {
    const config = readConfig(readEnvironment(env));
    const found = await Promise.all(checks.map((check) => collectDoctorFindings(check(config, env))));
    return [createDoctorOk(`settings: every one is valid; the portal is ${config.baseUrl}`), ...found.flat()];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => createDoctorError(`settings: ${problem}`));
    throw error;
  }
}

/** Formats the cause of an error, because the error itself only says that a service cannot be reached. */
function formatCause(error: unknown): string {
  return describeError(error instanceof Error ? (error.cause ?? error) : error);
}

function hasPassword(url: string | null): boolean {
  return url !== null && new URL(url).password !== '';
}

const checks: readonly ((config: Config, env: Environment) => Parameters<typeof collectDoctorFindings>[0])[] = [
  function* runtime() {
    const advice = findNodeVersionWarning(process.versions.node);
    yield advice === null ? createDoctorOk(`Node.js ${process.versions.node}`) : createDoctorWarning(advice);
  },
  async function* build() {
    const document = await stat(join(projectRoot, 'dist/portal', pageDocumentPaths.portal)).catch(() => null);
    yield document
      ? createDoctorOk('build: it is there')
      : createDoctorError('build: there is none; run `npm run build`.');
  },
  examineKeys,
  examineDatabase,
  function* desk({ agentsHost, agentDomains }) {
    if (agentsHost !== '' && agentDomains.length === 0)
      yield createDoctorError(
        `desk: AGENTS_HOST is ${agentsHost}, and AGENT_DOMAINS is empty. No agent can sign in there.`,
      );
  },
  async function* mail({ smtpUrl, smtpTls, mailFrom }) {
    if (smtpUrl === null) return yield createDoctorOk('mail: none is sent; the outbox page shows it');
    let transport: ReturnType<typeof createTransport> | undefined;
    try {
      const tls = await readClientTlsOptions(smtpTls);
      transport = createTransport({ url: smtpUrl, tls, connectionTimeout: 5_000, greetingTimeout: 5_000 });
      await transport.verify();
      yield createDoctorOk('mail: the server takes the credentials');
      if (mailFrom.includes('@localhost'))
        yield createDoctorError(`mail: MAIL_FROM is ${mailFrom}. No mailbox accepts that.`);
    } catch (error) {
      yield createDoctorError(`mail: the server refuses: ${describeError(error)}`);
    } finally {
      transport?.close();
    }
  },
  function* proxy({ loopback, proxies, host }) {
    if (loopback) return;
    yield proxies !== null
      ? createDoctorOk('proxy: TRUST_PROXY names it')
      : createDoctorWarning(
          `proxy: TRUST_PROXY is off. Behind the proxy that ends TLS for ${host}, all citizens share its address and its limits of tries.`,
        );
  },
  function* transports(config) {
    const plain = listAllowedPlainTransports(config).join(', ');
    if (plain !== '')
      yield createDoctorWarning(
        `transport: PLAIN_TRANSPORTS lets ${plain} go without TLS. A service mesh must encrypt it.`,
      );
  },
  async function* registry({ registry: given, registryCsv, loopback }) {
    if (given === null) {
      if (registryCsv === null && !loopback)
        yield createDoctorWarning(
          'registry: none. Identity cards are not checked against the registry; set REGISTRY_URL.',
        );
      return;
    }
    try {
      await (await createHttpIdentityRegistry(given)).findHolder('11111111');
      yield createDoctorOk('registry: it answers');
    } catch (error) {
      yield createDoctorError(`registry: ${formatCause(error)}`);
    }
  },
  async function* malware({ malwareScanner, loopback }) {
    if (malwareScanner === null) {
      if (!loopback)
        yield createDoctorWarning('uploads: MALWARE_SCANNER is none. Uploaded files are stored without a check.');
      return;
    }
    const error = await openMalwareScanner(malwareScanner)
      .then((scanner) => scanner.scanFile(Buffer.from('portal doctor'), 'doctor'))
      .then(() => null, formatCause);
    yield error === null
      ? createDoctorOk('uploads: the malware scanner answers')
      : createDoctorError(`uploads: the malware scanner cannot be asked: ${error}. No citizen can send a file.`);
  },
  /** Warns of secrets in environment variables, because crash reports and other processes of the same user can read them. */
  function* secrets({ loopback }, env) {
    const inEnvironment = secretSettingNames.filter((name) => env[name]);
    if (!loopback && inEnvironment.length > 0)
      yield createDoctorWarning(
        `secrets: ${inEnvironment.join(', ')}: in the environment. Mount each as a file of a vault, and set its name with _FILE.`,
      );
  },
  /** Warns of credentials that are not rotated automatically, if a client certificate can replace them. */
  function* credentials(config) {
    const { loopback, databaseUrl, smtpUrl, smtpTls, registry, auditSink, metricsToken, metricsRoots, card } = config;
    if (loopback) return;
    const replaceable: Readonly<Record<string, boolean>> = {
      'DATABASE_URL (set sslcert and sslkey)': hasPassword(databaseUrl) && !/[?&]sslcert=/.test(databaseUrl ?? ''),
      'SMTP_URL (set SMTP_CERT)': hasPassword(smtpUrl) && smtpTls.certificate === null,
      'REGISTRY_TOKEN (set REGISTRY_CERT)': (registry?.token ?? null) !== null && registry?.tls.certificate === null,
      'AUDIT_SINK_TOKEN (set AUDIT_SINK_CERT)':
        (auditSink?.token ?? null) !== null && auditSink?.tls.certificate === null,
      'METRICS_TOKEN (set METRICS_ROOTS)': metricsToken !== null && metricsRoots === null,
      'CARD_PROXY_SECRET (set CARD_PORT, not CARD_PROXY)': (card?.proxySecret ?? '') !== '',
    };
    const found = Object.entries(replaceable).flatMap(([name, isUsed]) => (isUsed ? [name] : []));
    if (found.length > 0)
      yield createDoctorWarning(`credentials: a secret that does not expire is used for ${found.join(', ')}.`);
  },
  async function* certificates(config) {
    for (const { setting, at } of await readCertificateExpiries(config)) {
      const days = Math.floor((at.getTime() - Date.now()) / 86_400_000);
      if (days < 0)
        yield createDoctorError(
          `certificates: that of ${setting} ended on ${at.toISOString()}. Replace it, and restart.`,
        );
      else if (days < 21)
        yield createDoctorWarning(
          `certificates: that of ${setting} ends in ${days} days. Replace it, and restart the replicas one by one.`,
        );
    }
  },
  /** Reports unreadable files. An entry of `reads` has the category of its findings and the reading function. */
  async function* files(config) {
    const { signature, card, mtls, wallet, clientsFile, clientTls } = config;
    const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['certificates', () => readTrustStore('SIGNATURE', signature)],
      ['certificates', async () => card && readTrustStore('CARD', card)],
      ['certificates', () => readTrustStore('MTLS', mtls)],
      ...clientTls.map((files) => ['certificates', () => readClientTlsOptions(files)] as const),
      ['wallet', () => openWalletVerifier({ wallet })],
      ['applications', () => loadFixedClients(clientsFile, [], createClientValidator(config))],
      ['applications', () => loadFixedServiceProviders(config, systemClock.now())],
    ];
    for (const [name, read] of reads) {
      const error = await read().then(() => null, describeError);
      if (error !== null) yield createDoctorError(`${name}: ${error}`);
    }
  },
  /** Warns of files with trusted authorities that the server may write, because an intruder in its process could add an authority. */
  async function* trustedFiles({ loopback, signature, card, mtls, wallet, clientTls, metricsRoots }) {
    if (loopback) return;
    const files = {
      ...{ SIGNATURE_ROOTS: signature.roots, CARD_ROOTS: card?.roots, MTLS_ROOTS: mtls.roots },
      ...{ WALLET_ISSUERS: wallet?.issuers, METRICS_ROOTS: metricsRoots },
      ...Object.fromEntries(clientTls.map(({ prefix, roots }) => [`${prefix}_ROOTS`, roots])),
    };
    for (const [name, file] of Object.entries(files)) {
      const found = file ? await stat(file).catch(() => null) : null; // ignores a missing file, because the check `files` reports it
      const writable = found?.uid === process.getuid?.() ? 0o222 : 0o022;
      if (found !== null && (found.mode & writable) !== 0)
        yield createDoctorWarning(
          `certificates: this server can change the file of ${name} (${file}). Mount it read-only.`,
        );
    }
  },
  /** Checks the applications in files. `examineDatabase` checks those in the database. */
  async function* applications(config) {
    const clients = await loadFixedClients(config.clientsFile, [], createClientValidator(config)).catch(() => []); // ignores an unreadable file, because the check `files` reports it
    yield* examineClientRegistrations(
      clients.map(({ registration }) => registration),
      config,
    );
    const providers = await loadFixedServiceProviders(config, systemClock.now()).catch(() => []);
    for (const { registration, metadata } of providers) {
      yield* examineSamlMetadataExpiry(registration.id, metadata);
      yield* examineRsa2048Exception(registration);
    }
  },
  async function* disk({ dataDir }) {
    const space = await statfs(dataDir).catch(() => null);
    if (space !== null && space.bavail * space.bsize < 1_000_000_000)
      yield createDoctorWarning(`disk: less than 1 GB is free for DATA_DIR (${dataDir}).`);
  },
  function* securityContact({ securityContact: { uris, expires }, loopback }) {
    if (loopback) return;
    const days = Math.floor((Date.parse(expires) - Date.now()) / 86_400_000);
    if (uris.length === 0)
      yield createDoctorWarning(
        'contact: SECURITY_CONTACT is empty. Nobody finds out where to report a vulnerability.',
      );
    else if (days < 0)
      yield createDoctorError(
        `contact: SECURITY_EXPIRES (${expires}) is over, so security.txt is not served. Set a later date.`,
      );
    else if (days < 30 || days > 366)
      yield createDoctorWarning(
        `contact: SECURITY_EXPIRES (${expires}) is in ${days} days. Set a date from 30 days to a year ahead.`,
      );
    else yield createDoctorOk('contact: security.txt names it');
  },
  function* risks(config) {
    const { resetShowsEmail, backchannelPrivate, shedLagMs, logLevel, loopback } = config;
    if (resetShowsEmail)
      yield createDoctorWarning('risk: RESET_SHOWS_EMAIL tells strangers which documents have an account.');
    if (backchannelPrivate && !loopback)
      yield createDoctorWarning('risk: BACKCHANNEL_PRIVATE lets applications have private addresses asked.');
    if (shedLagMs === 0)
      yield createDoctorWarning('risk: SHED_LAG_MS is 0: a server beyond its capacity sends nobody away.');
    if (['debug', 'trace'].includes(logLevel) && !loopback)
      yield createDoctorWarning(`risk: LOG_LEVEL is ${logLevel}: the log grows quickly.`);
    const deskRisk = describeDeskRisk(config);
    if (deskRisk !== null) yield createDoctorWarning(`risk: ${deskRisk}`);
  },
];
