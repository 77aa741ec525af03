import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { command } from '../../../src/cli/doctor/doctor.ts';
import { openDatabase, type DatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { loadServerKeysMatchingFingerprints } from '../../../src/server/platform/keys/key-fingerprints.ts';
import { generateAuditKey } from '../../../src/server/platform/keys/audit-keys.ts';
import { generateEncryptionKey } from '../../../src/server/platform/keys/encryption-keys.ts';
import { issueCertificate, issueRoot, encodePem } from '../support/certificates.ts';
import { startFakeClamd } from '../support/fake-clamd.ts';
import { startPostgres } from '../support/postgres.ts';
import { runInProcess } from '../support/run-command.ts';
import { createKeyFilesConfig } from '../support/signing-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `doctor`. Returns its findings except those about this machine. */
async function runDoctor(env: Record<string, string>): Promise<{ code: number; findings: readonly string[] }> {
  const { status: code, stdout } = await runInProcess(command, [], { BASE_URL: '', DATA_DIR: folder, ...env });
  return { code, findings: stdout.split('\n').filter((line) => line !== '' && !/ (Node|build)/.test(line)) };
}

/** Settings of a server outside loopback. */
const beyond = {
  BASE_URL: 'https://identidad.example.uy',
  SMTP_URL: 'smtps://portal:x@127.0.0.1:9',
  CARD_URL: '',
  MALWARE_SCANNER: 'none',
};

/** Runs `doctor` outside loopback. Returns its findings about one subject. */
const listAbout = async (what: string, env: Record<string, string>) =>
  (await runDoctor({ ...beyond, ...env })).findings.filter((line) => line.includes(`${what}:`));

const openTables = (url: string) => openDatabase({ url, pool: 1 }, pino({ level: 'silent' }));

describe('[OPER-09] portal doctor', () => {
  test('lists every invalid setting, and checks nothing else then', async () => {
    const { code, findings } = await runDoctor({ PORT: 'many', FLAGS: 'nada=on' });
    expect(code).toBe(1);
    expect(findings).toEqual([
      expect.stringMatching(/^wrong {5}settings: PORT must be/),
      expect.stringMatching(/^wrong {5}settings: FLAGS must be/),
    ]);
  });

  test('reports no error for the defaults on one machine', async () => {
    const { findings } = await runDoctor({});
    expect(findings.filter((line) => line.startsWith('wrong'))).toEqual([]);
    expect(findings).toContain('fine      database: embedded');
  });

  test('reports unreachable services, unsafe keys, missing files and risky settings of a production configuration', async () => {
    mkdirSync(join(folder, 'keys'));
    writeFileSync(join(folder, 'keys/signing.pem'), 'x');
    chmodSync(join(folder, 'keys/signing.pem'), 0o644);
    const registry = createServer((_, response) => response.writeHead(500).end());
    await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
    writeFileSync(join(folder, 'list.json'), '{}');
    const { code, findings } = await runDoctor({
      CLIENTS_FILE: join(folder, 'list.json'),
      SAML_FILE: join(folder, 'none.json'),
      BASE_URL: 'https://identidad.example.uy',
      MALWARE_SCANNER: 'none',
      DATABASE_URL: 'postgresql://portal@127.0.0.1:9/portal',
      SMTP_URL: 'smtp://127.0.0.1:9',
      REGISTRY_URL: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
      KEYS_DIR: join(folder, 'keys'),
      SHED_LAG_MS: '0',
      AGENT_DOMAINS: 'salud.gub.uy',
      AGENTS_HOST: 'https://agentes.identidad.example.uy',
      ELEVATION_SECOND_AGENT: 'off',
      CARD_URL: '',
    });
    registry.close();
    expect(code).toBe(1);
    for (const line of [
      /^wrong {5}database: it cannot be reached/,
      /^wrong {5}mail: the server refuses/,
      /^wrong {5}registry: .*500/,
      /^wrong {5}applications: The clients of CLIENTS_FILE .*it must hold a list/,
      /^wrong {5}applications: .*SAML_FILE .*none\.json/,
      /^wrong {5}keys: others may read .*signing\.pem/,
      /^wrong {5}keys: .*encryption\.key is missing/,
      /^doubtful {2}proxy: TRUST_PROXY is off/,
      /^doubtful {2}risk: SHED_LAG_MS is 0/,
      /^doubtful {2}risk: ELEVATION_SECOND_AGENT is off/,
    ])
      expect(findings).toContainEqual(expect.stringMatching(line));
  });

  test.each([
    ['without a contact', null, /^doubtful {2}contact: SECURITY_CONTACT is empty/],
    ['that has expired', -2, /^wrong {5}contact: SECURITY_EXPIRES .* is over/],
    ['that expires in 20 days', 20, /^doubtful {2}contact: SECURITY_EXPIRES .* is in (19|20) days/],
    ['that expires in over two years', 800, /^doubtful {2}contact: SECURITY_EXPIRES .* is in (799|800) days/],
    ['that expires in 200 days', 200, /^fine {6}contact: security.txt names it/],
  ])('[SEC-08] rates a security.txt %s', async (_note, inDays, line) => {
    const expires = inDays === null ? '' : new Date(Date.now() + inDays * 86_400_000).toISOString().slice(0, 10);
    const env = { SECURITY_CONTACT: inDays === null ? '' : 'mailto:seguridad@example.uy', SECURITY_EXPIRES: expires };
    expect(await listAbout('contact', env)).toEqual([expect.stringMatching(line)]);
  });

  test('[ASVS-12.3.1] lists the connections in PLAIN_TRANSPORTS', async () => {
    const mesh = { HOST: '0.0.0.0', OTLP_URL: 'http://collector:4318/v1/traces', PLAIN_TRANSPORTS: 'traces,mail,http' };
    expect(await listAbout('transport', mesh)).toEqual([
      'doubtful  transport: PLAIN_TRANSPORTS lets traces, http go without TLS. A service mesh must encrypt it.',
    ]);
    expect(await listAbout('transport', {})).toEqual([]);
  });

  test('[ASVS-11.2.3] lists short keys of the server, and applications with an exception', async () => {
    const pem = String(
      generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    );
    const keys = { SIGNING_KEY: pem, DECRYPTION_KEY: pem, ENCRYPTION_KEY: generateEncryptionKey() };
    const env = { ...keys, CAPTCHA_KEY: generateEncryptionKey(), AUDIT_KEY: generateAuditKey() };
    const clients = join(folder, 'short.json');
    const jwk = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' };
    const client = { id: 'short', name: 'A', redirectUris: ['https://a.example/cb'], scopes: ['email'] };
    const keyed = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] }, rsa2048: true };
    writeFileSync(clients, JSON.stringify([{ ...client, ...keyed }]));
    const { findings } = await runDoctor({ ...env, ...beyond, CLIENTS_FILE: clients });
    for (const use of ['signing', 'decryption'])
      expect(findings).toContainEqual(
        expect.stringMatching(new RegExp(`^wrong {5}keys: The ${use} key .* has 2048 bits. It needs 3072`)),
      );
    expect(findings).toContainEqual(expect.stringMatching(/^doubtful {2}applications: short may use RSA keys of 2048/));
    const { findings: local } = await runDoctor(env);
    expect(local.filter((line) => line.startsWith('wrong'))).toEqual([]);
  });

  test('[ASVS-5.4.3] reports whether uploads are scanned', async () => {
    expect(await listAbout('uploads', {})).toEqual([
      'doubtful  uploads: MALWARE_SCANNER is none. Uploaded files are stored without a check.',
    ]);
    const clamd = await startFakeClamd();
    const scanner = { MALWARE_SCANNER: `tcp://127.0.0.1:${clamd.port}` };
    expect(await listAbout('uploads', scanner)).toEqual(['fine      uploads: the malware scanner answers']);
    await clamd.close();
    expect(await listAbout('uploads', scanner)).toEqual([
      expect.stringMatching(/^wrong {5}uploads: the malware scanner cannot be asked: .*ECONNREFUSED/),
    ]);
  });

  test('[ASVS-12.3.4] does not connect to a mail server whose SMTP_ROOTS cannot be read', async () => {
    let connections = 0;
    const server = createServer().on('connection', () => (connections += 1));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const env = { SMTP_URL: `smtps://portal:x@127.0.0.1:${port}`, SMTP_ROOTS: join(folder, 'none.pem') };
    expect(await listAbout('mail', env)).toEqual([expect.stringMatching(/^wrong {5}mail: .*SMTP_ROOTS/)]);
    expect(connections, 'the password was not sent').toBe(0);
    server.close();
    server.closeAllConnections();
  });

  test('[ASVS-13.3.1] lists the secrets in the environment, but not those in files', async () => {
    writeFileSync(join(folder, 'smtp-url'), beyond.SMTP_URL);
    const token = { METRICS_PORT: '9464', METRICS_TOKEN: 'x' };
    expect(await listAbout('secrets', token)).toEqual([
      expect.stringMatching(
        /^doubtful {2}secrets: (METRICS_TOKEN, SMTP_URL|SMTP_URL, METRICS_TOKEN): in the environment/,
      ),
    ]);
    expect(await listAbout('secrets', { SMTP_URL: '', SMTP_URL_FILE: join(folder, 'smtp-url') })).toEqual([]);
    expect(await listAbout('secrets', { ...token, BASE_URL: '' }), 'on a loopback server').toEqual([]);
  });

  test('[ASVS-13.2.1] lists credentials that do not expire, with their alternatives', async () => {
    const used = {
      DATABASE_URL: 'postgresql://portal:x@127.0.0.1:9/portal',
      ...{ METRICS_PORT: '9464', METRICS_TOKEN: 'x' },
      ...{ REGISTRY_URL: 'https://127.0.0.1:9', REGISTRY_TOKEN: 'x' },
      ...{ AUDIT_SINK: 'https://127.0.0.1:9', AUDIT_SINK_TOKEN: 'x' },
    };
    expect(await listAbout('credentials', used)).toEqual([
      'doubtful  credentials: a secret that does not expire is used for DATABASE_URL (set sslcert and sslkey), SMTP_URL (set SMTP_CERT), REGISTRY_TOKEN (set REGISTRY_CERT), AUDIT_SINK_TOKEN (set AUDIT_SINK_CERT), METRICS_TOKEN (set METRICS_ROOTS).',
    ]);
    const replaced = { SMTP_CERT: 'c.pem', REGISTRY_CERT: 'c.pem', AUDIT_SINK_CERT: 'c.pem', METRICS_ROOTS: 'r.pem' };
    const database = 'postgresql://portal@127.0.0.1:9/portal';
    expect(
      await listAbout('credentials', { ...used, ...replaced, DATABASE_URL: database, TLS_FILE: 'server.pem' }),
    ).toEqual([]);
  });

  test('[ASVS-10.4.6] lists applications that may omit PKCE, and those that CLIENTS_STRICT rejects', async () => {
    const client = { name: 'A', redirectUris: ['https://a.example/cb'], scopes: ['email'] };
    const of = (id: string, legacyUntil: string) => ({
      ...client,
      id,
      legacy: true,
      legacyUntil,
      secret: 's'.repeat(16),
    });
    const clients = [of('late', '2099-12-31'), of('past', '2020-12-31'), { ...client, id: 'new' }];
    writeFileSync(join(folder, 'legacy.json'), JSON.stringify(clients));
    const { findings } = await runDoctor({ CLIENTS_FILE: join(folder, 'legacy.json') });
    expect(findings.filter((line) => line.startsWith('doubtful  applications'))).toEqual([
      expect.stringMatching(/late may omit PKCE.* until 2099-12-31/),
      expect.stringMatching(/past was legacy until 2020-12-31/),
    ]);
    const fapi = 'not of the profile fapi2: late, past, new. CLIENTS_STRICT would refuse them.';
    expect(findings).toContain(`fine      applications: ${fapi}`);
    const strict = await runDoctor({ CLIENTS_FILE: join(folder, 'legacy.json'), CLIENTS_STRICT: 'on' });
    expect(strict.findings).toContainEqual(
      expect.stringMatching(/^wrong {5}applications: CLIENTS_STRICT refuses late, past, new/),
    );
  });

  test('[SEC-07] lists SAML service providers whose metadata have expired, expire soon or cannot be refreshed', async () => {
    const metadata = (id: string, hours: number): string =>
      `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://${id}.example/" validUntil="${new Date(Date.now() + hours * 3_600_000).toISOString()}"><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/acs"/></SPSSODescriptor><ContactPerson contactType="technical"><EmailAddress>mailto:ti@sp.example</EmailAddress></ContactPerson></EntityDescriptor>`;
    const lives = { over: -1, soon: 48, fresh: 200 };
    const entries = Object.entries(lives).map(([id, hours]) => {
      writeFileSync(join(folder, `${id}.xml`), metadata(id, hours));
      return { id, name: id, metadata: `${id}.xml` };
    });
    writeFileSync(join(folder, 'saml.json'), JSON.stringify(entries));
    const about = (findings: readonly string[]) => findings.filter((line) => line.includes('metadata'));
    const lines = [
      expect.stringMatching(/^wrong {5}applications: the requests of over are refused: .* is ti@sp\.example\.$/),
      expect.stringMatching(/^doubtful {2}applications: the metadata of soon are valid only until/),
    ];
    expect(about((await runDoctor({ SAML_FILE: join(folder, 'saml.json') })).findings)).toEqual(lines);
    const postgres = await startPostgres({ tables: true });
    const { db, close } = await openTables(postgres.url);
    for (const [id, hours] of Object.entries(lives))
      await db
        .insertInto('saml_providers')
        .values({
          id,
          entity_id: id,
          registration: '{}',
          metadata: metadata(id, hours),
          created_at: new Date(),
          refresh_at: null,
          refresh_error: id === 'fresh' ? 'no trusted certificate matches the signature' : null,
        })
        .execute();
    const { findings } = await runDoctor({ DATABASE_URL: postgres.url, KEYS_DIR: join(folder, 'no-keys') });
    const failing = expect.stringMatching(
      /^doubtful {2}applications: the metadata of fresh cannot be refreshed: no trusted certificate matches the signature\. Its/,
    );
    expect(about(findings)).toEqual([failing, ...lines]);

    // [ASVS-11.2.3] registrations with short keys, which an older version accepted
    const pem = encodePem(await issueCertificate(new Date(), { algorithm: 'rsa2048', subject: 'CN=sp' }));
    const base64 = pem.replace(/-----[A-Z ]+-----|\s/g, '');
    const key = `<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${base64}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`;
    await db
      .updateTable('saml_providers')
      .set({ metadata: metadata('fresh', 200).replace('<AssertionConsumerService', `${key}$&`) })
      .where('id', '=', 'fresh')
      .execute();
    const jwk = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ format: 'jwk' });
    const client = { name: 'A', redirectUris: ['https://a.example/cb'], scopes: [], profile: 'oidc' };
    const clients = [
      { ...client, id: 'brief', jwks: { keys: [jwk] } },
      { ...client, id: 'older', signingAlg: 'RS256' },
    ];
    for (const registration of clients)
      await db
        .insertInto('clients')
        .values({
          ...{ id: registration.id, registration: JSON.stringify(registration) },
          ...{ secret: null, created_at: new Date() },
        })
        .execute();
    await close();
    const refused = async (env: Record<string, string>) =>
      (await runDoctor({ DATABASE_URL: postgres.url, KEYS_DIR: join(folder, 'no-keys'), ...env })).findings.filter(
        (line) => line.includes('is refused'),
      );
    expect(await refused(beyond)).toEqual([
      expect.stringMatching(/^wrong {5}applications: brief is refused: jwks of brief has an RSA key of 2048 bits/),
      expect.stringMatching(/^wrong {5}applications: older is refused: .*signingAlg RS256/),
      expect.stringMatching(/^wrong {5}applications: fresh is refused: an RSA key of the metadata has 2048 bits/),
    ]);
    expect(await refused({})).toEqual([]);
    await postgres.stop();
  });

  test('[ASVS-6.7.1] warns if the server can write the file of trusted authorities', async () => {
    const roots = join(folder, 'authorities.pem');
    writeFileSync(roots, encodePem(await issueRoot(new Date())));
    const about = (mode: number) => {
      chmodSync(roots, mode);
      return listAbout('certificates', { SIGNATURE_ROOTS: roots });
    };
    expect(await about(0o644)).toEqual([
      `doubtful  certificates: this server can change the file of SIGNATURE_ROOTS (${roots}). Mount it read-only.`,
    ]);
    expect(await about(0o464)).toHaveLength(1);
    expect(await about(0o444)).toEqual([]);
  });

  test('reports a signer file that the server could not read at its start', async () => {
    writeFileSync(join(folder, 'signer.pem'), 'x');
    const { findings } = await runDoctor({
      WALLET_SIGNER: join(folder, 'signer.pem'),
      WALLET_ISSUERS: join(folder, 'no.pem'),
    });
    expect(findings).toContainEqual(expect.stringMatching(/^wrong {5}wallet: The file of WALLET_SIGNER/));
  });

  test('warns of a TLS certificate that ends in ten days, and reports one that has ended', async () => {
    const file = join(folder, 'tls.pem');
    const place = async (days: [number, number]) =>
      writeFileSync(file, encodePem(await issueCertificate(new Date(), { subject: 'CN=127.0.0.1', days })));
    const aboutThem = async () =>
      (await runDoctor({ TLS_FILE: file })).findings.filter((line) => line.includes('certificates: that of TLS_FILE'));
    await place([-30, 60]);
    expect(await aboutThem()).toEqual([]);
    await place([-30, 10]);
    expect(await aboutThem()).toEqual([expect.stringMatching(/^doubtful .* ends in (9|10) days/)]);
    await place([-30, -2]);
    expect(await aboutThem()).toEqual([expect.stringMatching(/^wrong .* ended on /)]);
  });

  test('reports the age of the last backup, and warns if it is over a day or there is none', async () => {
    const postgres = await startPostgres({ tables: true });
    const aboutIt = () => listAbout('backups', { DATABASE_URL: postgres.url });
    expect(await aboutIt()).toEqual([expect.stringMatching(/^doubtful .* none is recorded/)]);
    const { db, close } = await openTables(postgres.url);
    const record = (hours: number) =>
      db
        .insertInto('backups')
        .values({ at: new Date(Date.now() - hours * 3_600_000), sha256: '' })
        .execute();
    await record(30);
    expect(await aboutIt()).toEqual([expect.stringMatching(/^doubtful .* 30 hours old/)]);
    await record(2);
    expect(await aboutIt()).toEqual([expect.stringMatching(/^fine .* 2 hours old/)]);
    await close();
    await postgres.stop();
  });

  test('checks that PostgreSQL is reachable, is not empty and accepts DATABASE_POOL connections', async () => {
    const postgres = await startPostgres();
    const { findings } = await runDoctor({
      DATABASE_URL: postgres.url,
      DATABASE_POOL: '200',
      KEYS_DIR: join(folder, 'no-keys'),
    });
    await postgres.stop();
    expect(findings).toContainEqual(expect.stringMatching(/^fine {6}database: PostgreSQL \d+\.\d+.* answers$/));
    expect(findings).toContainEqual(expect.stringMatching(/^wrong {5}database: DATABASE_POOL is 200/));
    expect(findings).toContainEqual(expect.stringMatching(/^doubtful {2}database: it is empty/));
    expect(findings.filter((line) => line.startsWith('wrong'))).toHaveLength(1);
  });

  test('compares the keys with those known to the database, and creates none', async () => {
    const postgres = await startPostgres({ tables: true });
    const keysDir = join(folder, 'known-keys');
    const aboutKeys = async (env: Record<string, string> = {}) =>
      (await runDoctor({ DATABASE_URL: postgres.url, KEYS_DIR: keysDir, ...env })).findings.filter((line) =>
        line.includes('keys:'),
      );
    const before = await aboutKeys();
    expect(
      before.map((line) => line.slice(0, 9).trim()),
      'before the first start',
    ).toEqual(Array(5).fill('doubtful'));
    expect(existsSync(keysDir)).toBe(false);
    const { db, close } = await openTables(postgres.url);
    await loadServerKeysMatchingFingerprints({ db } as DatabaseStore, createKeyFilesConfig(keysDir), new Date());
    await close();
    expect(await aboutKeys()).toEqual([expect.stringMatching(/^fine/)]);
    expect(await aboutKeys({ ENCRYPTION_KEY: generateEncryptionKey() })).toEqual([
      expect.stringMatching(/^wrong {5}keys: The encryption key is not the one/),
    ]);
    rmSync(join(keysDir, 'encryption.key'));
    writeFileSync(join(keysDir, 'signing.pem'), 'garbage', { mode: 0o600 });
    writeFileSync(join(keysDir, 'captcha.key'), 'garbage', { mode: 0o600 });
    writeFileSync(join(keysDir, 'audit.pem'), '-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----\n', {
      mode: 0o600,
    });
    expect(await aboutKeys()).toEqual([
      expect.stringMatching(/^wrong {5}keys: .*signing\.pem cannot be read: /),
      expect.stringMatching(/^wrong {5}keys: .*encryption\.key is missing\. .*put it back/),
      expect.stringMatching(/^wrong {5}keys: .*captcha\.key cannot be read: 32 bytes/),
      expect.stringMatching(/^wrong {5}keys: .*audit\.pem cannot be read: /),
    ]);
    await postgres.stop();
  });

  test('reports listeners that share a port, and a desk without AGENT_DOMAINS', async () => {
    const shared: readonly Record<string, string>[] = [
      { PORT: '4000', METRICS_PORT: '4000' },
      { PORT: '4002', METRICS_PORT: '4000', WORKERS: '4', DATABASE_URL: 'postgresql://portal@127.0.0.1:9/portal' },
      { PORT: '4000', OUTBOX_PORT: '4000' },
    ];
    for (const env of shared) {
      const { code, findings } = await runDoctor(env);
      expect([code, findings]).toEqual([
        1,
        [expect.stringMatching(/^wrong {5}settings: \w+_PORT \(4000\) must differ from/)],
      ]);
    }
    const desk = { AGENTS_HOST: 'https://agentes.identidad.example.uy' };
    expect(await listAbout('desk', desk)).toEqual([
      expect.stringMatching(/^wrong {5}desk: AGENTS_HOST .*AGENT_DOMAINS is empty/),
    ]);
    expect(await listAbout('desk', { ...desk, AGENT_DOMAINS: 'example.uy' })).toEqual([]);
  });

  test.each([
    ['a single address', 'off', () => '198.51.100.1', /came from one address, 198\.51\.100\.1/],
    ['the addresses of the proxies', '10.0.0.0/8', (at: number) => `10.0.0.${at}`, /the address of the proxy/],
    ['many addresses', '10.0.0.0/8', (at: number) => `198.51.100.${at}`, null],
  ])('checks the audit log for requests that all come from %s', async (_note, trust, address, found) => {
    const postgres = await startPostgres({ tables: true });
    const { db, close } = await openTables(postgres.url);
    const row = { action: 'sign-in', citizen_id: null, request_id: 'r', details: '{}' };
    await db
      .insertInto('audit')
      .values(Array.from({ length: 40 }, (_, at) => ({ ...row, at: new Date(), address: address(at) })) as never)
      .execute();
    await close();
    const findings = await listAbout('addresses', { DATABASE_URL: postgres.url, TRUST_PROXY: trust });
    await postgres.stop();
    expect(findings).toEqual(found === null ? [] : [expect.stringMatching(found)]);
  });
});
