import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Clients } from '../../server/trust/federation/clients/clients.ts';
import type { Logos } from '../../server/trust/federation/clients/logos.ts';
import { outwardSend } from '../../server/trust/federation/clients/outward-fetch.ts';
import { readServiceMetadata } from '../../server/trust/federation/saml/metadata.ts';
import {
  defaultScopes,
  readServiceRegistration,
  type ServiceProviders,
} from '../../server/trust/federation/saml/service-providers.ts';
import { UsageError } from '../with-store.ts';
import { takeLogo } from './take-logo.ts';

const limits = { limitMs: 10_000, mostBytes: 200_000 };

/** Registers a service provider by its metadata, of a file or of an address; answers what to tell the operator. Throws a UsageError. */
export async function addSaml(
  { clients, providers, logos }: { clients: Clients; providers: ServiceProviders; logos: Logos },
  given: readonly string[],
  { privateToo, now }: { privateToo: boolean; now: Date },
): Promise<string> {
  try {
    const { source, registration } = readArguments(given);
    const metadata = /^https?:/.test(source) ? await fetched(source, privateToo) : await readFile(source, 'utf8');
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
    ].join('; ');
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

async function fetched(address: string, privateToo: boolean): Promise<string> {
  const { status, body } = await outwardSend(
    new URL(address),
    {
      method: 'GET',
      headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
      mostBytes: limits.mostBytes,
    },
    { limitMs: limits.limitMs, privateToo },
  );
  if (status !== 200) throw new Error(`${address} answers ${status}`);
  return body.toString('utf8');
}

function readArguments(given: readonly string[]) {
  const one = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...given],
    options: {
      metadata: one,
      id: one,
      name: one,
      scope: { type: 'string', multiple: true },
      website: one,
      terms: one,
      privacy: one,
      logo: one,
      consent: flag,
      sha1: flag,
    },
  });
  const { metadata, scope = [...defaultScopes], ...named } = values;
  if (metadata === undefined) throw new Error('Where are its metadata? --metadata FILE or --metadata URL');
  return { source: metadata, registration: readServiceRegistration({ ...named, scopes: scope }) };
}
