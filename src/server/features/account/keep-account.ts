import type { Handler } from '../../platform/base/operation-request.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Commands } from '../../trust/notices/commands.ts';

/** Cancels the closure of the account. Does nothing if none is scheduled. */
export function keepAccount({ commands }: { commands: Commands }): Handler<'keepAccount'> {
  return async ({ caller, origin }) => {
    await commands.run(origin, async ({ tx, audit, notify }) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const kept = await tx
        .updateTable('citizens')
        .set({ closing_at: null })
        .where('id', '=', citizen.id)
        .where('closing_at', 'is not', null)
        .returning('id')
        .executeTakeFirst();
      if (kept === undefined) return;
      await audit('closure-cancelled', citizen.id);
      await notify('closure-cancelled', citizen, { sessionId });
    });
    return { body: {} };
  };
}
