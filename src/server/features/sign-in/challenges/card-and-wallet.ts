import { OperationError } from '../../../platform/base/errors.ts';
import { findLiveSessionOfCookie } from '../../../trust/sessions/broker-sessions.ts';
import { createSignInExpiredError } from '../../../trust/sessions/sign-in-record.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import { type SignInChallenge, type ChallengeVerifier, startSignInWithChallenge } from './challenge.ts';
import { recordSignInFailure } from './password-and-code-challenges.ts';
import { buildHref } from '../../../../contract/build-href.ts';
import { identityBrokerPaths } from '../../../../contract/contract.ts';
import { formatDocumentId, normalizeDocument } from '../../../platform/base/identity-document.ts';
import {
  createCardSignInTicket,
  redeemRecordedCardNumber,
} from '../../../trust/federation/card/identity-card-sign-in.ts';
import { findCitizenByDocument } from '../../../trust/identity/citizens.ts';
import { challengeNames, getWalletAmr } from '../../../trust/identity/challenge-names.ts';
import {
  consumeWalletPresentation,
  createWalletPresentationRequests,
} from '../../../trust/federation/wallet/presentation-requests.ts';

/** A digital wallet as the only method (OpenID4VP 1.0). Its level is configured for the issuer of the presented credential. */
export const walletChallenge: SignInChallenge = {
  name: challengeNames.wallet,
  async open(dependencies, request, count) {
    const { wallet } = dependencies;
    if (wallet === null) throw new OperationError(400, 'paso_desconocido');
    await count();
    const opened = await startSignInWithChallenge(dependencies, request, challengeNames.wallet);
    const options = await createWalletPresentationRequests({ ...dependencies, wallet }, opened.token);
    return { ...opened, options: { ...options } };
  },
  answer: {
    verifyAnswer: createDocumentVerifier('billetera_sin_cuenta', async (store, signIn, now) => {
      const presented = await consumeWalletPresentation(store, signIn, now);
      return presented && { number: presented.number, factor: getWalletAmr(presented.level) };
    }),
  },
};

/**
 * The identity card as the only method of a sign-in. Redirects the browser to the listener that requests the card's certificate. That listener
 * verifies the certificate, gives the sign-in a new token, and redirects the browser back with it. The PIN does not reach the server.
 */
export const cardChallenge: SignInChallenge = {
  name: challengeNames.card,
  async open(dependencies, request, count) {
    const { store, clock, config } = dependencies;
    if (!config.flags.ci_electronica) throw new OperationError(400, 'paso_desconocido');
    if (config.card === null) throw new OperationError(400, 'tarjeta_no_disponible'); // the server has no listener for cards
    await count();
    const opened = await startSignInWithChallenge(dependencies, request, challengeNames.card);
    const ticket = await createCardSignInTicket(store, opened.token, clock.now());
    return { ...opened, location: new URL(buildHref(identityBrokerPaths.card, { ticket }), config.card.url).href };
  },
  answer: {
    verifyAnswer: createDocumentVerifier('tarjeta_sin_cuenta', async (store, signIn, now) => {
      const number = await redeemRecordedCardNumber(store, signIn, now);
      return number === null ? null : { number, factor: challengeNames.card };
    }),
  },
};

/**
 * Creates the verification of a national document that a card or wallet presented. `use` redeems the presented document, at most once, and returns
 * its number. `unknown` is the error code for a document without an account. The verification throws if another person is signed in in this
 * browser, because the sign-in would end that person's session.
 */
function createDocumentVerifier(
  unknown: string,
  use: (store: DatabaseStore, signIn: string, now: Date) => Promise<{ number: string; factor: string } | null>,
): ChallengeVerifier {
  return async (dependencies, request, record) => {
    const { store, clock } = dependencies;
    const presented = await use(store, record.hash, clock.now());
    if (presented === null) throw createSignInExpiredError();
    const document = normalizeDocument(null, null, presented.number);
    const citizen = await findCitizenByDocument(store.db, document);
    if (citizen === null) {
      await recordSignInFailure(dependencies, request, record);
      throw new OperationError(400, unknown);
    }
    const session = await findLiveSessionOfCookie(store.db, request.cookies.session, clock.now());
    if (session !== null && session.citizenId !== citizen.id) {
      await recordSignInFailure(dependencies, request, { ...record, citizen_id: citizen.id });
      throw new OperationError(400, 'sesion_de_otra_persona');
    }
    const identified = { id: citizen.id, document: formatDocumentId(document) };
    return { factor: presented.factor, citizen: identified, applyProof: async () => {} };
  };
}
