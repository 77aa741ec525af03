import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { newTotpSecret, totpPurpose, totpUri } from '../credentials/totp.ts';
import type { Parts } from '../app/parts.ts';
import { prepareFactor } from '../credentials/second-factors.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

/** A new authenticator app that waits for its first code; one that still waits is forgotten, an active one stays until then. */
export function createTotp({ store, clock, vault, config }: Parts): Handler<'createTotp'> {
  return async ({ caller }) => {
    const secret = newTotpSecret();
    return store.transaction(async (tx) => {
      const { citizen } = await ownCitizen(tx, caller);
      const id = await prepareFactor(tx, {
        citizenId: citizen.id,
        kind: 'totp',
        now: clock.now(),
        seal: (factor) => vault.seal(totpPurpose(factor), secret),
      });
      return {
        body: { id, secret, url: totpUri({ secret, issuer: config.brand.product, label: documentId(citizen) }) },
      };
    });
  };
}
