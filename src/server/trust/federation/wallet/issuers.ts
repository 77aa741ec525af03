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
      issuer: { type: 'string', pattern: `${trustworthy}[^\\s\\\\]*$` },
      /** Level of a sign-in with its credentials. A credential cannot set it. */
      level: { enum: [1, 2, 3] },
      /** `vct` of its credentials. */
      types: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
      /** Public keys (EC, P-256) as JWKs. Keys in a credential are ignored. */
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
      /** Origins of its status lists. If present, every credential must refer to a status list. */
      statusOrigins: { type: 'array', items: { type: 'string', pattern: `${trustworthy}$` } },
    },
    additionalProperties: false,
  },
} as const;

export type WalletIssuers = FromSchema<typeof schema>;
export type WalletIssuer = WalletIssuers[number];

const validate = new Ajv({ allErrors: true }).compile<WalletIssuers>(schema);

/** Reads the file of WALLET_ISSUERS. Throws a `StartError`. */
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
