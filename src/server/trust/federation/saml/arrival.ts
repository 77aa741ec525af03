import type { Clock } from '../../../platform/base/clock.ts';
import { explain } from '../../../platform/base/errors.ts';
import { issuerOf } from './authn-request.ts';
import { decodeBase64Text, inflate } from './bindings.ts';
import { SamlError } from './saml-error.ts';
import { readSamlQuery } from './saml-query.ts';
import type { ServiceProvider, ServiceProviders } from './service-providers.ts';
import { verifyQuery, verifySigned, type Signers } from './signature.ts';
import { parseXml } from './xml.ts';

/** A message as a browser brought it: the raw query, or the fields of a form; and our address that it came to. */
export type Arrival = { readonly destination: string } & (
  | { readonly binding: 'redirect'; readonly query: string }
  | { readonly binding: 'post'; readonly fields: Readonly<Record<string, string | undefined>> }
);

/** A message that is known to be of a registered service provider. */
export interface Believed {
  readonly provider: ServiceProvider;
  /** Its root; of a signed one what the signature covers, and nothing else. */
  readonly message: Element;
  readonly relayState: string | null;
}

/** Longest RelayState, in characters: the standard says 80 bytes, which nobody keeps to. */
const longestRelayState = 2000;

/**
 * Who a message is of, by its signature; throws a SamlError where nobody known signed it. `unsigned`: that of a service provider whose metadata have
 * no key is believed as well, for what can be answered to addresses of the metadata alone.
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
  const provider = await providers.byEntity(issuerOf(root));
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
    if (issuerOf(message) !== provider.metadata.entityId)
      throw new SamlError('the signed message names another issuer');
    return { provider, message, relayState };
  });
}

/** Reads a message of a service provider. An error says for the log whose message it is. */
export function withClient<Result>({ registration }: ServiceProvider, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof SamlError ? explain(error, { client: registration.id }) : error;
  }
}
