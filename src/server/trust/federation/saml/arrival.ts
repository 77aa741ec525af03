import type { Clock } from '../../../platform/base/clock.ts';
import { explain } from '../../../platform/base/errors.ts';
import { readIssuer } from './authn-request.ts';
import { decodeBase64Text, inflate, SamlError } from './names.ts';
import { readSamlQuery } from './saml-query.ts';
import type { ServiceProvider, ServiceProviders } from './service-providers.ts';
import { verifyQuery, verifySigned, type Signers } from './signature.ts';
import { parseXml } from './xml.ts';

/** A SAML message as the browser delivered it, and the URL of ours that received it. */
export type Arrival = { readonly destination: string } & (
  | { readonly binding: 'redirect'; readonly query: string }
  | { readonly binding: 'post'; readonly fields: Readonly<Record<string, string | undefined>> }
);

/** An authenticated message of a registered service provider. */
export interface Believed {
  readonly provider: ServiceProvider;
  /** Root element. For a signed POST message, only the content that the signature covers. */
  readonly message: Element;
  readonly relayState: string | null;
}

/** Longest RelayState, in characters. The standard allows 80 bytes, but many implementations exceed that. */
const longestRelayState = 2000;

/**
 * Authenticates a message by its signature. Throws a `SamlError` if the signature is not that of a registered service provider. `unsigned` also
 * accepts a service provider without a key in its metadata. Use it only if the response can only be sent to a URL in the metadata.
 */
export async function believe(
  arrival: Arrival,
  name: 'SAMLRequest' | 'SAMLResponse',
  { providers, clock, unsigned = false }: { providers: ServiceProviders; clock: Clock; unsigned?: boolean },
): Promise<Believed> {
  const query = arrival.binding === 'redirect' ? readSamlQuery(arrival.query) : null;
  const value = (field: string): string | null =>
    query !== null ? query.value(field) : arrival.binding === 'post' ? (arrival.fields[field] ?? null) : null;
  const text = value(name);
  if (text === null) throw new SamlError(`there is no ${name}`);
  const xml = query !== null ? inflate(text) : decodeBase64Text(text);
  const relayState = value('RelayState');
  if ((relayState?.length ?? 0) > longestRelayState) throw new SamlError('the RelayState is too long');
  const root = parseXml(xml);
  const provider = await providers.byEntity(readIssuer(root));
  if (provider === null) throw new SamlError('the service provider is not registered');
  return withClient(provider, () => {
    const { validUntil } = provider.metadata;
    if (validUntil !== null && validUntil <= clock.now()) throw new SamlError('the metadata are out of date');
    const signers: Signers = { certificates: provider.metadata.signing, sha1: provider.registration.sha1 === true };
    if (unsigned && signers.certificates.length === 0) return { provider, message: root, relayState };
    if (query !== null) {
      verifyQuery(query, signers);
      return { provider, message: root, relayState };
    }
    const message = verifySigned(xml, signers, root);
    if (readIssuer(message) !== provider.metadata.entityId)
      throw new SamlError('the signed message names another issuer');
    return { provider, message, relayState };
  });
}

/** Runs `read`, and adds the service provider to a `SamlError` for the log. */
export function withClient<Result>({ registration }: ServiceProvider, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof SamlError ? explain(error, { client: registration.id }) : error;
  }
}
