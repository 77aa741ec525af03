import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Makes a passkey, or uses one. */
export type Ceremony = 'create' | 'use';

/** Why a ceremony came to nothing. */
export type Refusal = 'cancelled' | 'registered' | 'unsupported' | 'failed';

/** How a ceremony ended: the authenticator's answer as JSON text, or why there is none; null: another one took its place. */
export type Outcome = { readonly answer: string } | { readonly refusal: Refusal } | null;

/**
 * Asks the browser to make or to use a passkey by the server's options (WebAuthn Level 3, in JSON). The library loads at the first
 * ceremony: a form can be drawn without it.
 */
export async function perform(ceremony: Ceremony, publicKey: unknown): Promise<Outcome> {
  try {
    const { browserSupportsWebAuthn, startAuthentication, startRegistration } = await import('@simplewebauthn/browser');
    if (!browserSupportsWebAuthn()) return { refusal: 'unsupported' };
    const answer =
      ceremony === 'create'
        ? await startRegistration({ optionsJSON: publicKey as PublicKeyCredentialCreationOptionsJSON }) // the server made them for this
        : await startAuthentication({ optionsJSON: publicKey as PublicKeyCredentialRequestOptionsJSON });
    return { answer: JSON.stringify(answer) };
  } catch (error) {
    const name = nameOf(error);
    return name === 'AbortError' ? null : { refusal: refusals[name] ?? 'failed' };
  }
}

/** Ends a ceremony that waits for the citizen, when its form goes. */
export async function abort(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser');
  WebAuthnAbortService.cancelCeremony();
}

/** Names of the errors of `navigator.credentials`; what is refused and what took too long reads the same, by design. */
const refusals: Readonly<Record<string, Refusal>> = {
  NotAllowedError: 'cancelled',
  InvalidStateError: 'registered',
  NotSupportedError: 'unsupported',
  SecurityError: 'unsupported',
  ConstraintError: 'unsupported',
};

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return error.cause instanceof Error ? error.cause.name : error.name;
}
