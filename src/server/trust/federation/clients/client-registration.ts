import { Ajv } from 'ajv';
import type { FromSchema } from 'json-schema-to-ts';
import { scopeNames } from './scopes.ts';

const text = { type: 'string', minLength: 1, maxLength: 300 } as const;
const address = { type: 'string', pattern: '^https?://[^\\s\\\\]+$', maxLength: 2000 } as const;
/** What the broker itself calls: TLS, plain http on this very machine alone, no user name, no fragment. */
const calledAddress = {
  type: 'string',
  pattern: '^(https://|http://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(?=[:/?]|$))[^\\s\\\\#@]*$',
  maxLength: 2000,
} as const;
const clientIdPattern = '^[0-9A-Za-z_-]{1,100}$';

/** Whether a text can name an application. */
export function isClientId(text: string): boolean {
  return new RegExp(clientIdPattern).test(text);
}

const schema = {
  type: 'object',
  required: ['id', 'name', 'redirectUris'],
  properties: {
    id: { type: 'string', pattern: clientIdPattern },
    name: text,
    /** Exact addresses; a custom scheme makes the application a native one. */
    redirectUris: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^\\s\\\\#]*$', maxLength: 2000 },
    },
    postLogoutRedirectUris: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^\\s\\\\]*$', maxLength: 2000 },
    },
    scopes: { type: 'array', items: { type: 'string', enum: scopeNames } },
    website: address,
    terms: address,
    privacy: address,
    logo: address,
    backchannelLogoutUri: calledAddress,
    frontchannelLogoutUri: address,
    /** Written for ID Uruguay: with a secret no PKCE and a code of 600 s; refresh token always, document type by its number. */
    legacy: { type: 'boolean' },
    /** Country and type of the document as plain codes instead of objects. */
    flat: { type: 'boolean' },
    /** The `iss` that its ID Tokens carry in place of the issuer's. */
    issuer: address,
  },
  additionalProperties: false,
} as const;

/** An application as it is registered, without its secret. */
export type ClientRegistration = FromSchema<typeof schema>;

/** A registration and its secret; null: a public application, which only PKCE protects. */
export interface RegisteredClient {
  readonly registration: ClientRegistration;
  readonly secret: string | null;
}

const validate = new Ajv({ allErrors: true }).compile<ClientRegistration>(schema);

/** What an address of each kind must be, where its pattern would say it. */
const asked: Readonly<Record<string, string>> = {
  id: 'must be 1 to 100 letters without accents, digits, - and _',
  redirectUris: 'must be a whole address without fragment, for example https://app.example/callback',
  postLogoutRedirectUris: 'must be a whole address, for example https://app.example/',
  scopes: `must be of ${scopeNames.join(', ')}`,
  backchannelLogoutUri: 'must be an https address without user name or fragment; http is for this machine alone',
};

/** Checks a registration of any origin; throws an Error whose message says what is wrong. */
export function readRegistration(value: unknown): ClientRegistration {
  if (validate(value)) return value;
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath.slice(1) || 'the client'} ${asked[instancePath.split('/')[1] ?? ''] ?? message ?? 'is invalid'}${'additionalProperty' in params ? `: ${String(params['additionalProperty'])}` : ''}`,
  );
  throw new Error(problems.join('; '));
}
