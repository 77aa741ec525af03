import { createHash, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readSettingFile } from '../../../platform/base/errors.ts';
import type { Config } from '../../../platform/config/config.ts';
import { Ajv } from 'ajv';
import type { FromSchema } from 'json-schema-to-ts';
import { trustworthyUrlPattern } from '../../../platform/config/setting-values.ts';

const walletIssuersSchema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['issuer', 'level', 'types', 'keys'],
    properties: {
      issuer: { type: 'string', pattern: `${trustworthyUrlPattern}[^\\s\\\\]*$` },
      /** Assurance level of a sign-in with the issuer's credentials. A credential cannot set the level itself. */
      level: { enum: [1, 2, 3] },
      types: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
      /** Public keys of the issuer (EC, P-256) as JWKs. Keys in a credential are ignored. */
      keys: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['kty', 'crv', 'x', 'y'],
          properties: { kty: { const: 'EC' }, crv: { const: 'P-256' }, x: { type: 'string' }, y: { type: 'string' } },
        },
      },
      /** Origins of the issuer's status lists. If present, every credential must reference a status list. */
      statusOrigins: { type: 'array', items: { type: 'string', pattern: `${trustworthyUrlPattern}$` } },
    },
    additionalProperties: false,
  },
} as const;

export type WalletIssuers = FromSchema<typeof walletIssuersSchema>;
export type WalletIssuer = WalletIssuers[number];

const validate = new Ajv({ allErrors: true }).compile<WalletIssuers>(walletIssuersSchema);

export function readWalletIssuers(file: string): Promise<WalletIssuers> {
  return readSettingFile(`The issuers of WALLET_ISSUERS (${file})`, async () => {
    const list: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (validate(list)) return list;
    throw new Error(
      (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; '),
    );
  });
}

/** Time limit for responding to a presentation request, and again for using the result, in seconds. */
export const walletPresentationLifeS = 180;

export const walletCredentialId = 'identidad';
export const documentNumberClaim = 'personal_administrative_number';

export const walletCredentialFormat = 'dc+sd-jwt';
export const walletSignatureAlgorithm = 'ES256';

/** Error for a rejected presentation. The message is for the log. The wallet gets no reason. */
export class WalletError extends Error {}

export type WalletVerifier = NonNullable<Awaited<ReturnType<typeof openWalletVerifier>>>;

export async function openWalletVerifier({ wallet }: Pick<Config, 'wallet'>) {
  if (wallet === null) return null;
  const { chain, key } = await readSigner(wallet.signer);
  const [leaf] = chain;
  const digest = createHash('sha256')
    .update(leaf?.raw ?? '')
    .digest('base64url');
  return {
    /** Client id with the hash of the certificate (OpenID4VP 1.0, section 5.9.3). */
    clientId: `x509_hash:${digest}`,
    chain: chain.map(({ raw }) => raw.toString('base64')),
    key,
    issuers: await readWalletIssuers(wallet.issuers),
    scheme: wallet.scheme,
  };
}

function readSigner(file: string): Promise<{ chain: readonly X509Certificate[]; key: KeyObject }> {
  return readSettingFile(`The file of WALLET_SIGNER (${file})`, async () => {
    const pem = await readFile(file, 'utf8');
    const chain = [...pem.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)].map(
      ([text]) => new X509Certificate(text),
    );
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('its key is not one of P-256');
    if (chain[0]?.checkPrivateKey(key) !== true) throw new Error('its first certificate is not that of its key');
    return { chain, key };
  });
}
