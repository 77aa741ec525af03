import { generateKeyPairSync } from 'node:crypto';
import { generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { fingerprintServerKeys } from '../../../src/server/platform/keys/key-fingerprints.ts';
import { isKeyRotationOverdue, listKeyInventory } from '../../../src/server/platform/keys/key-inventory.ts';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateAuditKey } from '../../../src/server/platform/keys/audit-keys.ts';
import { authenticateBearerToken, createAccessTokenIssuer } from '../../../src/server/trust/sessions/access-tokens.ts';
import { revokeSessionsOfCitizen } from '../../../src/server/trust/sessions/revoke-sessions.ts';
import { startSession } from '../../../src/server/trust/sessions/start-session.ts';
import { decryptAesGcm, encryptAesGcm } from '../../../src/server/platform/keys/vault.ts';
import { formatEncryptionKeys } from '../../../src/server/platform/keys/encryption-keys.ts';
import {
  assertKeyStrength,
  loadServerKeys,
  type ServerKeys,
} from '../../../src/server/platform/keys/load-server-keys.ts';
import { signJwt } from '../../../src/server/platform/keys/jws-signer.ts';
import { createSigningKey, createSigningKeyRing } from '../../../src/server/platform/keys/signing-keys.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const own = { signing: null, encryption: null, decryption: null, captcha: null, audit: null };

