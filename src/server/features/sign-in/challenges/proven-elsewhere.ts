import { OperationError } from '../../../platform/base/errors.ts';
import { sessionOfCookie } from '../../../trust/sessions/sessions.ts';
import { type ChallengeRecord, expired } from '../../../trust/sessions/challenge-record.ts';
import type { ChallengeDependencies, Proof, Request, Challenge } from './challenge.ts';
import { noteFailure } from './prove-by-secret.ts';
import { href } from '../../../../contract/href.ts';
import { brokerPages } from '../../../../contract/contract.ts';
import { documentId, readDocument } from '../../../platform/base/document.ts';
import { makeTicket, useCard } from '../../../trust/federation/card/tickets.ts';
import { findCitizenByDocument } from '../../../trust/identity/citizens.ts';
import { challengeNames, walletMethod } from '../../../trust/identity/names.ts';
import { openSignIn } from './open-sign-in.ts';
import { useWallet } from '../../../trust/federation/wallet/receive-answer.ts';
import { makeRequests } from '../../../trust/federation/wallet/requests.ts';

/** A digital wallet as the only method of a sign-in (OpenID4VP 1.0). It identifies the citizen, at the level configured for its issuer. */
export const wallet: Challenge = {
  name: challengeNames.wallet,
  async open(dependencies, request, count) {
    const { wallet: known } = dependencies;
    if (known === null) throw new OperationError(400, 'paso_desconocido');
    await count();
    const opened = await openSignIn(dependencies, request, {
      step: challengeNames.wallet,
      document: '',
      citizen_id: null,
    });
    return { ...opened, options: { ...(await makeRequests({ ...dependencies, wallet: known }, opened.token)) } };
  },
  answer: {
    async prove(dependencies, request, record) {
      const { store, clock } = dependencies;
      const presented = await useWallet(store, record.hash, clock.now());
      if (presented === null) throw expired();
      const document = readDocument(null, null, presented.number);
      const citizen = await findCitizenByDocument(store.db, document);
      const who = citizen && { id: citizen.id, document: documentId(document) };
      const factor = walletMethod(presented.level);
      return provenElsewhere(dependencies, request, record, { factor, who, unknown: 'billetera_sin_cuenta' });
    },
  },
};

/**
 * The identity card as the only method of a sign-in. It redirects to the listener that requests the card's certificate. The listener gives the
 * sign-in a new token, with which the browser returns. Until then the citizen is unknown. No PIN reaches the server.
 */
export const card: Challenge = {
  name: challengeNames.card,
  async open(dependencies, request, count) {
    const { store, clock, config } = dependencies;
    if (!config.flags.ci_electronica) throw new OperationError(400, 'paso_desconocido');
    if (config.card === null) throw new OperationError(400, 'tarjeta_no_disponible'); // this server does not accept cards
    await count();
    const opened = await openSignIn(dependencies, request, {
      step: challengeNames.card,
      document: '',
      citizen_id: null,
    });
    const ticket = await makeTicket(store, opened.token, clock.now());
    return { ...opened, location: new URL(href(brokerPages.card, { ticket }), config.card.url).href };
  },
  answer: {
    async prove(dependencies, request, record) {
      const { store, clock } = dependencies;
      const number = await useCard(store, record.hash, clock.now());
      if (number === null) throw expired();
      const document = readDocument(null, null, number);
      const citizen = await findCitizenByDocument(store.db, document);
      const who = citizen && { id: citizen.id, document: documentId(document) };
      return provenElsewhere(dependencies, request, record, {
        factor: challengeNames.card,
        who,
        unknown: 'tarjeta_sin_cuenta',
      });
    },
  },
};

/** Returns the proof by card or wallet. Refuses if somebody else is signed in in this browser: another person's card must not sign them out. */
async function provenElsewhere(
  dependencies: ChallengeDependencies,
  request: Request,
  record: ChallengeRecord,
  { factor, who, unknown }: { factor: string; who: Proof['citizen'] | null; unknown: string },
): Promise<Proof> {
  const { store, clock } = dependencies;
  if (!who) {
    await noteFailure(dependencies, request, record);
    throw new OperationError(400, unknown);
  }
  const { session: secret } = request.cookies;
  const session = secret === undefined ? null : await sessionOfCookie(store.db, secret, clock.now());
  if (session !== null && session.citizenId !== who.id) {
    await noteFailure(dependencies, request, { ...record, citizen_id: who.id });
    throw new OperationError(400, 'sesion_de_otra_persona');
  }
  return { factor, citizen: who, settle: async () => {} };
}
