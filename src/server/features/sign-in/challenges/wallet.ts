import { OperationError } from '../../../platform/base/errors.ts';
import { documentId, readDocument } from '../../../platform/base/document.ts';
import { useWallet } from '../../../trust/federation/wallet/receive-answer.ts';
import { makeRequests } from '../../../trust/federation/wallet/requests.ts';
import { findCitizenByDocument } from '../../../trust/identity/citizens.ts';
import { challengeNames, walletMethod } from '../../../trust/identity/names.ts';
import { expired } from '../../../trust/sessions/challenge-record.ts';
import type { Challenge } from './challenge.ts';
import { openSignIn } from './open-sign-in.ts';
import { provenElsewhere } from './proven-elsewhere.ts';

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
