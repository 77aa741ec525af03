import { generateKeyPairSync } from 'node:crypto';
import { fingerprintServerKeys } from '../../../src/server/platform/keys/key-fingerprints.ts';
import { isKeyRotationOverdue, listKeyInventory } from '../../../src/server/platform/keys/key-inventory.ts';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateAuditKey } from '../../../src/server/platform/keys/audit-keys.ts';
import { createAccessTokenIssuer } from '../../../src/server/trust/sessions/access-tokens.ts';
import { decryptAesGcm, encryptAesGcm } from '../../../src/server/platform/keys/vault.ts';
import { formatEncryptionKeys } from '../../../src/server/platform/keys/encryption-keys.ts';
import {
  assertKeyStrength,
  loadServerKeys,
  type ServerKeys,
} from '../../../src/server/platform/keys/load-server-keys.ts';
import { createSigningKey, createSigningKeyRing } from '../../../src/server/platform/keys/signing-keys.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createKeyFilesConfig } from '../support/signing-key.ts';
import { openTestServer } from '../support/test-server.ts';

describe('keys', () => {
  let dir: string;
  beforeAll(async () => {
    dir = join(await mkdtemp(join(tmpdir(), 'portal-keys-')), 'keys');
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  test('[SES-01 ASVS-11.2.3] are created once with file mode 0600, and then loaded', async () => {
    const made = await loadServerKeys(createKeyFilesConfig(dir));
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
    const found = await loadServerKeys(createKeyFilesConfig(dir));
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
    const keys = await loadServerKeys(createKeyFilesConfig(dir));
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
    const { signing, encryption, decryption, captcha } = await loadServerKeys(createKeyFilesConfig(dir));
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
    const other = await loadServerKeys(createKeyFilesConfig(`${dir}-new`));
    const newPem = await readFile(`${dir}-new/signing.pem`, 'utf8');
    const rotated = await loadServerKeys({ ...createKeyFilesConfig(dir), signing: `${newPem}\n${pem}` });
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
    const before = await tokens(await loadServerKeys(createKeyFilesConfig(dir))).issueToken(session);
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
    } = await loadServerKeys(createKeyFilesConfig(dir));
    const sealed = encryptAesGcm(encryption, 'totp', 'secret ñ');
    expect(decryptAesGcm(encryption, 'totp', sealed)).toBe('secret ñ');
    expect(encryptAesGcm(encryption, 'totp', 'secret ñ')).not.toBe(sealed);
    expect(() => decryptAesGcm(captcha, 'totp', sealed)).toThrow();
    expect(() => decryptAesGcm(encryption, 'else', sealed)).toThrow();
    expect(() => decryptAesGcm(encryption, 'totp', `${sealed.slice(0, -2)}AA`)).toThrow();
  });
});
