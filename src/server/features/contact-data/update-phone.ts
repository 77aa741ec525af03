import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Commands } from '../../trust/notices/commands.ts';

/** Changes the citizen's phone number. An empty one removes it. Fails with 404 if the flag `telefono_autogestion` is off. */
export function updatePhone({ commands, config }: { commands: Commands; config: Config }): Handler<'updatePhone'> {
  return async ({ body, caller, origin }) => {
    if (!config.flags.telefono_autogestion) throw new OperationError(404, 'no_encontrado');
    const phone = (body.numero_telefono ?? '').trim() || null;
    await commands.run(origin, async ({ tx, audit, notify }) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      if (citizen.phone === phone) return;
      await notify('phone-changed', citizen, { sessionId });
      await tx.updateTable('citizens').set({ phone }).where('id', '=', citizen.id).execute();
      await audit('change-phone', citizen.id);
    });
    return { body: { numero_telefono: phone } };
  };
}
