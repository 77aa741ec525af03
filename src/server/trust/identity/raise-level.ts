import type { Tx } from '../../platform/database/open-store.ts';
import type { Citizen } from './citizens.ts';

/** The raw level of section 4.1 of the specification that a proof from afar leads to: a digital signature, or a video call. */
const certified = 'Certificado';

/** The one of who was seen in person with the document at hand (PRESENCIAL). */
export const inPerson = 'Verificado';

/** Raises an account to Intermedio; `signature`: the address of the statement that was signed for it. Answers the record as it is then. */
export async function raiseLevel(
  tx: Tx,
  citizen: Citizen,
  {
    level = certified,
    signature = citizen.signature,
  }: { level?: typeof certified | typeof inPerson; signature?: string | null } = {},
): Promise<Citizen> {
  await tx.updateTable('citizens').set({ level, signature }).where('id', '=', citizen.id).execute();
  return { ...citizen, level, signature };
}
