import { networkOf } from '../base/addresses.ts';
import type { Handler } from '../base/call.ts';
import { deviceText } from '../base/device.ts';
import { textOf } from '../base/texts.ts';
import type { Store } from '../database/open-store.ts';

const most = 20;

/** The latest actions on an account, from the audit log, in words: what, by whom, and from where as the list of sessions tells it. */
export function getActions({ store }: { store: Store }): Handler<'getActions'> {
  return async ({ params, origin: { language } }) => {
    const rows = await store.db
      .selectFrom('audit')
      .select(['seq', 'at', 'action', 'actor', 'address', 'user_agent'])
      .where('citizen_id', '=', params['id'] ?? '')
      .orderBy('seq', 'desc')
      .limit(most)
      .execute();
    return {
      body: rows.map(({ seq, at, action, actor, address, user_agent: userAgent }) => ({
        id: String(seq),
        timestamp_access: at.toISOString(),
        descripcion: textOf(`accion_${action}`, language),
        responsable: textOf(`responsable_${actor ?? 'unidentified'}`, language),
        // where an agent sits is the institution's own, and in the log alone
        dispositivo:
          actor === 'agent' || userAgent === null || userAgent === '' ? null : deviceText(userAgent, language),
        red: (actor !== 'agent' && networkOf(address)) || null,
      })),
    };
  };
}
