import type { Tx } from '../../platform/database/open-store.ts';
import type { Citizen } from './citizens.ts';

/** Level (section 4.1) after a remote proof of identity: a digital signature or a video call. */
const certified = 'Certificado';

/** Level (section 4.1) after an in-person check of the document (PRESENCIAL). */
export const inPerson = 'Verificado';

/** Raises an account to Intermedio and returns the updated record. `signature` is the URL of the signed statement, if any. */
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
