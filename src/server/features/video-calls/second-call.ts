import { OperationError } from '../../platform/base/errors.ts';
import { mailboxIn, mailboxOf } from '../../trust/abuse/mailbox.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import type { WantedCall } from './wanted-call.ts';

type Person = Pick<WantedCall, 'kind' | 'citizenId' | 'email' | 'document'>;

/**
 * Throws a 409 if the account, the address or the document already has an upcoming call, and names which (sections 8.4 and 8.5 of the specification).
 * So nobody can fill the agenda. For a signed-in citizen's support call only the account counts, because anybody can type a document and an address.
 */
export async function refuseSecond(tx: Tx, { kind, citizenId, email, document }: Person): Promise<void> {
  const { country, type, number } = document;
  const live = await tx
    .selectFrom('video_calls')
    .select(['citizen_id', 'email'])
    .where('kind', '=', kind)
    .where('place', 'is not', null)
    .where(({ eb, or, and }) => {
      const own = citizenId === null ? [] : [eb('citizen_id', '=', citizenId)];
      const sameDocument = and([eb('country', '=', country), eb('type', '=', type), eb('number', '=', number)]);
      if (kind === 'elevation') return or([...own, sameDocument]);
      return (
        own[0] ?? and([eb('citizen_id', 'is', null), or([eb(mailboxIn('email'), '=', mailboxOf(email)), sameDocument])])
      );
    })
    .execute();
  if (live.length === 0) return;
  if (kind === 'elevation') throw new OperationError(409, 'tramite_en_curso');
  if (citizenId !== null && live.some((call) => call.citizen_id === citizenId))
    throw new OperationError(409, 'usuario_con_videollamada');
  if (live.some((call) => mailboxOf(call.email) === mailboxOf(email)))
    throw new OperationError(409, 'consulta_por_email', { values: { email } });
  throw new OperationError(409, 'consulta_por_documento', { values: { documento: number } });
}
