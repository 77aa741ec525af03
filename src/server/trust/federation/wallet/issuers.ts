import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import type { FromSchema } from 'json-schema-to-ts';
import { StartError } from '../../../platform/base/start-error.ts';
import { trustworthy } from '../../../platform/config/setting-values.ts';

const schema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['issuer', 'level', 'types', 'keys'],
    properties: {
      /** The `iss` of its credentials. */
      issuer: { type: 'string', pattern: `${trustworthy}[^\\s\\\\]*$` },
      /** The level that a sign-in reaches by them: of this list, never of a credential. */
      level: { enum: [1, 2, 3] },
      /** The `vct` of its credentials. */
      types: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
      /** Its public keys (EC, P-256) as JWKs; what a credential brings along is not looked at. */
      keys: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['kty', 'crv', 'x', 'y'],
          properties: {
            kty: { const: 'EC' },
            crv: { const: 'P-256' },
            x: { type: 'string' },
            y: { type: 'string' },
          },
        },
      },
      /** Origins of its status lists; where there are some a credential must have a place in one. */
      statusOrigins: { type: 'array', items: { type: 'string', pattern: `${trustworthy}$` } },
    },
    additionalProperties: false,
  },
} as const;

/** Issuers of credentials that wallets may present. */
export type WalletIssuers = FromSchema<typeof schema>;
export type WalletIssuer = WalletIssuers[number];

const validate = new Ajv({ allErrors: true }).compile<WalletIssuers>(schema);

/** Reads the file of WALLET_ISSUERS; throws a StartError. */
export async function readIssuers(file: string): Promise<WalletIssuers> {
  try {
    const list: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (validate(list)) return list;
    throw new Error(
      (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; '),
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The issuers of WALLET_ISSUERS (${file}) cannot be used: ${reason}`, { cause });
  }
}
