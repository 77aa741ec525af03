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
import type { NewPasskey, Passkey } from './passkeys.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { hashSecret } from '../../platform/keys/random-secrets.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';

type IsExpectedChallenge = (challenge: string) => boolean;

function getRelyingParty({ baseUrl }: Config): { readonly id: string; readonly origin: string } {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, origin };
}

export function generatePasskeyCreationOptions(
  config: Config,
  citizen: { handle: string; name: string; displayName: string; known: readonly Passkey[] },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: config.brand.product,
    rpID: getRelyingParty(config).id,
    userID: new Uint8Array(Buffer.from(citizen.handle, 'base64url')),
    userName: citizen.name,
    userDisplayName: citizen.displayName,
    timeout: webAuthnCeremonyLifeS * 1000,
    attestationType: 'none',
    excludeCredentials: citizen.known.map(describeCredential),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

export function generatePasskeyRequestOptions(
  config: Config,
  {
    allowed,
    userVerification,
    lifeS = webAuthnCeremonyLifeS,
  }: { allowed: readonly Passkey[]; userVerification: 'required' | 'preferred'; lifeS?: number },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: getRelyingParty(config).id,
    timeout: lifeS * 1000,
    allowCredentials: allowed.map(describeCredential),
    userVerification,
  });
}

export async function verifyPasskeyRegistration(
  config: Config,
  answer: string,
  isOwn: IsExpectedChallenge,
): Promise<Omit<NewPasskey, 'name'> | null> {
  const response = parseJsonObject(answer) as RegistrationResponseJSON | null; // the cast is safe: `verifyRegistrationResponse` validates the shape
  if (response === null) return null;
  const { id, origin } = getRelyingParty(config);
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: isOwn,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
  }).catch(() => null);
  if (!result?.verified) return null;
  const { credential, credentialDeviceType, credentialBackedUp } = result.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: filterTransports(credential.transports ?? []).join(' '),
    device_type: credentialDeviceType,
    backed_up: credentialBackedUp,
  };
}

/** A browser's unverified response to `generatePasskeyRequestOptions`. */
export interface PasskeyAssertion {
  readonly credentialId: string;
  readonly handle: string | null;
  readonly response: AuthenticationResponseJSON;
}

/**
 * Parses a browser's response. Returns `null` if it is malformed or its credential id is not base64url, because the database cannot compare with
 * every text.
 */
export function parsePasskeyAssertion(answer: string): PasskeyAssertion | null {
  const response = parseJsonObject(answer) as AuthenticationResponseJSON | null; // the cast is safe: `verifyAuthenticationResponse` validates the shape
  if (typeof response?.id !== 'string' || !/^[\w-]+$/.test(response.id) || !isObject(response.response)) return null;
  const { userHandle } = response.response;
  return {
    credentialId: response.id,
    handle: typeof userHandle === 'string' && userHandle !== '' ? userHandle : null,
    response,
  };
}

/** Verifies origin, challenge, signature and user presence of a response, with the key of its passkey. Returns `null` if any of them is wrong. */
export async function verifyPasskeyAssertion(
  config: Config,
  { response }: PasskeyAssertion,
  {
    passkey,
    isOwn,
    requireUserVerification,
  }: { passkey: Passkey; isOwn: IsExpectedChallenge; requireUserVerification: boolean },
): Promise<{ readonly counter: number; readonly backedUp: boolean } | null> {
  const { id, origin } = getRelyingParty(config);
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: isOwn,
    expectedOrigin: config.agentsHost === '' ? origin : [origin, config.agentsHost], // agents sign in and confirm actions on the host of the desk
    expectedRPID: id,
    requireUserVerification,
    // The counter 0 disables the library's counter check. The caller checks the counter, to distinguish a cloned passkey
    // from an invalid response.
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: 0,
    },
  }).catch(() => null);
  if (!result?.verified) return null;
  return { counter: result.authenticationInfo.newCounter, backedUp: result.authenticationInfo.credentialBackedUp };
}

function parseJsonObject(answer: string): unknown {
  try {
    const value: unknown = JSON.parse(answer);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const transports: readonly AuthenticatorTransport[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb'];

function filterTransports(names: readonly string[]): AuthenticatorTransport[] {
  return transports.filter((transport) => names.includes(transport));
}

function describeCredential({ credential_id, transports: names }: Passkey) {
  return { id: credential_id, transports: filterTransports(names.split(' ')) };
}

/** The only use for which a response to the challenge is accepted. */
export interface WebAuthnChallengeBinding {
  readonly purpose: 'register' | 'second-factor' | 'sign-in' | 'act';
  /** Owner of the challenge: the id of a session, the hash of a sign-in, or the hash of an agent's action and its session. */
  readonly owner: string;
}

export const webAuthnCeremonyLifeS = 5 * 60;

export const actionConfirmationLifeS = 2 * 60;

export async function storeWebAuthnChallenge(
  db: DatabaseStore['db'] | Tx,
  { purpose, owner }: WebAuthnChallengeBinding,
  challenge: string,
  now: Date,
): Promise<void> {
  const fresh = {
    digest: hashSecret(challenge),
    expires_at: addSeconds(now, purpose === 'act' ? actionConfirmationLifeS : webAuthnCeremonyLifeS),
    used_at: null,
  };
  await db
    .insertInto('passkey_challenges')
    .values({ purpose, owner, ...fresh })
    .onConflict((conflict) => conflict.columns(['purpose', 'owner']).doUpdateSet(fresh))
    .execute();
}

/** Consumes the challenge even if the response is invalid, and outside of the command's transaction, because a rollback would undo it. */
export async function consumeWebAuthnChallenge(
  { db }: DatabaseStore,
  { purpose, owner }: WebAuthnChallengeBinding,
  now: Date,
): Promise<((challenge: string) => boolean) | null> {
  const taken = await db
    .updateTable('passkey_challenges')
    .set({ used_at: now })
    .where('purpose', '=', purpose)
    .where('owner', '=', owner)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('digest')
    .executeTakeFirst();
  return taken ? (challenge) => hashSecret(challenge) === taken.digest : null;
}
