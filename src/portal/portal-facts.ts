import {
  formatIdentityDocument,
  getCitizenDocument,
  type CitizenDocumentFields,
} from '../contract/format/document-type.ts';
import { toPersonFact, type PortalFacts } from '../contract/rule-facts.ts';
import { isObject, type ValuesByName } from '../engine/core/json.ts';
import type { Language, PortalConfig } from '../contract/portal-config.ts';
import { dateFormatsByLanguage } from '../contract/format/date-in-words.ts';

export function buildPortalFacts(
  config: PortalConfig,
  user: unknown,
  authenticated: boolean,
  signatureObstacle: PortalFacts['signatureObstacle'],
  { carried = {}, language }: { readonly carried?: ValuesByName; readonly language: Language },
): PortalFacts {
  return {
    flags: config.flags,
    user,
    authenticated,
    document:
      isObject(user) && isObject(user['documento'])
        ? formatIdentityDocument(getCitizenDocument(user as unknown as CitizenDocumentFields), language)
        : null, // the cast of `user` is safe, because the client has validated the citizen's record
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
    dates: dateFormatsByLanguage[language],
    person: toPersonFact(user),
  };
}
