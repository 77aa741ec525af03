import type { Handler } from '../../platform/base/operation-request.ts';
import { documentId } from '../../platform/base/document.ts';
import { activeFactors, prepareFactor } from '../../trust/credentials/second-factors.ts';
import { newTotpSecret, totpPurpose, totpUri } from '../../trust/credentials/totp.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { demandFactor } from './demand-factor.ts';
import type { Parts } from '../parts.ts';

/** Prepares a new authenticator app, which its first code activates. It replaces a pending app. An active one stays until the activation. */
export function createTotp({ commands, config, vault }: Parts): Handler<'createTotp'> {
  return async ({ caller, origin }) => {
    const secret = newTotpSecret();
    return commands.run(origin, async ({ tx, now }) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      await demandFactor(tx, sessionId, await activeFactors(tx, citizen.id));
      const id = await prepareFactor(tx, {
        citizenId: citizen.id,
        kind: 'totp',
        now,
        seal: (factor) => vault.seal(totpPurpose(factor), secret),
      });
      return {
        body: { id, secret, url: totpUri({ secret, issuer: config.brand.product, label: documentId(citizen) }) },
      };
    });
  };
}
