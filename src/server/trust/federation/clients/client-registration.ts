import { Ajv } from 'ajv';
import type { FromSchema } from 'json-schema-to-ts';
import { isWebAddress } from '../../../../engine/core/values/web-address.ts';
import { trustworthy } from '../../../platform/config/setting-values.ts';
import { scopeNames } from './scopes.ts';

/** Formats of the addresses in a registration. */
export const addressFormats = {
  web: isWebAddress,
  redirect: (text: string) => isWebAddress(text) || isAppAddress(text),
};

const text = { type: 'string', minLength: 1, maxLength: 300 } as const;
const address = { type: 'string', format: 'web', maxLength: 2000 } as const;
const redirect = { type: 'string', format: 'redirect', pattern: '^[^#]*$', maxLength: 2000 } as const;
/** Address that the broker calls: TLS, or http on a loopback address; no user name, no fragment. */
const calledAddress = { type: 'string', pattern: `${trustworthy}[^\\s\\\\#@]*$`, maxLength: 2000 } as const;
const clientIdPattern = '^[0-9A-Za-z_-]{1,100}$';

/** Whether a text can name an application. */
export function isClientId(text: string): boolean {
  return new RegExp(clientIdPattern).test(text);
}

/** What a registration must hold. */
export const clientSchema = {
  type: 'object',
  required: ['id', 'name', 'redirectUris'],
  properties: {
    id: { type: 'string', pattern: clientIdPattern },
    name: text,
    /** Exact addresses; see `isNative`. */
    redirectUris: { type: 'array', minItems: 1, items: redirect },
    postLogoutRedirectUris: { type: 'array', items: redirect },
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
export type ClientRegistration = FromSchema<typeof clientSchema>;

/** A registration and its secret; null: a public application, which only PKCE protects. */
export interface RegisteredClient {
  readonly registration: ClientRegistration;
  readonly secret: string | null;
}

const validate = new Ajv({ allErrors: true, formats: addressFormats }).compile<ClientRegistration>(clientSchema);

const webAddress = 'must be a whole address with http or https, for example https://app.example/';
const redirectRule =
  'must be a whole address without fragment, for example https://app.example/callback; of a native app uy.example.app:/callback, http://127.0.0.1/callback or https of another host';

/** What each field must be. */
const asked: Readonly<Record<string, string>> = {
  id: 'must be 1 to 100 letters without accents, digits, - and _',
  secret: 'must be at least 16 letters without accents, digits, blanks and signs of ASCII',
  redirectUris: redirectRule,
  postLogoutRedirectUris: redirectRule,
  scopes: `must be of ${scopeNames.join(', ')}`,
  website: webAddress,
  terms: webAddress,
  privacy: webAddress,
  logo: webAddress,
  issuer: webAddress,
  frontchannelLogoutUri: webAddress,
  backchannelLogoutUri: 'must be an https address without user name or fragment; http is for this machine alone',
};

/** Says of a field of a registration what it must be. */
export function fieldRule(field: string): string | undefined {
  return asked[field];
}

/** Schemes that belong to programs of everybody's machine, or that run what the address holds. */
const commonSchemes =
  /^(about|blob|content|data|file|filesystem|ftps?|intent|jar|javascript|ldaps?|mailto|resource|sftp|sms|ssh|tel|urn|vbscript|view-source|wss?):/i;

/** An address with a private-use scheme (RFC 8252, section 7.1): with one slash its scheme is a domain name in reverse order, `uy.example.app:/callback`. */
function isAppAddress(text: string): boolean {
  return (
    /^([a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:\/|[a-z][a-z0-9+.-]*:\/\/)[^\s\\]*$/i.test(text) &&
    !/^https?:/i.test(text) &&
    !commonSchemes.test(text) &&
    URL.canParse(text)
  );
}

/**
 * Whether an application is a native one (RFC 8252): it has an address with a scheme of its own, or is public with nothing but loopback addresses
 * without a port, which then match at any port.
 */
export function isNative({ registration: { redirectUris }, secret }: RegisteredClient): boolean {
  return (
    redirectUris.some(isAppAddress) ||
    (secret === null && redirectUris.every((uri) => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[/?]|$)/.test(uri)))
  );
}

/** A registration that cannot be used; its message says why. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError';
}

/** Throws a RegistrationError if the provider would refuse an application at its first request. */
export type CheckClient = (client: RegisteredClient) => Promise<void>;

/** Checks a registration of any origin; throws a RegistrationError. */
export function readRegistration(value: unknown): ClientRegistration {
  if (validate(value)) return value;
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath.slice(1) || 'the client'} ${fieldRule(instancePath.split('/')[1] ?? '') ?? message ?? 'is invalid'}${'additionalProperty' in params ? `: ${String(params['additionalProperty'])}` : ''}`,
  );
  throw new RegistrationError([...new Set(problems)].join('; '));
}
