import { addSeconds, type Clock } from '../../../platform/base/clock.ts';
import type { Database } from '../../../platform/database/schema.ts';
import type { DatabaseStore, Tx } from '../../../platform/database/open-store.ts';
import { challengeNames } from '../../identity/challenge-names.ts';
import { hashSecret, generateSecret } from '../../../platform/keys/random-secrets.ts';
import { replaceSignInToken } from '../../sessions/sign-in-record.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import { normalizeDocument } from '../../../platform/base/identity-document.ts';
import {
  isAuthenticationCertificate,
  parseCertificate,
  readSubjectSerialNumber,
  type SignatureRefusalCode,
} from '../../certificates/certificate.ts';
import { buildCertificationPath, type TrustStore } from '../../certificates/trust-store.ts';
import { buildHref } from '../../../../contract/build-href.ts';
import { pagePaths } from '../../../../contract/page-paths.ts';
import type { Config } from '../../../platform/config/config.ts';

/** Lifetime of a ticket, and of the card number that is recorded for it, in seconds. Long enough to type a PIN. */
export const cardSignInTicketLifeS = 120;

type CardTicket = Pick<Database['card_tickets'], 'hash' | 'challenge'>;

export async function createCardSignInTicket(store: DatabaseStore, token: string, now: Date): Promise<string> {
  const ticket = generateSecret();
  await store.db
    .insertInto('card_tickets')
    .values({
      hash: hashSecret(ticket),
      challenge: hashSecret(token),
      expires_at: addSeconds(now, cardSignInTicketLifeS),
    })
    .execute();
  return ticket;
}

export async function redeemCardSignInTicket(store: DatabaseStore, ticket: string, now: Date) {
  const taken = await store.db
    .updateTable('card_tickets')
    .set({ taken_at: now })
    .where('hash', '=', hashSecret(ticket))
    .where('taken_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['hash', 'challenge'])
    .executeTakeFirst();
  return taken ?? null;
}

/**
 * Records the card number, and replaces the token of the sign-in, so that an attacker who brought the ticket to the citizen's browser cannot continue
 * the sign-in.
 */
export function recordIdentityCardNumber(
  store: DatabaseStore,
  { hash, challenge }: CardTicket,
  number: string,
  now: Date,
) {
  return store.transaction(async (tx) => {
    const waiting = await replaceSignInToken(tx, challenge, challengeNames.card, now);
    if (waiting === null) return null;
    await tx
      .updateTable('card_tickets')
      .set({ challenge: hashSecret(waiting.token), number, expires_at: addSeconds(now, cardSignInTicketLifeS) })
      .where('hash', '=', hash)
      .execute();
    return waiting;
  });
}

export async function redeemRecordedCardNumber({ db }: DatabaseStore | { db: Tx }, challenge: string, now: Date) {
  const used = await db
    .updateTable('card_tickets')
    .set({ used_at: now })
    .where('challenge', '=', challenge)
    .where('number', 'is not', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('number')
    .executeTakeFirst();
  return used?.number ?? null;
}

/** Reasons why a card cannot be used to sign in. Each has the text `tarjeta_<reason>`. */
export type IdentityCardProblem = 'ausente' | 'desconocida' | 'vencida' | 'revocada' | 'pedido_vencido';

/** Error for a card that cannot be used to sign in. `problem` selects the text for its holder, and `message` is for the log. */
export class IdentityCardError extends Error {
  readonly problem: IdentityCardProblem;

  constructor(problem: IdentityCardProblem, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.problem = problem;
  }
}

const problemsByCode: Partial<Record<string, IdentityCardProblem>> = {
  certificado_no_vigente: 'vencida',
  certificado_revocado: 'revocada',
} satisfies Partial<Record<SignatureRefusalCode, IdentityCardProblem>>;

const maxCertificateBytes = 8 * 1024;

/** Issued cards use the prefix DNI. Other certificates use CI or the format of ETSI EN 319 412-1. */
const nationalNumber = /^(?:CI|DNI|IDCUY|PNOUY)[ :-]*(\d[\d.-]{5,11})$/i;

/** Throws an `IdentityCardError` unless the certificate is valid, personal, trusted and not revoked. The TLS handshake has proven possession of its key. */
export async function verifyCardCertificate(certificates: readonly Buffer[], trust: TrustStore, now: Date) {
  const [leaf, ...along] = certificates;
  if (leaf === undefined) throw new IdentityCardError('ausente', 'no certificate was shown');
  if (certificates.some(({ length }) => length > maxCertificateBytes))
    throw new IdentityCardError('desconocida', 'a certificate is too long');
  try {
    const card = parseCertificate(leaf);
    if (!isAuthenticationCertificate(card))
      throw new IdentityCardError('desconocida', 'the certificate is not for authentication');
    const path = buildCertificationPath(card, along.map(parseCertificate), trust.roots, now);
    await trust.checkRevocation(path, now);
    const { serialNumber = '', country = null } = readSubjectSerialNumber(card) ?? {};
    const [, number] = nationalNumber.exec(serialNumber.trim()) ?? [];
    if (number === undefined || (country !== null && country.toUpperCase() !== 'UY'))
      throw new IdentityCardError('desconocida', 'the certificate names no national document');
    return normalizeDocument(null, null, number.replace(/[.-]/g, '')).number;
  } catch (error) {
    if (error instanceof IdentityCardError) throw error;
    const reason = error instanceof OperationError ? error.code : 'the certificate cannot be read';
    throw new IdentityCardError(problemsByCode[reason] ?? 'desconocida', reason, { cause: error });
  }
}

export interface CardSignInDependencies {
  readonly config: Pick<Config, 'baseUrl'>;
  readonly clock: Clock;
  readonly store: DatabaseStore;
  readonly cardTrust: TrustStore;
}

export function buildCardSignInUrl(baseUrl: string): string {
  return new URL(buildHref(pagePaths.login, { ae: 'ci' }), baseUrl).href;
}

/**
 * Records the card number for the sign-in of the ticket. Returns the URL at which the browser continues, which completes the sign-in only with the
 * sign-in's cookie. Throws an `IdentityCardError` if the ticket or the card is not accepted.
 */
export async function acceptIdentityCardForTicket(
  { config, clock, store, cardTrust }: CardSignInDependencies,
  ticket: string | undefined,
  certificates: readonly Buffer[],
): Promise<string> {
  const now = clock.now();
  const createExpiredError = () =>
    new IdentityCardError('pedido_vencido', 'the ticket is unknown, late, or was taken before');
  const taken = ticket === undefined ? null : await redeemCardSignInTicket(store, ticket, now);
  if (taken === null) throw createExpiredError();
  const number = await verifyCardCertificate(certificates, cardTrust, now);
  const waiting = await recordIdentityCardNumber(store, taken, number, now);
  if (waiting === null) throw createExpiredError();
  const { token: tarjeta, process_state, redirect_url: redirectUrl, agent: agnt } = waiting;
  const path = buildHref(pagePaths.login, { ae: 'ci', tarjeta, process_state, redirectUrl, agnt });
  return new URL(path, config.baseUrl).href;
}
