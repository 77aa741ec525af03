import type { Throttle } from '../abuse/throttle.ts';
import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Passwords } from '../credentials/passwords.ts';
import type { Store } from '../database/open-store.ts';
import { passwordHashOf } from '../identity/citizens.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import type { Commands } from '../notices/commands.ts';
import { noteProof } from '../sessions/identity-proof.ts';

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
}

/**
 * Proves the identity of who is signed in by the current password. Wrong ones are counted by document and address, which delays and
 * never locks. The hash is checked outside of any transaction, and compared once more inside of the one that counts on it.
 */
export function verifyPassword({ commands, store, passwords, throttle }: Needs): Handler<'verifyPassword'> {
  return async ({ body, caller, origin }) => {
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    const stored = await passwordHashOf(store.db, citizen.id);
    const wrong = new CallError(400, 'contrasena_invalida', { field: 'pwd' });
    if (!(await passwords.verify(stored, body.pwd ?? ''))) {
      await commands.run(origin, ({ audit }) => audit('identity-refused', citizen.id));
      throw wrong;
    }
    await throttle.forgive('verifyIdentity', { address: origin.address, document: documentId(citizen) });
    await commands.run(origin, async ({ tx, now, audit }) => {
      if ((await passwordHashOf(tx, citizen.id)) !== stored) throw wrong;
      await noteProof(tx, sessionId, now);
      await audit('identity-verified', citizen.id);
    });
    return { body: {} };
  };
}
