import { documentId } from '../../../platform/base/document.ts';
import { text } from '../../../platform/base/read-text.ts';
import { findCitizen } from '../../../trust/identity/citizens.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import { hashSecret } from '../../../platform/keys/secrets.ts';
import type { Challenge } from './challenge.ts';
import { openSignIn } from './open-sign-in.ts';
import { passkeyOptions, proveUse, refused } from './passkey-use.ts';
import { limits } from '../../../trust/credentials/index.ts';

/** A passkey as the only method, which identifies the citizen. Its authenticator must verify the user (PIN, fingerprint, face): two factors. */
export const passkeySignIn: Challenge = {
  name: challengeNames.passkeySignIn,
  async open(dependencies, request, count) {
    await count();
    const who = { step: challengeNames.passkeySignIn, document: '', citizen_id: null };
    const opened = await openSignIn(dependencies, request, who);
    const owner = hashSecret(opened.token);
    return { ...opened, options: await passkeyOptions(dependencies.store.db, dependencies, { owner, allowed: null }) };
  },
  answer: {
    limit: limits.passkey,
    async prove(dependencies, request, record, count) {
      await count();
      const { credential } = await dependencies.validateForm(
        'login-llave-ingreso',
        request.body.data_challenge,
        request,
      );
      const { proof, passkey } = await proveUse(dependencies, request, record, {
        answer: text(credential),
        purpose: 'sign-in',
      });
      const citizen = await findCitizen(dependencies.store.db, passkey.citizen_id);
      if (citizen === null) throw refused();
      return { ...proof, citizen: { id: citizen.id, document: documentId(citizen) } };
    },
  },
};
