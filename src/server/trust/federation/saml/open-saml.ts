import type { Clock } from '../../../platform/base/clock.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Keys } from '../../../platform/keys/load-keys.ts';
import {
  madeOfKeys,
  type SigningKeys,
  type SigningRing,
  makeSigningKey,
  type SigningKey,
} from '../../../platform/keys/signing-keys.ts';
import type { Logger } from 'pino';
import { createSamlRequests } from './requests.ts';
import { createServiceProviders, fixedServiceProviders, type ServiceProviders } from './service-providers.ts';
import type { Credentials, KeyCredentials } from './signature.ts';
import { testProvider } from './test-provider.ts';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { Integer, PrintableString } from 'asn1js';
import { exportPKCS8, type JWK } from 'jose';
import { AttributeTypeAndValue, Certificate } from 'pkijs';
import type { Clients } from '../clients/clients.ts';

export type Saml = Awaited<ReturnType<typeof openSaml>>;

/** Creates the SAML identity provider. It signs with the same keys as the OpenID Provider. */
export async function openSaml(
  {
    store,
    clock,
    log,
    keys,
    signing,
  }: { store: Store; clock: Clock; log: Logger; keys: Pick<Keys, 'encryption'>; signing: SigningRing },
  {
    baseUrl,
    samlFile,
    flags,
    backchannelPrivate,
  }: Pick<Config, 'baseUrl' | 'samlFile' | 'flags' | 'backchannelPrivate'>,
) {
  const name = new URL(baseUrl).hostname.replace(/[^A-Za-z0-9.-]/g, '');
  const made = new Map<string, KeyCredentials>();
  /** Creates the credentials of keys before they are used to sign or verify. */
  const prepare = async (read: SigningKeys): Promise<void> => {
    for (const key of read) if (!made.has(key.kid)) made.set(key.kid, await issueCredential(key, name));
  };
  await prepare(signing.now());
  /** Credentials of the signing keys. The first signs, and all of them are in the metadata. */
  const credentials: Credentials = madeOfKeys(signing.now, ([first, ...others]) => {
    const of = ({ kid }: { readonly kid: string }): KeyCredentials => {
      const credential = made.get(kid);
      if (credential === undefined) throw new Error(`there is no certificate of the key ${kid}`);
      return credential;
    };
    return [of(first), ...others.map(of)] as const;
  });
  const providers = createServiceProviders(store, [
    ...(await fixedServiceProviders(samlFile, clock.now())),
    ...(flags.saml_index ? [testProvider(baseUrl, credentials)] : []),
  ]);
  return {
    providers,
    requests: createSamlRequests({ store, clock, providers }),
    credentials,
    prepare,
    refreshMetadata: () => providers.refresh({ clock, log, privateToo: backchannelPrivate }),
    /** HMAC key of persistent NameIDs, which differ for each service provider. */
    pairwiseKey: keys.encryption.derived['saml-pairwise'],
  };
}

const commonName = '2.5.4.3';

/** Creates the certificates of a signing key. Its RSA key signs both, which is deterministic, so that every replica publishes the same ones. */
async function issueCredential(
  { privateKey, publicJwk, kid, ec }: Pick<SigningKey, 'privateKey' | 'publicJwk' | 'kid' | 'ec'>,
  name: string,
): Promise<KeyCredentials> {
  const pem = await exportPKCS8(privateKey);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }),
    algorithm,
    false,
    ['sign'],
  );
  const issue = async (jwk: JWK, kind: Parameters<typeof crypto.subtle.importKey>[2], id: string): Promise<string> => {
    const certificate = new Certificate();
    certificate.version = 2;
    certificate.serialNumber = new Integer({ valueHex: deriveSerial(id) });
    for (const side of [certificate.issuer, certificate.subject])
      side.typesAndValues.push(
        new AttributeTypeAndValue({ type: commonName, value: new PrintableString({ value: name }) }),
      );
    certificate.notBefore.value = new Date('2026-01-01T00:00:00Z');
    certificate.notAfter.value = new Date('2049-12-31T23:59:59Z');
    await certificate.subjectPublicKeyInfo.importKey(
      await crypto.subtle.importKey('jwk', { ...jwk }, kind, true, ['verify']),
    );
    await certificate.sign(key, 'SHA-256');
    return new X509Certificate(Buffer.from(certificate.toString('base64'), 'base64')).toString();
  };
  return {
    key: createPrivateKey(pem),
    certificate: await issue(publicJwk, algorithm, kid),
    ec: {
      key: createPrivateKey({ key: { ...ec.privateJwk }, format: 'jwk' }),
      certificate: await issue(ec.publicJwk, { name: 'ECDSA', namedCurve: 'P-256' }, ec.kid),
    },
  };
}

export async function newCredential(name: string): Promise<KeyCredentials> {
  return issueCredential(await makeSigningKey(null), name);
}

function deriveSerial(kid: string): ArrayBuffer {
  const bytes = createHash('sha256').update(kid).digest().subarray(0, 16);
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f);
  return new Uint8Array(bytes).buffer;
}

/** A registered application of either protocol, as shown to citizens. */
interface Application {
  readonly name: string;
  /** Scopes that it is registered for. Absent if it may request every scope. */
  readonly scopes?: readonly string[] | undefined;
  readonly website?: string | undefined;
  readonly terms?: string | undefined;
  readonly privacy?: string | undefined;
  readonly logo?: string | undefined;
}

export type Applications = ReturnType<typeof createApplications>;

export function createApplications(clients: Pick<Clients, 'find'>, providers: Pick<ServiceProviders, 'byId'>) {
  return {
    find: async (id: string): Promise<Application | null> =>
      ((await clients.find(id)) ?? (await providers.byId(id)))?.registration ?? null,
  };
}
