import { createPrivateKey } from 'node:crypto';
import { Agent, request } from 'node:http';
import { deflateRawSync } from 'node:zlib';
import { CompactEncrypt, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityBrokerPaths } from '../../../../src/contract/contract.ts';
import { verifyCardCertificate } from '../../../../src/server/trust/federation/card/identity-card-sign-in.ts';
import { oidcPaths } from '../../../../src/server/trust/federation/oidc/oidc-paths.ts';
import { samlPaths, SamlError } from '../../../../src/server/trust/federation/saml/saml-constants.ts';
import { createLocalSigner } from '../../../../src/server/platform/keys/jws-signer.ts';
import { signXmlElement } from '../../../../src/server/trust/federation/saml/xml-signature.ts';
import { parseXml } from '../../../../src/server/trust/federation/saml/xml.ts';
import { readSamlResponse } from '../../../../src/server/trust/federation/upstream/read-saml-response.ts';
import { readIdentityProviderMetadata } from '../../../../src/server/trust/federation/saml/metadata.ts';
import { walletCredentialId } from '../../../../src/server/trust/federation/wallet/wallet-verifier.ts';
import { verifyWalletPresentation } from '../../../../src/server/trust/federation/wallet/read-presentation.ts';
import { systemClock } from '../../../../src/server/platform/base/clock.ts';
import { measureMs, measureSlowness } from '../../../cost/support/cost.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { createSamlProvider, type TestSamlProvider } from '../../support/saml-identity-provider.ts';
import { registerProvider, type TestProvider } from '../../support/service-provider.ts';
import { wrapInMessage, expensiveContents } from '../../support/worst-xml.ts';

/** Maximum CPU time of a request that anybody can send, in milliseconds. It is scaled by `measureSlowness`. */
const maxMs = 20;
/** Maximum difference between two measurements of the same work, in milliseconds. */
const noiseMs = 6;

const table: string[] = [];
let server: LiveServer;
let provider: TestProvider;
let agent: Agent;

