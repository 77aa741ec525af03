import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** `autofill` waits until the citizen chooses a passkey among the suggestions of a field whose `autocomplete` ends in `webauthn`. */
export type PasskeyCeremonyKind = 'create' | 'use' | 'autofill';

export type PasskeyCeremonyFailure = 'cancelled' | 'registered' | 'unsupported' | 'failed';

/** Result of a ceremony: the authenticator's response as JSON, or the reason for the failure. `null` if another ceremony aborted this one. */
export type PasskeyCeremonyOutcome = { readonly answer: string } | { readonly refusal: PasskeyCeremonyFailure } | null;

/** Creates or uses a passkey with the server's WebAuthn options. Loads the WebAuthn library on first use, so that the form does not wait for it. */
export async function performPasskeyCeremony(
  ceremony: PasskeyCeremonyKind,
  publicKey: unknown,
): Promise<PasskeyCeremonyOutcome> {
  try {
    const { browserSupportsWebAuthn, startAuthentication, startRegistration } = await import('@simplewebauthn/browser');
    if (!browserSupportsWebAuthn()) return { refusal: 'unsupported' };
    const answer =
      ceremony === 'create'
        ? await startRegistration({ optionsJSON: publicKey as PublicKeyCredentialCreationOptionsJSON }) // the server's options are untyped JSON
        : await startAuthentication({
            optionsJSON: publicKey as PublicKeyCredentialRequestOptionsJSON,
            ...(ceremony === 'autofill' && { useBrowserAutofill: true }),
          });
    return { answer: JSON.stringify(answer) };
  } catch (error) {
    const name = findErrorName(error);
    return name === 'AbortError' ? null : { refusal: refusalByError[name] ?? 'failed' };
  }
}

export async function abortPasskeyCeremony(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser');
  WebAuthnAbortService.cancelCeremony();
}

/** Failures by error name of `navigator.credentials`. By design, WebAuthn does not distinguish a cancellation from a timeout. */
const refusalByError: Readonly<Record<string, PasskeyCeremonyFailure>> = {
  NotAllowedError: 'cancelled',
  InvalidStateError: 'registered',
  NotSupportedError: 'unsupported',
  SecurityError: 'unsupported',
  ConstraintError: 'unsupported',
};

function findErrorName(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return error.cause instanceof Error ? error.cause.name : error.name;
}
