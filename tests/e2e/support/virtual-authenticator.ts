import type { CDPSession, Page } from '@playwright/test';

/** A virtual authenticator of the browser. By default it responds immediately, as if the citizen had touched it. */
export interface Authenticator {
  readonly credentials: () => Promise<readonly { readonly rpId?: string; readonly isResidentCredential: boolean }[]>;
  /** Sets whether the authenticator verifies its user, and whether the user touches it. */
  readonly set: (state: { verified?: boolean; touched?: boolean }) => Promise<void>;
  /**
   * Runs `work` that closes the debugger session of the authenticator, then restores the authenticator with its
   * credentials.
   */
  readonly around: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

const passkeyOptions = '**/auth/login/llave/**';

/**
 * Withholds passkey options from the sign-in page's autofill until the returned function is called. Otherwise an
 * authenticator that responds immediately would sign in when the page opens.
 */
export async function withholdPasskeys(page: Page): Promise<() => Promise<void>> {
  await page.route(passkeyOptions, (route) => route.fulfill({ json: { challenge: 'passkey', token: null } }));
  return () => page.unroute(passkeyOptions);
}

export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  let id = await attachAuthenticator(cdp);
  const credentials = async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials;
  return {
    credentials,
    async set({ verified, touched }) {
      if (verified !== undefined)
        await cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: verified });
      if (touched !== undefined)
        await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: touched });
    },
    async around(work) {
      const held = await credentials();
      const result = await work();
      await cdp.send('WebAuthn.disable');
      id = await attachAuthenticator(cdp);
      for (const credential of held) await cdp.send('WebAuthn.addCredential', { authenticatorId: id, credential });
      return result;
    },
  };
}

async function attachAuthenticator(cdp: CDPSession): Promise<string> {
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}
