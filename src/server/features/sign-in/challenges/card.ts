import { href } from '../../../../contract/href.ts';
import { brokerPages } from '../../../../contract/contract.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import { documentId, readDocument } from '../../../platform/base/document.ts';
import { makeTicket, useCard } from '../../../trust/federation/card/tickets.ts';
import { findCitizenByDocument } from '../../../trust/identity/citizens.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import { expired } from '../../../trust/sessions/challenge-record.ts';
import type { Challenge } from './challenge.ts';
import { openSignIn } from './open-sign-in.ts';
import { provenElsewhere } from './proven-elsewhere.ts';

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
