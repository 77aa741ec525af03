import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command } from '../../../../src/cli/database/keys.ts';
import { StartError } from '../../../../src/server/platform/base/errors.ts';
import { parseSigningKeys } from '../../../../src/server/platform/keys/signing-keys.ts';
import { signingAlgorithms } from '../../../../src/server/platform/keys/jws-signer.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { callback, configureRelyingParty, obtainTokens } from '../../support/relying-party.ts';
import { runInProcess } from '../../support/run-command.ts';
import { obtainAssertion, registerProvider } from '../../support/service-provider.ts';

const modulePath = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
].find(existsSync);
const pkcs11 = await import('pkcs11js').catch(() => null);
const missing = modulePath === undefined ? 'SoftHSM (apt-get install softhsm2)' : pkcs11 === null ? 'pkcs11js' : null;

describe.skipIf(missing !== null)(
  `[SEC-11] [ASVS-13.3.3] signing key in a PKCS#11 module${missing === null ? '' : `: skipped, ${missing} is not installed`}`,
  () => {
    const label = 'signing';
    let folder: string;
    let uri: string;
    let postgres: TestPostgres;
    let env: Record<string, string>;
    let server: LiveServer;
    let browser: Browser;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'portal-pkcs11-'));
      await mkdir(join(folder, 'tokens'));
      await writeFile(join(folder, 'softhsm2.conf'), `directories.tokendir = ${join(folder, 'tokens')}\n`);
      process.env['SOFTHSM2_CONF'] = join(folder, 'softhsm2.conf');
      const init = ['--init-token', '--free', '--label', 'portal', '--so-pin', '12345678', '--pin', '8765'];
      expect(spawnSync('softhsm2-util', init).status).toBe(0);
      await writeFile(join(folder, 'pin'), '8765\n', { mode: 0o600 });
      uri = `pkcs11:token=portal;object=${label}?module-path=${modulePath}&pin-source=file:${join(folder, 'pin')}`;
      makePairs(label);
      postgres = await startPostgres({ tables: true });
      env = { DATABASE_URL: postgres.url, SIGNING_KEY: uri };
      server = await startLiveServer(env);
      browser = openBrowser(server.origin);
      await browser.signIn();
    }, 120_000);
    afterAll(async () => {
      await server.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    });

    /** Creates key pairs that cannot be exported from the token. */
    function makePairs(name: string): void {
      const [module, session] = open();
      const {
        CKM_RSA_PKCS_KEY_PAIR_GEN: rsa,
        CKM_EC_KEY_PAIR_GEN: ec,
        CKA_MODULUS_BITS,
        CKA_PUBLIC_EXPONENT,
        CKA_EC_PARAMS,
        CKA_LABEL,
        CKA_TOKEN,
        CKA_SENSITIVE,
        CKA_EXTRACTABLE,
        CKA_SIGN,
      } = pkcs11!;
      const common = [
        { type: CKA_LABEL, value: name },
        { type: CKA_TOKEN, value: true },
      ];
      const hidden = [
        ...common,
        { type: CKA_SIGN, value: true },
        { type: CKA_SENSITIVE, value: true },
        { type: CKA_EXTRACTABLE, value: false },
      ];
      const size = [
        { type: CKA_MODULUS_BITS, value: 2_048 },
        { type: CKA_PUBLIC_EXPONENT, value: Buffer.from([1, 0, 1]) },
      ];
      const p256 = [{ type: CKA_EC_PARAMS, value: Buffer.from('06082a8648ce3d030107', 'hex') }];
      module.C_GenerateKeyPair(session, { mechanism: rsa }, [...common, ...size], hidden);
      module.C_GenerateKeyPair(session, { mechanism: ec }, [...common, ...p256], hidden);
      module.C_CloseSession(session);
    }

    function open() {
      const module = new pkcs11!.PKCS11();
      module.load(modulePath!);
      try {
        module.C_Initialize({ flags: pkcs11!.CKF_OS_LOCKING_OK });
      } catch {
        // already initialized: the server has opened the module in this process
      }
      const [slot] = module.C_GetSlotList(true).filter((one) => module.C_GetTokenInfo(one).label.trim() === 'portal');
      const session = module.C_OpenSession(slot!, pkcs11!.CKF_RW_SESSION | pkcs11!.CKF_SERIAL_SESSION);
      try {
        module.C_Login(session, pkcs11!.CKU_USER, '8765');
      } catch {
        // already logged in: the server's login applies to all sessions of the process
      }
      return [module, session, slot!] as const;
    }

    test.each(signingAlgorithms)('signs ID tokens with %s that verify with the JWK set', async (alg) => {
      const { origin } = server;
      const secret = await server.register({ id: alg, name: alg, redirectUris: [callback], signingAlg: alg });
      const config = await configureRelyingParty(origin, alg, secret);
      const { id_token: token = '' } = await obtainTokens(browser, config, { prompt: 'consent' });
      const jwks = createRemoteJWKSet(new URL(`${origin}/oidc/v1/jwks`));
      await jwtVerify(token, jwks, { issuer: origin, audience: alg });
      const { signers } = server.parts.oidc.signing.listCurrentKeys()[0];
      expect(decodeProtectedHeader(token)).toMatchObject({ alg, kid: signers[alg].publicJwk.kid });
      expect(server.parts.oidc.signing.listCurrentKeys()[0].source, 'the server knows only the URI of the key').toBe(
        uri,
      );
    });

    test('signs SAML responses that node-saml verifies, and access tokens', async () => {
      const provider = await registerProvider(server);
      const profile = await obtainAssertion(provider, browser, server.origin);
      expect(profile).toMatchObject({ NumeroDocumento: '45123784' });
      expect(await server.parts.tokens.readSessionId(await browser.bearer())).not.toBeNull();
    });

    test('signs again after the module has closed its sessions, also many texts in parallel', async () => {
      const [module, , slot] = open();
      module.C_CloseAllSessions(slot);
      const [{ signers }] = server.parts.oidc.signing.listCurrentKeys();
      const { RS256 } = signers;
      const made = await Promise.all(Array.from({ length: 20 }, (_, at) => RS256.sign(Buffer.from(`text ${at}`))));
      expect(new Set(made.map((signature) => signature.toString('hex'))).size).toBe(20);
      expect(await server.parts.tokens.readSessionId(await browser.bearer())).not.toBeNull();
    });

    test('is opened once, even if the keys are reread', async () => {
      const [before] = server.parts.oidc.signing.listCurrentKeys();
      await server.parts.rereadKeys();
      const [after] = server.parts.oidc.signing.listCurrentKeys();
      expect(after).not.toBe(before);
      expect(after.signers.RS256.sign).toBe(before.signers.RS256.sign);
    });

    test('cannot be exported from the module, and is listed in the inventory', async () => {
      const [module, session] = open();
      const template = [{ type: pkcs11!.CKA_CLASS, value: pkcs11!.CKO_PRIVATE_KEY }];
      module.C_FindObjectsInit(session, template);
      const [key] = module.C_FindObjects(session, 1);
      module.C_FindObjectsFinal(session);
      expect(() => module.C_GetAttributeValue(session, key!, [{ type: pkcs11!.CKA_PRIVATE_EXPONENT }])).toThrow(
        /SENSITIVE|TYPE_INVALID/,
      );
      const { stdout } = await runInProcess(command, ['inventory'], { BASE_URL: '', ...env, KEYS_DIR: keysDir() });
      expect(stdout).toMatch(/^signing {2}[\w-]{43} {2}RSA {2}2048 bits .* in a PKCS#11 module$/m);
      expect(stdout).toMatch(/^decryption {2}[\w-]{43} {2}RSA {2}3072 bits .* in a file or setting$/m);
    });

    test('is added beside an earlier key with portal keys add, and takes over at a later time', async () => {
      const dir = join(folder, 'rotated');
      await mkdir(dir);
      for (const name of ['encryption.key', 'captcha.key', 'audit.pem', 'decryption.pem'])
        await writeFile(join(dir, name), await readFile(join(keysDir(), name)), { mode: 0o600 });
      await writeFile(join(dir, 'signing.pem'), `${uri}\n`, { mode: 0o600 });
      makePairs('next');
      const next = uri.replace('object=signing', 'object=next');
      const rotated = { BASE_URL: '', DATABASE_URL: postgres.url, KEYS_DIR: dir };
      const open = {
        ...rotated,
        BASE_URL: 'https://portal.example',
        MALWARE_SCANNER: 'none',
        SMTP_URL: 'smtps://mail.example',
      };
      const refused = await runInProcess(command, ['add', 'signing', '--pkcs11', next], open);
      expect(refused.stderr, '[ASVS-11.2.3] error of a short key').toMatch(/has 2048 bits and needs 3072.*pkcs11-tool/);
      expect(refused.status).toBe(1);
      const added = await runInProcess(command, ['add', 'signing', '--pkcs11', next, '--wait', '5'], rotated);
      expect(added).toMatchObject({ status: 0, stderr: '' });
      const text = await readFile(join(dir, 'signing.pem'), 'utf8');
      expect(text).toMatch(/^pkcs11:token=portal;object=signing\S+\nsince \S+Z\npkcs11:token=portal;object=next\S+\n$/);
      expect((await parseSigningKeys(text)).map(({ source, since }) => [source, since])).toEqual([
        [uri, null],
        [next, expect.any(Date)],
      ]);
    });

    test.each([
      ['an unknown label', () => uri.replace('object=signing', 'object=none'), /needs one RSA .* label none/],
      ['an unknown token', () => uri.replace('token=portal', 'token=none'), /no token none/],
      ['a missing PIN file', () => uri.replace('/pin', '/nothing'), /ENOENT/],
      ['no label', () => uri.replace('object=', 'id='), /needs object/],
      ['a missing module', () => uri.replace('libsofthsm2', 'nothing'), /signing cannot be used in \S+nothing/],
    ])('is rejected at the start with %s', async (_, address, message) => {
      const failed = parseSigningKeys(address());
      await expect(failed).rejects.toThrow(StartError);
      await expect(failed).rejects.toThrow(message);
    });

    const keysDir = () => server.parts.config.keys.dir;
  },
);
