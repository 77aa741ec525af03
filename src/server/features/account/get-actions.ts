import { networkOf } from '../../platform/base/addresses.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { deviceText } from '../../platform/base/device.ts';
import type { TextOf } from '../../platform/base/texts.ts';
import type { Store } from '../../platform/database/open-store.ts';

const most = 20;
/** Agents look at the stills of a call repeatedly. Of consecutive views only the latest is listed. */
const look = 'call-still-seen';
/** Number of rows to read. It exceeds `most` because consecutive views are merged. */
const read = 10 * most;

/** Lists the latest actions on an account, from the audit log: description, actor, device and network. */
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
        // an agent's device and network are internal, and only in the log
        dispositivo:
          actor === 'agent' || userAgent === null || userAgent === '' ? null : deviceText(userAgent, language),
        red: (actor !== 'agent' && networkOf(address)) || null,
      })),
    };
  };
}
