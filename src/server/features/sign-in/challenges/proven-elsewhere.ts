import { OperationError } from '../../../platform/base/errors.ts';
import { sessionOfCookie } from '../../../trust/sessions/sessions.ts';
import { createSignInExpiredError } from '../../../trust/sessions/challenge-record.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { type Challenge, type Prove, openSignIn } from './challenge.ts';
import { noteFailure } from './typed.ts';
import { href } from '../../../../contract/href.ts';
import { brokerPages } from '../../../../contract/contract.ts';
import { documentId, readDocument } from '../../../platform/base/document.ts';
import { makeTicket, useCard } from '../../../trust/federation/card/receive-card.ts';
import { findCitizenByDocument } from '../../../trust/identity/citizens.ts';
import { challengeNames, walletMethod } from '../../../trust/identity/names.ts';
import { useWallet, makeRequests } from '../../../trust/federation/wallet/requests.ts';

/** A digital wallet as the only method of a sign-in (OpenID4VP 1.0). It identifies the citizen, at the level configured for its issuer. */
export const wallet: Challenge = {
  name: challengeNames.wallet,
  async open(dependencies, request, count) {
    const { wallet: known } = dependencies;
    if (known === null) throw new OperationError(400, 'paso_desconocido');
    await count();
    const opened = await openSignIn(dependencies, request, challengeNames.wallet);
    return { ...opened, options: { ...(await makeRequests({ ...dependencies, wallet: known }, opened.token)) } };
  },
  answer: {
    prove: proveElsewhere('billetera_sin_cuenta', async (store, signIn, now) => {
      const presented = await useWallet(store, signIn, now);
      return presented && { number: presented.number, factor: walletMethod(presented.level) };
    }),
  },
};

/**
 * The identity card as the only method of a sign-in. Redirects the browser to the listener that requests the card's certificate. The listener
 * gives the sign-in a new token, with which the browser returns. Until then the citizen is unknown. No PIN reaches the server.
 */
export const card: Challenge = {
  name: challengeNames.card,
  async open(dependencies, request, count) {
    const { store, clock, config } = dependencies;
    if (!config.flags.ci_electronica) throw new OperationError(400, 'paso_desconocido');
    if (config.card === null) throw new OperationError(400, 'tarjeta_no_disponible'); // the server has no listener for cards
    await count();
    const opened = await openSignIn(dependencies, request, challengeNames.card);
    const ticket = await makeTicket(store, opened.token, clock.now());
    return { ...opened, location: new URL(href(brokerPages.card, { ticket }), config.card.url).href };
  },
  answer: {
    prove: proveElsewhere('tarjeta_sin_cuenta', async (store, signIn, now) => {
      const number = await useCard(store, signIn, now);
      return number === null ? null : { number, factor: challengeNames.card };
    }),
  },
};

/**
 * Proves a sign-in with the national document that a card or wallet has presented for it. `use` consumes the document number, which works once.
 * Refuses if another person is signed in in this browser, because the card would end that session.
 */
function proveElsewhere(
  unknown: string,
  use: (store: Store, signIn: string, now: Date) => Promise<{ number: string; factor: string } | null>,
): Prove {
  return async (dependencies, request, record) => {
    const { store, clock } = dependencies;
    const presented = await use(store, record.hash, clock.now());
    if (presented === null) throw createSignInExpiredError();
    const document = readDocument(null, null, presented.number);
    const citizen = await findCitizenByDocument(store.db, document);
    if (citizen === null) {
      await noteFailure(dependencies, request, record);
      throw new OperationError(400, unknown);
    }
    const session = await sessionOfCookie(store.db, request.cookies.session, clock.now());
    if (session !== null && session.citizenId !== citizen.id) {
      await noteFailure(dependencies, request, { ...record, citizen_id: citizen.id });
      throw new OperationError(400, 'sesion_de_otra_persona');
    }
    const who = { id: citizen.id, document: documentId(document) };
    return { factor: presented.factor, citizen: who, settle: async () => {} };
  };
}
