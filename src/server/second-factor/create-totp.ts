import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import type { Config } from '../config/config.ts';
import { prepareFactor } from '../credentials/second-factors.ts';
import { newTotpSecret, totpPurpose, totpUri } from '../credentials/totp.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import type { Vault } from '../keys/vault.ts';
import type { Commands } from '../notices/commands.ts';

interface Needs {
  readonly commands: Commands;
  readonly config: Config;
  readonly vault: Vault;
}

/** A new authenticator app that waits for its first code; one that still waits is forgotten, an active one stays until then. */
export function createTotp({ commands, config, vault }: Needs): Handler<'createTotp'> {
  return async ({ caller, origin }) => {
    const secret = newTotpSecret();
    return commands.run(origin, async ({ tx, now }) => {
      const { citizen } = await ownCitizen(tx, caller);
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
