import type { OperationResponse } from '../../../contract/contract.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { formatDocumentId } from '../../platform/base/identity-document.ts';
import { formatFullName } from '../../trust/identity/citizens.ts';
import {
  formatForeignSubject,
  parseForeignSubject,
  performForeignCitizenAction,
  type ForeignCitizenAction,
  type ForeignCitizenRecord,
} from '../account/foreign-citizen-records.ts';
import type { HandlerContext, ResponseBodyHandler } from '../handler-context.ts';
import {
  findRequestingAgent,
  toAgentChangeOrigin,
  type DeskAgent,
  createDeskActionError,
  isKeyOf,
  throwIfDeskActionRefused,
} from './desk-agent.ts';

const foreignActionsByFormValue = {
  bloquear: 'block',
  desbloquear: 'unblock',
  cerrar_sesiones: 'end-sessions',
} as const satisfies Readonly<Record<string, ForeignCitizenAction>>;

export const actOnForeignRecord: ResponseBodyHandler<'actOnForeignRecord'> = async (
  { commands, store },
  { body, caller, origin },
) => {
  const name = parseForeignSubject(body.quien ?? '');
  const act = body.acto ?? '';
  if (!isKeyOf(foreignActionsByFormValue, act)) throw new OperationError(400, 'acto_invalido', { field: 'acto' });
  if (name === null) throw createDeskActionError('unknown');
  const { document, signature } = await findRequestingAgent(store.db, caller);
  const outcome = await performForeignCitizenAction(
    { commands },
    {
      act: foreignActionsByFormValue[act],
      name,
      reason: (body.motivo ?? '').trim(),
      operator: signature,
      seat: { document, origin: toAgentChangeOrigin(origin) },
    },
  );
  throwIfDeskActionRefused(outcome);
  return { hecho: outcome === 'done' };
};

export async function toForeignCitizenResponses(
  { config, store }: Pick<HandlerContext, 'config' | 'store'>,
  records: readonly ForeignCitizenRecord[],
  agent: DeskAgent,
): Promise<OperationResponse<'findDeskAccount'>['registros']> {
  if (records.length === 0) return [];
  const countries = await store.db.selectFrom('countries').select(['code', 'name']).execute();
  return records.map((record) => {
    const { provider, subject, country, blocked_at, used_at, sessions } = record;
    const isOwn = formatDocumentId(record) === agent.document;
    const possible = { bloquear: blocked_at === null, desbloquear: blocked_at !== null, cerrar_sesiones: sessions > 0 };
    return {
      quien: formatForeignSubject(record),
      proveedor: config.identityProviders.find(({ identificador }) => identificador === provider)?.nombre ?? provider,
      identificador: subject,
      pais: countries.find(({ code }) => code === country)?.name ?? country,
      documento: formatDocumentId(record),
      nombre: formatFullName(record),
      bloqueada: blocked_at !== null,
      propia: isOwn,
      ultimo_uso: used_at.toISOString(),
      sesiones: sessions,
      actos: isOwn ? [] : Object.entries(possible).flatMap(([name, may]) => (may ? name : [])),
    };
  });
}
