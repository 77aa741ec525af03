import type { Answer } from '../../../contract/contract.ts';
import {
  actOnForeigner,
  foreignSubjectId,
  readForeignSubject,
  type ForeignAct,
  type ForeignRecord,
} from '../account/foreign-records.ts';
import { documentId } from '../../platform/base/document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { fullName } from '../../trust/identity/citizens.ts';
import { findAgent, atDesk, type Agent, own, unknown } from './agent.ts';
import type { Handler, Parts } from '../parts.ts';

/** Acts of the desk on foreign records, by their names in the form. */
const acts = {
  bloquear: 'block',
  desbloquear: 'unblock',
  cerrar_sesiones: 'end-sessions',
} as const satisfies Readonly<Record<string, ForeignAct>>;

export const actOnForeignRecord: Handler<'actOnForeignRecord'> = async (
  { commands, store },
  { body, caller, origin },
) => {
  const name = readForeignSubject(body.quien ?? '');
  const act = body.acto ?? '';
  if (!isAct(act)) throw new OperationError(400, 'acto_invalido', { field: 'acto' });
  if (name === null) throw unknown();
  const { document, signature } = await findAgent(store.db, caller);
  const outcome = await actOnForeigner(
    { commands },
    {
      act: acts[act],
      name,
      reason: (body.motivo ?? '').trim(),
      operator: signature,
      seat: { document, origin: atDesk(origin) },
    },
  );
  if (outcome === 'unknown') throw unknown();
  if (outcome === 'own') throw own();
  return { body: { hecho: outcome === 'done' } };
};

export async function foreignAnswers(
  { config, store }: Pick<Parts, 'config' | 'store'>,
  records: readonly ForeignRecord[],
  agent: Agent,
): Promise<Answer<'findAccount'>['registros']> {
  if (records.length === 0) return [];
  const countries = await store.db.selectFrom('countries').select(['code', 'name']).execute();
  return records.map((record) => {
    const { provider, subject, country, blocked_at, used_at, sessions } = record;
    const isOwn = documentId(record) === agent.document;
    const possible = { bloquear: blocked_at === null, desbloquear: blocked_at !== null, cerrar_sesiones: sessions > 0 };
    return {
      quien: foreignSubjectId(record),
      proveedor: config.identityProviders.find(({ identificador }) => identificador === provider)?.nombre ?? provider,
      identificador: subject,
      pais: countries.find(({ code }) => code === country)?.name ?? country,
      documento: documentId(record),
      nombre: fullName(record),
      bloqueada: blocked_at !== null,
      propia: isOwn,
      ultimo_uso: used_at.toISOString(),
      sesiones: sessions,
      actos: isOwn ? [] : Object.entries(possible).flatMap(([name, may]) => (may ? name : [])),
    };
  });
}

function isAct(name: string): name is keyof typeof acts {
  return Object.hasOwn(acts, name);
}
