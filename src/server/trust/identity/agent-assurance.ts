import type { Config } from '../../platform/config/config.ts';
import { challengeNames } from './names.ts';

/** Methods that a phishing page cannot relay: a passkey signs for one origin, and the identity card signs one server's TLS handshake. */
const phishingResistant: readonly string[] = [challengeNames.passkey, challengeNames.card];

export function isPhishingResistant(amr: readonly string[]): boolean {
  return amr.some((method) => phishingResistant.includes(method));
}

/**
 * Returns what an agent must prove at sign-in and at each act: a passkey. On a loopback server, which only its own machine can reach, the password is
 * enough as long as the account has no passkey.
 */
export function agentAssurance({ loopback }: Pick<Config, 'loopback'>, hasPasskey: boolean): 'passkey' | 'password' {
  return loopback && !hasPasskey ? 'password' : 'passkey';
}