beforeAll(async () => {
  server = await startLiveServer({ FLAGS: 'saml_index=on', TRUST_PROXY: 'loopback' });
  provider = await registerProvider(server);
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterAll(async () => {
  agent.destroy();
  await server.close();
  if (process.env['COST_TABLE']) process.stdout.write(`${table.join('\n')}\n`);
});

interface Sent {
  readonly path: string;
  readonly form?: string;
  readonly headers?: Record<string, string>;
}

let senders = 0;

/** Sends each request from a new network address, so that throttling does not reject it before it causes its cost. */
function send({ path, form, headers = {} }: Sent): Promise<void> {
  senders += 1;
  const from = `10.${(senders >> 16) & 255}.${(senders >> 8) & 255}.${senders & 255}`;
  return new Promise((resolve, reject) => {
    const method = form === undefined ? 'GET' : 'POST';
    const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = request(
      new URL(path, server.origin),
      { agent, method, headers: { ...type, 'x-forwarded-for': from, ...headers } },
      (answer) => {
        if ([429, 500, 503].includes(answer.statusCode ?? 0))
          reject(new Error(`${path} is answered by ${answer.statusCode}`));
        answer.resume().once('end', resolve);
      },
    );
    sent.once('error', reject);
    sent.end(form);
  });
}

type Work = () => Promise<unknown>;

/**
 * Checks that the CPU time of `prepare(size)` is within the limit and linear: the double size may cost three times as much, and a quadratic cost would be
 * four times as high. Below `noiseMs`, the linearity is not checked.
 */
async function expectLinear(
  name: string,
  size: number,
  prepare: (size: number) => Work | Promise<Work>,
  most = maxMs,
): Promise<void> {
  const whole = await prepare(size);
  await whole(); // warm-up
  const more = await measureMs(whole, noiseMs, 3);
  if (more <= noiseMs) {
    table.push(`${name} | ${size} | | ${more.toFixed(1)}`); // too cheap to exceed a limit, so half the size is not measured
    return;
  }
  const [nothing, half] = [await prepare(0), await prepare(size / 2)];
  await nothing();
  const [base, less] = [await measureMs(nothing, 0, 2), await measureMs(half, 0, 2)];
  let cost = Math.max(0, more - base);
  let before = Math.max(0, less - base);
  if (cost > most || cost > 3 * before + noiseMs) {
    const factor = await measureSlowness(); // measured again only above a limit, because a busy machine could be the reason
    cost = Math.max(0, (await measureMs(whole)) - base) / factor;
    before /= factor;
  }
  table.push(`${name} | ${size} | ${before.toFixed(1)} | ${cost.toFixed(1)}`);
  expect.soft(cost, `${name}: milliseconds of ${size}`).toBeLessThanOrEqual(most);
  expect.soft(cost, `${name}: growth of ${before.toFixed(1)} ms`).toBeLessThanOrEqual(3 * before + noiseMs);
}

const sending =
  (sent: Sent): Work =>
  () =>
    send(sent);

const base64 = (xml: string): string => Buffer.from(xml).toString('base64');
const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const xmlSizes = [3_600, 90_000];

describe('[OPER-08] cost of a SAML message', () => {
  let identity: TestSamlProvider;
  beforeAll(async () => {
    identity = await createSamlProvider('https://idp.example');
  });
  const content = (name: string, size: number): string => (size === 0 ? '' : (expensiveContents[name]?.(size) ?? ''));

  test.each(Object.keys(expensiveContents))(
    'is at most 20 ms, and linear above 6 ms, for a form with %s, for sign-in, logout and response',
    async (name) => {
      const addresses = [
        [samlPaths.ssoByPost, 'SAMLRequest', 'AuthnRequest'],
        [samlPaths.sloByPost, 'SAMLRequest', 'LogoutRequest'],
        [samlPaths.sloByPost, 'SAMLResponse', 'LogoutResponse'],
        [samlPaths.send, 'SAMLResponse', 'Response'],
      ] as const;
      for (const [path, field, message] of addresses)
        for (const size of xmlSizes)
          await expectLinear(`POST ${path} ${field}: ${name}`, size, (length) => {
            const xml = wrapInMessage(content(name, length), provider.entityId, message);
            return sending({ path, form: form({ [field]: base64(xml) }) });
          });
    },
  );

  test.each(Object.keys(expensiveContents))(
    'is at most 20 ms, and linear above 6 ms, for a deflated message with %s',
    async (name) => {
      for (const path of [samlPaths.ssoByRedirect, samlPaths.sloByRedirect, '/saml-index/servicio'])
        await expectLinear(`GET ${path}: ${name}`, 8_000, (length) => {
          const xml = wrapInMessage(content(name, length), provider.entityId);
          const deflated = deflateRawSync(Buffer.from(xml)).toString('base64');
          return sending({ path: `${path}?${form({ SAMLRequest: deflated, Signature: 'AA==' })}` });
        });
    },
  );

  test.each(Object.keys(expensiveContents))(
    'is at most 80 ms, and linear above 6 ms, for a signed request of a registered service provider with %s',
    async (name) => {
      const { privateKey, certificate } = provider;
      const credential = { signer: createLocalSigner(createPrivateKey(privateKey)), certificate };
      const prepare = async (length: number): Promise<Work> => {
        const xml = wrapInMessage(content(name, length), provider.entityId);
        try {
          parseXml(xml);
        } catch {
          return async () => undefined; // rejected by the parser before its signature is read; the unsigned cases measure these messages
        }
        const signed = await signXmlElement(xml, { id: '_a', hasIssuer: true }, credential);
        return sending({ path: samlPaths.ssoByPost, form: form({ SAMLRequest: base64(signed) }) });
      };
      await expectLinear(`POST SSO, signed: ${name}`, 3_600, prepare, 4 * maxMs); // a higher limit, because the throttle counts these requests before their cost arises
    },
  );

  test('is at most 20 ms, and linear above 6 ms, for a deflate bomb', async () => {
    await expectLinear('GET SSO: a bomb of deflate', 8_000_000, (length) => {
      const deflated = deflateRawSync(Buffer.alloc(length, ' ')).toString('base64');
      return sending({ path: `${samlPaths.ssoByRedirect}?${form({ SAMLRequest: deflated })}` });
    });
  });

  test.each(Object.keys(expensiveContents))(
    'is at most 20 ms, and linear above 6 ms, for a response with %s in a plain or encrypted assertion',
    async (name) => {
      const expected = {
        provider: readIdentityProviderMetadata(identity.metadata),
        audience: 'https://portal.example',
        consumer: 'https://portal.example/acs',
        inResponseTo: '_b',
        clock: systemClock,
        decryptionKeys: [identity.credential.privateKey],
      };
      const wrapped = [
        ['Assertion', (inner: string) => `<saml:Assertion ID="_b">${inner}</saml:Assertion>`],
        ['EncryptedAssertion', (inner: string) => `<saml:EncryptedAssertion>${inner}</saml:EncryptedAssertion>`],
      ] as const;
      const status =
        '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>';
      for (const [kind, wrap] of wrapped)
        for (const size of xmlSizes)
          await expectLinear(`ACS ${kind}: ${name}`, size, (length) => {
            const xml = wrapInMessage(status + wrap(content(name, length)), 'https://idp.example', 'Response').replace(
              'Version=',
              'InResponseTo="_b" Version=',
            );
            return () =>
              readSamlResponse(base64(xml), expected).catch((error: unknown) => {
                if (!(error instanceof SamlError)) throw error;
              });
          });
    },
  );
});

describe('[OPER-08] cost of an OpenID Connect request', () => {
  const authorize = (fields: Record<string, string>): string =>
    form({
      client_id: 'rp-1',
      response_type: 'code',
      redirect_uri: 'https://rp.example/cb',
      scope: 'openid',
      ...fields,
    });

  beforeAll(async () => {
    await server.register({ id: 'rp-1', name: 'RP', redirectUris: ['https://rp.example/cb'] });
  });

  const parameters: Readonly<Record<string, (size: number) => Record<string, string>>> = {
    'many scopes': (size) => ({ scope: `openid ${'a '.repeat(size / 2)}` }),
    'a scope of spaces': (size) => ({ scope: ' '.repeat(size) }),
    'deep claims': (size) => ({ claims: '{"a":'.repeat(size / 6) + '1' + '}'.repeat(size / 6) }),
    'wide claims': (size) => ({
      claims: `{"id_token":{${Array.from({ length: size / 8 }, (_, index) => `"${index}":{}`).join(',')}}}`,
    }),
    'many acr values': (size) => ({ acr_values: 'a '.repeat(size / 2) }),
    'a long state': (size) => ({ state: 's'.repeat(size) }),
    'a long id_token_hint': (size) => ({ id_token_hint: `${'a'.repeat(size / 2)}.${'b'.repeat(size / 4)}.c` }),
    'many prompts': (size) => ({ prompt: 'login '.repeat(size / 6) }),
    'many parameters': (size) => Object.fromEntries(Array.from({ length: size / 8 }, (_, index) => [`p${index}`, ''])),
  };

  test.each(Object.keys(parameters))('is at most 20 ms, and linear above 6 ms, for %s', async (name) => {
    const fields = (size: number): Record<string, string> => (size === 0 ? {} : (parameters[name]?.(size) ?? {}));
    await expectLinear(`GET authorize: ${name}`, 6_000, (size) =>
      sending({ path: `${oidcPaths.authorize}?${authorize(fields(size))}` }),
    );
    for (const path of [oidcPaths.authorize, oidcPaths.token, oidcPaths.userinfo, oidcPaths.logout])
      await expectLinear(`POST ${path}: ${name}`, 48_000, (size) => sending({ path, form: authorize(fields(size)) }));
  });
});

describe('[OPER-08] cost of a form post to a public page', () => {
  test('is at most 20 ms, and linear above 6 ms, for many fields and for one long field', async () => {
    for (const path of [
      oidcPaths.logout,
      samlPaths.ssoByPost,
      samlPaths.send,
      '/idp/x/acs',
      identityBrokerPaths.walletResponse,
    ])
      for (const unit of ['a&', 'a', '%41', '&'])
        await expectLinear(`POST ${path}: ${unit}`, 60_000, (size) =>
          sending({ path, form: unit.repeat(size / unit.length) }),
        );
  });
});

describe('[OPER-08] cost of a card certificate or wallet response', () => {
  test('is at most 20 ms, and linear above 6 ms, for a certificate with nested or repeated elements', async () => {
    const nested = (size: number): Buffer => Buffer.from(Array.from({ length: size / 2 }, () => [0x30, 0x80]).flat());
    const wide = (size: number): Buffer =>
      Buffer.concat([
        Buffer.from([0x30, 0x82, (size >> 8) & 0xff, size & 0xff]),
        Buffer.alloc(size, Buffer.from([5, 0])),
      ]);
    for (const [name, bytes] of [['nested', nested] as const, ['wide', wide] as const])
      for (const size of [8_000, 60_000])
        await expectLinear(`card: a certificate that is ${name}`, size, (length) => {
          const shown = [bytes(length)];
          const trust = { roots: [], checkRevocation: async () => undefined };
          return () => verifyCardCertificate(shown, trust, new Date()).catch(() => null);
        });
  });

  test('is at most 20 ms, and linear above 6 ms, for a presentation with many disclosures or deep nesting', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
    const expected = {
      issuers: [],
      clientId: 'x509_san_dns:portal.example',
      nonce: 'n',
      key: await exportJWK(privateKey),
      now: new Date(),
      fetchList: async () => '',
    };
    const header = Buffer.from('{"alg":"ES256","typ":"dc+sd-jwt"}').toString('base64url');
    const tokens: Readonly<Record<string, (size: number) => string>> = {
      'many disclosures': (size) => `${header}.e30.AA~${'WyJhIiwiYiIsMV0~'.repeat(size / 16)}`,
      tildes: (size) => `${header}.e30.AA${'~'.repeat(size)}`,
      'a deep credential': (size) =>
        `${header}.${Buffer.from('['.repeat(size / 2) + ']'.repeat(size / 2)).toString('base64url')}.AA~`,
    };
    for (const [name, token] of Object.entries(tokens))
      await expectLinear(`wallet: ${name}`, 40_000, async (size) => {
        const payload = Buffer.from(JSON.stringify({ vp_token: { [walletCredentialId]: [token(size)] } }));
        const answer = await new CompactEncrypt(payload)
          .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM' })
          .encrypt(publicKey);
        return () => verifyWalletPresentation(answer, expected).catch(() => null);
      });
  });
});
