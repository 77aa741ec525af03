import type { Tx } from '../database/open-store.ts';
import type { Citizen } from './citizens.ts';

/** The raw level of section 4.1 of the specification that a proof from afar leads to: a digital signature, or a video call. */
const certified = 'Certificado';

/** Raises an account to Intermedio; `signature`: the address of the statement that was signed for it. Answers the record as it is then. */
export async function raiseLevel(
  tx: Tx,
  citizen: Citizen,
  { signature = citizen.signature }: { signature?: string | null } = {},
): Promise<Citizen> {
  await tx.updateTable('citizens').set({ level: certified, signature }).where('id', '=', citizen.id).execute();
  return { ...citizen, level: certified, signature };
}
