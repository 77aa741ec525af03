import type { Clock } from '../../../platform/base/clock.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import { createPairwiseIdentifierFunction } from '../pairwise-identifiers.ts';
import {
  cacheUntilKeysChange,
  type SigningKeys,
  type SigningKeyRing,
  generateSigningKey,
  type SigningKey,
} from '../../../platform/keys/signing-keys.ts';
import type { Logger } from 'pino';
import { createSamlRequestStore } from './saml-requests.ts';
import { openServiceProviderStore, loadFixedServiceProviders, type ServiceProviderStore } from './service-providers.ts';
import type { ListSigningCredentials, SamlKeyCredentials, SigningCredential } from './xml-signature.ts';
import { createTestServiceProvider } from './test-service-provider.ts';
import { createHash, X509Certificate } from 'node:crypto';
import { BitString, Integer, Null, PrintableString } from 'asn1js';
import { AlgorithmIdentifier, AttributeTypeAndValue, Certificate } from 'pkijs';
import type { JwsSigner } from '../../../platform/keys/jws-signer.ts';
import type { ClientStore } from '../clients/client-store.ts';

export type SamlProvider = Awaited<ReturnType<typeof openSamlProvider>>;

export async function openSamlProvider(
  parts: {
    store: DatabaseStore;
    clock: Clock;
    log: Logger;
    vault: Vault;
    signing: SigningKeyRing;
    decryption: SigningKeyRing;
  },
  config: Pick<Config, 'baseUrl' | 'samlFile' | 'flags' | 'backchannelPrivate' | 'loopback'>,
) {
  const { store, clock, log, vault, signing, decryption } = parts;
  const { baseUrl, flags, backchannelPrivate, loopback } = config;
  const name = new URL(baseUrl).hostname.replace(/[^A-Za-z0-9.-]/g, '');
  const made = new Map<string, SamlKeyCredentials>();
  const prepareCredentials = async (read: readonly SigningKey[]): Promise<void> => {
    for (const key of read) if (!made.has(key.kid)) made.set(key.kid, await issueCredential(key, name));
  };
  await prepareCredentials([...signing.listCurrentKeys(), ...decryption.listCurrentKeys()]);
  const find = ({ kid }: SigningKey): SamlKeyCredentials => {
    const credential = made.get(kid);
    if (credential === undefined) throw new Error(`there is no certificate of the key ${kid}`);
    return credential;
  };
  const listCredentials = ([first, ...others]: SigningKeys) => [find(first), ...others.map(find)] as const;
  const credentials: ListSigningCredentials = cacheUntilKeysChange(signing.listCurrentKeys, listCredentials);
  const fixed = [
    ...(await loadFixedServiceProviders(config, clock.now())),
    ...(flags.saml_index ? [createTestServiceProvider(baseUrl, credentials)] : []),
  ];
  const providers = openServiceProviderStore(store, fixed, loopback);
  return {
    providers,
    requests: createSamlRequestStore({ store, clock, providers }),
    credentials,
    /** Keys for which identity providers encrypt assertions. */
    decryption: {
      credentials: cacheUntilKeysChange(decryption.listCurrentKeys, listCredentials),
      keys: () => decryption.listCurrentKeys().map(({ source }) => source),
    },
    prepare: prepareCredentials,
    refreshMetadata: () => providers.refresh({ clock, log, allowsPrivateTargets: backchannelPrivate }),
    identifyCitizen: createPairwiseIdentifierFunction({ store, vault }, 'saml-pairwise'),
  };
}

const sha256WithRsa = '1.2.840.113549.1.1.11';
/** The RSA key signs both certificates deterministically, so that every replica publishes the same ones. */
async function issueCredential({ signers: { RS256, ES256 } }: Pick<SigningKey, 'signers'>, name: string) {
  const issue = async (signer: JwsSigner): Promise<SigningCredential> => ({
    signer,
    certificate: await issueCertificate(signer, RS256, name),
  });
  return { ...(await issue(RS256)), ec: await issue(ES256) };
}

async function issueCertificate(
  { algorithm, publicJwk }: Pick<JwsSigner, 'algorithm' | 'publicJwk'>,
  issuer: JwsSigner,
  name: string,
): Promise<string> {
  const parameters =
    algorithm === 'ES256' ? { name: 'ECDSA', namedCurve: 'P-256' } : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const publicKey = await crypto.subtle.importKey('jwk', publicJwk, parameters, true, ['verify']);
  const certificate = new Certificate();
  certificate.version = 2;
  const serial = new Uint8Array(createHash('sha256').update(String(publicJwk.kid)).digest().subarray(0, 16));
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f);
  certificate.serialNumber = new Integer({ valueHex: serial.buffer });
  for (const side of [certificate.issuer, certificate.subject])
    side.typesAndValues.push(
      new AttributeTypeAndValue({ type: '2.5.4.3', value: new PrintableString({ value: name }) }), // common name
    );
  certificate.notBefore.value = new Date('2026-01-01T00:00:00Z');
  certificate.notAfter.value = new Date('2049-12-31T23:59:59Z');
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  certificate.signature = new AlgorithmIdentifier({ algorithmId: sha256WithRsa, algorithmParams: new Null() });
  certificate.signatureAlgorithm = certificate.signature;
  certificate.tbsView = new Uint8Array(certificate.encodeTBS().toBER());
  const { buffer: signature } = new Uint8Array(await issuer.sign(certificate.tbsView));
  certificate.signatureValue = new BitString({ valueHex: signature });
  return new X509Certificate(Buffer.from(certificate.toString('base64'), 'base64')).toString();
}

export async function generateSamlCredential(
  name: string,
): Promise<SamlKeyCredentials & { readonly privateKey: string }> {
  const key = await generateSigningKey(null);
  return { ...(await issueCredential(key, name)), privateKey: key.source };
}

interface Application {
  readonly name: string;
  /** Scopes in the registration. Absent if the application may request every scope. */
  readonly scopes?: readonly string[] | undefined;
  readonly website?: string | undefined;
  readonly terms?: string | undefined;
  readonly privacy?: string | undefined;
  readonly logo?: string | undefined;
}

export type ApplicationLookup = ReturnType<typeof createApplicationLookup>;

export function createApplicationLookup(
  clients: Pick<ClientStore, 'find'>,
  providers: Pick<ServiceProviderStore, 'byId'>,
) {
  return {
    find: async (id: string): Promise<Application | null> =>
      ((await clients.find(id)) ?? (await providers.byId(id)))?.registration ?? null,
  };
}
