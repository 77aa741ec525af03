/** What a provider says of who signed in there, once all of it was checked. */
export interface Assertion {
  /** Of OpenID Connect the issuer, of SAML the entity. */
  readonly issuer: string;
  /** How the issuer names the person, to us and always. */
  readonly subject: string;
  /** Its `acr`, or the context class. */
  readonly context: string | null;
  /** When the person signed in there; null: it does not say. */
  readonly signedInAt: Date | null;
  /** Claims by name; attributes of SAML, of several values the list. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** What an answer is checked against; it is sealed while it waits. */
export type Kept = Readonly<Record<string, string>>;

/** A sign-in that begins: where the browser goes, and what is kept meanwhile. */
export interface Begun {
  readonly location: string;
  readonly kept: Kept;
}

/** An answer as the browser brought it. */
export type ProviderAnswer =
  { readonly binding: 'query'; readonly url: URL } | { readonly binding: 'form'; readonly fields: Fields };

/** A form that is read, as far as it holds texts. */
export type Fields = Readonly<Record<string, string | undefined>>;

/**
 * One protocol, as one provider speaks it. `maxAgeS`: how long ago, in seconds, the person may have signed in there, 0 for a new sign-in; null: as long as the provider
 * likes. Who wants it must check what is answered. Both throw an UpstreamFailed; `finish` throws an UpstreamRefused for what is not believed.
 */
export interface Adapter {
  begin(state: string, maxAgeS: number | null): Promise<Begun>;
  finish(answer: ProviderAnswer, kept: Kept, state: string): Promise<Assertion>;
}
