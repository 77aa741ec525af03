import type { Handler } from '../call.ts';
import type { Parts } from '../parts.ts';
import { textOf } from '../texts.ts';

const most = 20;

/** The latest actions on an account, from the audit log, in words. What happened is told, not from which address. */
export function getActions({ store }: Parts): Handler<'getActions'> {
  return async ({ params, language }) => {
    const rows = await store.db.selectFrom('audit').select(['seq', 'at', 'action'])
      .where('citizen_id', '=', params['id'] ?? '').orderBy('seq', 'desc').limit(most).execute();
    return {
      body: rows.map(({ seq, at, action }) => ({
        id: String(seq),
        timestamp_access: at.toISOString(),
        descripcion: textOf(`accion_${action}`, language),
        responsable: textOf(systemActions.has(action) ? 'responsable_sistema' : 'responsable_ciudadano', language),
      })),
    };
  };
}

/** Actions that the system does by itself. */
const systemActions: ReadonlySet<string> = new Set(['account-deleted']);
