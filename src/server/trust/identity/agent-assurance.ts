import type { Config } from '../../platform/config/config.ts';
import { challengeNames } from './names.ts';

/**
 * Methods that a false page cannot relay: a passkey signs for one origin, and the key of the identity card signs the TLS handshake with the server
 * that asks for it.
 */
const phishingResistant: readonly string[] = [challengeNames.passkey, challengeNames.card];

/** Whether the methods of a sign-in include a phishing-resistant one. */
export function isPhishingResistant(amr: readonly string[]): boolean {
  return amr.some((method) => phishingResistant.includes(method));
}

/**
 * What an agent must prove at sign-in and at each act: a passkey. On a loopback server, which only its own machine reaches, the password is enough as long
 * as the account has no passkey.
 */
export function agentAssurance({ loopback }: Pick<Config, 'loopback'>, hasPasskey: boolean): 'passkey' | 'password' {
  return loopback && !hasPasskey ? 'password' : 'passkey';
}
