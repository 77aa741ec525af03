import { generateKeyPairSync } from 'node:crypto';
import Provider, { errors } from 'oidc-provider';
import { clientMetadata } from '../clients/client-metadata.ts';
import { describeRequirement, RegistrationError, type RegisteredClient } from '../clients/client-registration.ts';
import { dialect } from './dialect.ts';

const fields: Readonly<Record<string, string>> = {
  client_id: 'id',
  client_name: 'name',
  client_secret: 'secret',
  redirect_uris: 'redirectUris',
  post_logout_redirect_uris: 'postLogoutRedirectUris',
  scope: 'scopes',
  client_uri: 'website',
  tos_uri: 'terms',
  policy_uri: 'privacy',
  logo_uri: 'logo',
  backchannel_logout_uri: 'backchannelLogoutUri',
  jwks: 'jwks',
  jwks_uri: 'jwksUri',
};

let bare: Provider | undefined;

/** A provider that is used only to validate client metadata. It never signs with its key, which is an EC key because those are fast to generate. */
function schemaProvider(): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return new Provider('http://localhost', {
    ...dialect,
    adapter: () => {
      throw new Error('the provider of the client schema stores nothing');
    },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    enabledJWA: { ...dialect.enabledJWA, idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
  });
}

export async function checkClient(client: RegisteredClient): Promise<void> {
  bare ??= schemaProvider();
  try {
    await bare.Client.validate({ ...clientMetadata(client, new Date(0)), id_token_signed_response_alg: 'ES256' });
  } catch (cause) {
    if (!(cause instanceof errors.InvalidClientMetadata)) throw cause;
    const text = cause.error_description ?? cause.message;
    const [name = '', field = ''] =
      Object.entries(fields).find(([theirs]) => new RegExp(`\\b${theirs}\\b`).test(text)) ?? [];
    throw new RegistrationError([text.replace(name, field), describeRequirement(field)].filter(Boolean).join(': it '), {
      cause,
    });
  }
}