describe('keys', () => {
  let dir: string;
  beforeAll(async () => {
    dir = join(await mkdtemp(join(tmpdir(), 'portal-keys-')), 'keys');
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  test('[SES-01 ASVS-11.2.3] are created once with file mode 0600, and then loaded', async () => {
    const made = await loadServerKeys({ dir, ...own });
    expect((await readdir(dir)).sort()).toEqual([
      'audit.pem',
      'captcha.key',
      'decryption.pem',
      'encryption.key',
      'signing.pem',
    ]);
    for (const name of await readdir(dir)) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
    const entries = listKeyInventory(made, [], new Date());
    expect(entries[0], '[ASVS-11.2.3] size of the signing key').toMatchObject({
      use: 'signing',
      algorithm: 'RSA',
      bits: 3_072,
    });
    const found = await loadServerKeys({ dir, ...own });
    expect(found.signing[0].kid).toBe(made.signing[0].kid);
    expect([found.encryption, found.captcha]).toEqual([made.encryption, made.captcha]);
  });

  test('[ASVS-11.2.3] of 2,048 bits stop the start outside loopback, except retired ones', async () => {
    const short = () =>
      generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    const open = { BASE_URL: 'https://portal.example', MALWARE_SCANNER: 'none', SMTP_URL: 'smtps://mail.example' };
    const pem = String(short());
    for (const [name, remedy] of [
      ['SIGNING_KEY', 'npx portal keys add signing --wait 0'],
      ['DECRYPTION_KEY', 'npx portal keys retire'],
    ] as const) {
      const started = openTestServer({ env: { ...open, [name]: pem } });
      await expect(started).rejects.toThrow(/The (signing|decryption) key [\w-]{43} has 2048 bits. It needs 3072/);
      await expect(started).rejects.toThrow(remedy);
    }
    await (await openTestServer({ env: { SIGNING_KEY: pem, DECRYPTION_KEY: pem } })).close();

    const now = new Date('2026-06-01T00:00:00Z');
    const fixed = await readFile(join(import.meta.dirname, '../support/keys/signing.pem'), 'utf8');
    const [retired, large] = [await createSigningKey(pem, null), await createSigningKey(fixed.trim(), now)];
    const decryption = [large] as const;
    expect(() => assertKeyStrength({ signing: [retired, large], decryption }, now)).not.toThrow();
    const waiting = await createSigningKey(pem, new Date('2026-06-02T00:00:00Z'));
    expect(() => assertKeyStrength({ signing: [large, waiting], decryption }, now)).toThrow('retire');
    expect(() => assertKeyStrength({ signing: [large], decryption: [large, retired] }, now)).toThrow('decryption key');
  });

  test('[ASVS-13.3.4] are listed with their age, and are overdue after their cryptoperiod', async () => {
    const keys = await loadServerKeys({ dir, ...own });
    const start = new Date('2026-01-01T00:00:00Z');
    const accepted = fingerprintServerKeys(keys, start).map((key) => ({ ...key, acceptedAt: start }));
    const listOverdue = (days: number) => {
      const now = new Date(start.getTime() + days * 86_400_000);
      return listKeyInventory(keys, accepted, now).flatMap((entry) =>
        isKeyRotationOverdue(entry, now) ? entry.use : [],
      );
    };
    expect(listKeyInventory(keys, accepted, start).map(({ use, since }) => [use, since])).toEqual(
      [
        'signing',
        'decryption',
        'encryption',
        'digest',
        'saml-pairwise',
        'oidc-pairwise',
        'oidc-cookies',
        'captcha',
        'audit',
      ].map((use) => [use, start]),
    );
    expect(listOverdue(364)).toEqual([]);
    expect(listOverdue(365)).toEqual(['captcha']);
    expect(listOverdue(730)).toEqual(['signing', 'decryption', 'encryption', 'captcha']);
    expect(JSON.stringify(listKeyInventory(keys, accepted, start))).not.toContain(keys.captcha.toString('base64'));
  });

  test('[OPER-02] are not created for the audit log or decryption if the others come from settings', async () => {
    const { signing, encryption, decryption, captcha } = await loadServerKeys({ dir, ...own });
    const pem = signing[0].source;
    const given = {
      signing: pem,
      encryption: formatEncryptionKeys(encryption),
      decryption: decryption[0].source,
      captcha: captcha.toString('base64'),
    };
    const empty = join(dir, 'empty');
    await expect(loadServerKeys({ dir: empty, ...given, audit: null })).rejects.toThrow('AUDIT_KEY');
    await expect(loadServerKeys({ dir: empty, ...given, decryption: null, audit: generateAuditKey() })).rejects.toThrow(
      'DECRYPTION_KEY',
    );
    expect((await loadServerKeys({ dir: empty, ...given, audit: generateAuditKey() })).audit).toHaveLength(1);
    expect((await loadServerKeys({ dir, ...given, audit: null })).audit, 'an existing file is loaded').toHaveLength(1);
  });

  test('[SES-01] verify old access tokens after a new signing key is added', async () => {
    const clock = createFakeClock();
    const pem = await readFile(join(dir, 'signing.pem'), 'utf8');
    const other = await loadServerKeys({ dir: `${dir}-new`, ...own });
    const newPem = await readFile(`${dir}-new/signing.pem`, 'utf8');
    const rotated = await loadServerKeys({ dir, ...own, signing: `${newPem}\n${pem}` });
    const tokens = ({ signing }: ServerKeys) =>
      createAccessTokenIssuer(createSigningKeyRing(signing, clock), clock, { issuer: 'http://localhost', lifeS: 300 });
    const session = {
      id: 's1',
      generation: 'g',
      renewedBy: null,
      citizenId: 'c1',
      document: 'uy-ci-1',
      nid: 1,
      role: 'citizen' as const,
      idp: null,
      country: 'uy',
      permissions: {},
      restricted: false,
      factorDue: false,
      phishingResistant: false,
      agentHasPasskey: false,
      device: { userAgent: '', address: '' },
      seenAt: clock.now(),
      expiresAt: clock.now(),
    };
    const before = await tokens(await loadServerKeys({ dir, ...own })).issueToken(session);
    expect(await tokens(rotated).readSessionId(before)).toBe('s1');
    expect(await tokens(other).readSessionId(await tokens(rotated).issueToken(session))).toBe('s1');
    expect(await tokens(other).readSessionId(before)).toBeNull();
    await rm(`${dir}-new`, { recursive: true });
  });

  test('[SES-01] decrypt only with the right key, purpose and complete ciphertext', async () => {
    const {
      encryption: {
        keys: [{ bytes: encryption }],
      },
      captcha,
    } = await loadServerKeys({ dir, ...own });
    const sealed = encryptAesGcm(encryption, 'totp', 'secret ñ');
    expect(decryptAesGcm(encryption, 'totp', sealed)).toBe('secret ñ');
    expect(encryptAesGcm(encryption, 'totp', 'secret ñ')).not.toBe(sealed);
    expect(() => decryptAesGcm(captcha, 'totp', sealed)).toThrow();
    expect(() => decryptAesGcm(encryption, 'else', sealed)).toThrow();
    expect(() => decryptAesGcm(encryption, 'totp', `${sealed.slice(0, -2)}AA`)).toThrow();
  });
});

describe('access tokens of the portal', () => {
  let server: TestServer;
  let citizenId: string;
  let keys: ServerKeys;
  let session: string;
  beforeAll(async () => {
    server = await openTestServer();
    keys = await loadServerKeys(server.parts.config.keys);
    citizenId = (
      await server.parts.store.db
        .selectFrom('citizens')
        .select('id')
        .where('number', '=', '45123784')
        .executeTakeFirstOrThrow()
    ).id;
    session = await start();
  });
  afterAll(() => server.close());

  const start = () =>
    server.parts.store
      .transaction((tx) =>
        startSession(tx, {
          citizenId,
          amr: ['urn:iduruguay:am:password'],
          nid: 1,
          role: 'citizen',
          now: server.clock.now(),
          lifeS: 43_200,
          idleS: 1_800,
          device: { userAgent: '', address: '192.0.2.1' },
        }),
      )
      .then(({ secret }) => secret);
  const obtain = async (secret: string) =>
    (await server.call('obtainToken', { cookies: { session: secret } })).body.token;
  const claims = async () =>
    JSON.parse(Buffer.from((await obtain(session)).split('.')[1] ?? '', 'base64url').toString());
  const sign = (payload: JWTPayload, header: { typ?: string; alg?: string } = {}, key?: CryptoKey | Uint8Array) => {
    const { ES256, RS256 } = keys.signing[0].signers;
    const signer = header.alg === 'RS256' ? RS256 : ES256;
    const full = { alg: signer.algorithm, typ: 'portal+jwt', kid: signer.publicJwk.kid, ...header };
    return key === undefined ? signJwt(signer, full, payload) : new SignJWT(payload).setProtectedHeader(full).sign(key);
  };

  test('[SES-01] identify their citizen', async () => {
    expect(await authenticateBearerToken(server.parts, await obtain(session))).toEqual({
      document: 'uy-ci-45123784',
      citizenId,
      sessionId: expect.any(String),
      tokenId: expect.any(String),
      role: 'citizen',
      permisos: { tramitar_videollamada: ['crear'] }, // every national citizen has this permission
      restricted: false,
      factorDue: false,
      needsPasskey: false,
      nid: 1,
    });
  });

  test.each([
    {
      note: 'signed with another key',
      make: async () => sign(await claims(), {}, (await generateKeyPair('ES256')).privateKey),
    },
    {
      note: 'signed with HS256 and the public key',
      make: async () =>
        sign(await claims(), { alg: 'HS256' }, Buffer.from(keys.signing[0].signers.ES256.publicJwk.x ?? '')),
    },
    {
      note: 'signed with RS256 by the own key [ASVS-11.6.1]',
      make: async () => sign(await claims(), { alg: 'RS256' }),
    },
    {
      note: 'without signature',
      make: async () => {
        const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'portal+jwt' })).toString('base64url');
        return `${header}.${Buffer.from(JSON.stringify(await claims())).toString('base64url')}.`;
      },
    },
    { note: 'with another type', make: async () => sign(await claims(), { typ: 'JWT' }) },
    { note: 'for another audience', make: async () => sign({ ...(await claims()), aud: 'someone' }) },
    { note: 'from another issuer', make: async () => sign({ ...(await claims()), iss: 'https://evil.example' }) },
    { note: 'without exp', make: async () => sign({ ...(await claims()), exp: undefined }) },
    { note: 'with an unknown session', make: async () => sign({ ...(await claims()), sid: 'made-up' }) },
    { note: 'if they are malformed', make: async () => 'x' },
  ])('[SES-01] are rejected $note', async ({ make }) => {
    expect(await authenticateBearerToken(server.parts, await sign(await claims()))).not.toBeNull();
    expect(await authenticateBearerToken(server.parts, await make())).toBeNull();
  });

  test('[SES-01] expire after their lifetime', async () => {
    const token = await obtain(session);
    server.clock.advance(299);
    expect(await authenticateBearerToken(server.parts, token)).not.toBeNull();
    server.clock.advance(1);
    expect(await authenticateBearerToken(server.parts, token)).toBeNull();
  });

  test('[SES-01] end with the logout, which clears the cookies and succeeds without a session', async () => {
    const secret = await start();
    const token = await obtain(secret);
    for (const cookies of [{ session: secret }, { session: secret }, {}]) {
      expect(await server.call('logout', { cookies })).toEqual({
        body: { logout_urls: [], location: '/', wait_longer: false, unreachable: [] },
        cookies: { session: null, challenge: null },
      });
    }
    expect(await authenticateBearerToken(server.parts, token)).toBeNull();
    await expect(obtain(secret)).rejects.toMatchObject({ status: 401, code: 'no_autenticado' });
  });

  test('[SES-01] end when the sessions of a citizen are revoked, except that of the session to keep', async () => {
    const [kept, gone] = [await start(), await start()];
    const [keptToken, goneToken] = [await obtain(kept), await obtain(gone)];
    const keep = (await authenticateBearerToken(server.parts, keptToken))?.sessionId ?? '';
    await server.parts.store.transaction((tx) => revokeSessionsOfCitizen(tx, citizenId, server.clock.now(), keep));
    expect(await authenticateBearerToken(server.parts, keptToken)).not.toBeNull();
    expect(await authenticateBearerToken(server.parts, goneToken)).toBeNull();
    await server.parts.store.transaction((tx) => revokeSessionsOfCitizen(tx, citizenId, server.clock.now()));
    expect(await authenticateBearerToken(server.parts, keptToken)).toBeNull();
  });

  test('[SES-01] are rejected while the account is blocked', async () => {
    const token = await obtain(await start());
    const block = (at: Date | null) =>
      server.parts.store.db.updateTable('citizens').set({ blocked_at: at }).where('id', '=', citizenId).execute();
    await block(server.clock.now());
    expect(await authenticateBearerToken(server.parts, token)).toBeNull();
    await block(null);
    expect(await authenticateBearerToken(server.parts, token)).not.toBeNull();
  });

  test('[SES-01] are obtained with a session cookie that is stored only as a hash', async () => {
    const secret = await start();
    const rows = await server.parts.store.db.selectFrom('broker_sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});
