import { networkOf } from '../../platform/base/addresses.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { deviceText } from '../../platform/base/device.ts';
import type { TextOf } from '../../platform/base/texts.ts';
import type { Store } from '../../platform/database/open-store.ts';

const most = 20;
/** An agent looks at a picture again and again: of looks in a row the latest stands for all. */
const look = 'call-still-seen';
/** As many more rows are read as looks may hide others. */
const read = 10 * most;

/** The latest actions on an account, from the audit log, in words: what, by whom, and from where as the list of sessions tells it. */
export function getActions({ store, texts }: { store: Store; texts: TextOf }): Handler<'getActions'> {
  return async ({ params, origin: { language } }) => {
    const rows = await store.db
      .selectFrom('audit')
      .select(['seq', 'at', 'action', 'actor', 'address', 'user_agent'])
      .where('citizen_id', '=', params['id'] ?? '')
      .orderBy('seq', 'desc')
      .limit(read)
      .execute();
    const told = rows.filter(({ action }, at) => action !== look || rows[at - 1]?.action !== look).slice(0, most);
    return {
      body: told.map(({ seq, at, action, actor, address, user_agent: userAgent }) => ({
        id: String(seq),
        timestamp_access: at.toISOString(),
        descripcion: texts(`accion_${action}`, language),
        responsable: texts(`responsable_${actor ?? 'unidentified'}`, language),
        // where an agent sits is the institution's own, and in the log alone
        dispositivo:
          actor === 'agent' || userAgent === null || userAgent === '' ? null : deviceText(userAgent, language),
        red: (actor !== 'agent' && networkOf(address)) || null,
      })),
    };
  };
}
