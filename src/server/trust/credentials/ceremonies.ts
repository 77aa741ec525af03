import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isObject } from '../../../engine/core/json.ts';
import type { Config } from '../../platform/config/config.ts';
import { ceremonyLifeS } from './passkey-challenges.ts';
import type { NewPasskey, Passkey } from './passkeys.ts';

/** Whether a challenge is the one that was given out. */
type IsOwn = (challenge: string) => boolean;

/** What the portal is to authenticators: the host of BASE_URL, and its origin. */
function relyingParty({ baseUrl }: Config): { readonly id: string; readonly origin: string } {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, origin };
}

/** What the browser needs to make a passkey for a citizen, whom the authenticator knows by `handle` and shows by `name`. */
export function creationOptions(
  config: Config,
  {
    handle,
    name,
    displayName,
    known,
  }: { handle: string; name: string; displayName: string; known: readonly Passkey[] },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: config.brand.product,
    rpID: relyingParty(config).id,
    userID: new Uint8Array(Buffer.from(handle, 'base64url')),
    userName: name,
    userDisplayName: displayName,
    timeout: ceremonyLifeS * 1000,
    attestationType: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** What the browser needs to use a passkey: one of those `allowed`, or whichever the citizen chooses where none is named. */
export function requestOptions(
  config: Config,
  {
    allowed,
    userVerification,
    lifeS = ceremonyLifeS,
  }: { allowed: readonly Passkey[]; userVerification: 'required' | 'preferred'; lifeS?: number },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: relyingParty(config).id,
    timeout: lifeS * 1000,
    allowCredentials: allowed.map(descriptorOf),
    userVerification,
  });
}

/** What a browser answers to `creationOptions`, checked: the new passkey without a name, or null. */
export async function readCreation(
  config: Config,
  answer: string,
  isOwn: IsOwn,
): Promise<Omit<NewPasskey, 'name'> | null> {
  const response = parse(answer) as RegistrationResponseJSON | null; // the library checks each part of it
  if (response === null) return null;
  const { id, origin } = relyingParty(config);
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: isOwn,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
  }).catch(() => null); // whatever is wrong with it, it is no passkey
  if (!result?.verified) return null;
  const { credential, credentialDeviceType, credentialBackedUp } = result.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: knownTransports(credential.transports ?? []).join(' '),
    device_type: credentialDeviceType,
    backed_up: credentialBackedUp,
  };
}

/** A browser's answer to `requestOptions` before it is checked. */
export interface Assertion {
  readonly credentialId: string;
  /** The handle of who the credential belongs to; null: the authenticator does not say. */
  readonly handle: string | null;
  readonly response: AuthenticationResponseJSON;
}

/** Reads an answer to `requestOptions`; null for a malformed one. */
export function readAssertion(answer: string): Assertion | null {
  const response = parse(answer) as AuthenticationResponseJSON | null; // as above
  if (typeof response?.id !== 'string' || !isObject(response.response)) return null;
  const { userHandle } = response.response;
  return {
    credentialId: response.id,
    handle: typeof userHandle === 'string' && userHandle !== '' ? userHandle : null,
    response,
  };
}

/** Checks an answer against the passkey that it names: origin, challenge, signature, presence; null when anything is wrong. */
export async function checkAssertion(
  config: Config,
  { response }: Assertion,
  { passkey, isOwn, requireUserVerification }: { passkey: Passkey; isOwn: IsOwn; requireUserVerification: boolean },
): Promise<{ readonly counter: number; readonly backedUp: boolean } | null> {
  const { id, origin } = relyingParty(config);
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: isOwn,
    expectedOrigin: config.agentsHost === '' ? origin : [origin, config.agentsHost], // agents sign in and act on the desk's host
    expectedRPID: id,
    requireUserVerification,
    // the counter is checked by the caller, who tells it from a wrong answer
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: 0,
    },
  }).catch(() => null);
  if (!result?.verified) return null;
  return { counter: result.authenticationInfo.newCounter, backedUp: result.authenticationInfo.credentialBackedUp };
}

function parse(answer: string): unknown {
  try {
    const value: unknown = JSON.parse(answer);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const transports: readonly AuthenticatorTransport[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb'];

function knownTransports(names: readonly string[]): AuthenticatorTransport[] {
  return transports.filter((transport) => names.includes(transport));
}

function descriptorOf({ credential_id, transports: names }: Passkey): {
  id: string;
  transports: AuthenticatorTransport[];
} {
  return { id: credential_id, transports: knownTransports(names.split(' ')) };
}
