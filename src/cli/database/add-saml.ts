import { isWebAddress } from '../../engine/core/values/web-address.ts';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { leastRsaBits } from '../../server/platform/keys/signing-keys.ts';
import type { Clients } from '../../server/trust/federation/clients/clients.ts';
import type { Logos } from '../../server/trust/federation/clients/logos.ts';
import { outwardSend } from '../../server/platform/http/outward-fetch.ts';
import { readServiceMetadata } from '../../server/trust/federation/saml/metadata.ts';
import {
  readServiceRegistration,
  type ServiceProviders,
} from '../../server/trust/federation/saml/service-providers.ts';
import { CommandError, formatError, orUsageError, UsageError, type Invocation } from '../command.ts';

const one = { type: 'string' } as const;

export const samlOptions = {
  ...{ metadata: one, id: one, name: one, website: one, terms: one, privacy: one, logo: one },
  scope: { type: 'string', multiple: true },
  consent: { type: 'boolean' },
  sha1: { type: 'boolean' },
} as const;

/** Dependencies of `portal client`. `privateToo` allows fetching private addresses. */
export interface ClientParts {
  readonly clients: Clients;
  readonly providers: ServiceProviders;
  readonly logos: Logos;
  readonly privateToo: boolean;
}

/** Registers a service provider by its metadata, from a file or a URL. Returns a message for the operator. Throws a CommandError. */
export async function addSaml(
  { clients, providers, logos, privateToo }: ClientParts,
  given: Invocation<typeof samlOptions>['options'],
  now: Date,
): Promise<string> {
  const { metadata: source, scope: scopes, ...named } = given;
  if (source === undefined) throw new UsageError('Where are its metadata? --metadata FILE or --metadata URL');
  const registration = orUsageError(() => readServiceRegistration({ ...named, scopes }));
  try {
    const metadata = isWebAddress(source) ? await fetched(source, privateToo) : await readFile(source, 'utf8');
    const { entityId, consumers, signing, encryption, validUntil } = readServiceMetadata(metadata);
    if (validUntil !== null && validUntil < now) throw new Error('the metadata are out of date');
    if ((await clients.find(registration.id)) !== null)
      throw new Error(`${registration.id} is an application of OIDC: choose another id`);
    await takeLogo(logos, registration.logo);
    await providers.add(registration, metadata, now);
    return [
      `${registration.id} is registered: ${entityId}`,
      `answers go to ${consumers.map(({ location }) => location).join(' ')}`,
      signing.length === 0 ? 'its requests are not signed' : 'its requests are signed',
      encryption === null ? 'assertions are not encrypted' : 'assertions are encrypted',
      ...warnOfShortKeys([...signing, ...(encryption === null ? [] : [encryption])]),
    ].join('; ');
  } catch (cause) {
    throw new CommandError(formatError(cause), { cause });
  }
}

/** RSA keys below 2,048 bits are refused with the metadata. */
function warnOfShortKeys(certificates: readonly string[]): readonly string[] {
  const sizes = certificates.map((pem) => new X509Certificate(pem).publicKey.asymmetricKeyDetails?.modulusLength ?? 0);
  const least = Math.min(Infinity, ...sizes);
  return least < leastRsaBits ? [`warning: a key has ${least} bits, ask for one of ${leastRsaBits}`] : [];
}

async function fetched(address: string, privateToo: boolean): Promise<string> {
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' };
  const { status, body } = await outwardSend(
    new URL(address),
    { method: 'GET', headers, maxBytes: 200_000 },
    { limitMs: 10_000, privateToo },
  );
  if (status !== 200) throw new Error(`${address} answers ${status}`);
  return body.toString('utf8');
}

export async function takeLogo(logos: Logos, logo: string | undefined): Promise<void> {
  if (logo === undefined) return;
  await logos.take(logo).catch((cause: unknown) => {
    throw new CommandError(`The logo at ${logo} cannot be used: ${formatError(cause)}.`, { cause });
  });
}
