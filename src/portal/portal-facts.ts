import { personOfRecord, type PortalFacts } from '../contract/facts.ts';
import type { Values } from '../engine/core/json.ts';
import type { PortalConfig } from '../contract/portal-config.ts';

export function buildFacts(
  config: PortalConfig,
  user: unknown,
  authenticated: boolean,
  signatureObstacle: PortalFacts['signatureObstacle'],
  { carried = {}, language }: { readonly carried?: Values; readonly language: string },
): PortalFacts {
  return {
    flags: config.flags,
    user,
    authenticated,
    product: config.brand.product,
    supportMailbox: config.supportMailbox,
    contactAnswerDays: config.contactAnswerDays,
    inPersonUrl: config.inPerson.url,
    passwordPolicy: config.passwordPolicy,
    passkeys: 'PublicKeyCredential' in globalThis,
    identityProviders: config.identityProviders,
    digitalSignature: config.digitalSignature,
    wallet: config.wallet,
    signatureObstacle,
    carried,
    language,
    person: personOfRecord(user),
  };
}
