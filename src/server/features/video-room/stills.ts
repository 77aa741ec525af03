import { randomUUID } from 'node:crypto';
import type { Answer } from '../../../contract/contract.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import type { CallStillTable } from './tables.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import { readJpeg } from './jpeg.ts';
import type { Seat } from './seats.ts';
import { stillPurpose } from './tables.ts';

/** What can be photographed. */
export type StillKind = CallStillTable['kind'];

const kinds = { documento: 'document', cara: 'face' } as const satisfies Record<string, StillKind>;
const names = { document: 'documento', face: 'cara' } as const satisfies Record<StillKind, keyof typeof kinds>;

/** What an agent may ask for in one call. */
const mostStills = 20;
/** Neither a thumbnail nor a poster. */
const sides = { least: 240, most: 2_560 };

/** Asks the citizen of a call for a picture; one that was asked for before and not answered is no longer waited for. Answers its id. */
export async function askStill(
  tx: Tx,
  { callId, kind, agent }: { callId: string; kind: keyof typeof kinds; agent: string },
  now: Date,
): Promise<string> {
  const { count } = await tx
    .selectFrom('call_stills')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('call_id', '=', callId)
    .executeTakeFirstOrThrow();
  if (count >= mostStills) throw new OperationError(429, 'demasiados_intentos');
  await tx
    .deleteFrom('call_stills')
    .where('call_id', '=', callId)
    .where('taken_at', 'is', null)
    .where('refused_at', 'is', null)
    .execute();
  const id = randomUUID();
  await tx
    .insertInto('call_stills')
    .values({ id, call_id: callId, kind: kinds[kind], asked_by: agent, asked_at: now })
    .execute();
  return id;
}

/** Keeps the picture that the citizen agreed to, sealed; null: the citizen does not agree. Once: throws for one that nobody waits for. */
export async function answerStill(
  tx: Tx,
  vault: Vault,
  { callId, id, picture }: { callId: string; id: string; picture: string | null },
  now: Date,
): Promise<void> {
  const jpeg = picture === null ? null : readPicture(picture);
  const { numUpdatedRows } = await tx
    .updateTable('call_stills')
    .set(
      jpeg === null
        ? { refused_at: now }
        : {
            taken_at: now,
            width: jpeg.width,
            height: jpeg.height,
            sealed: vault.seal(stillPurpose(id), jpeg.bytes.toString('base64')),
          },
    )
    .where('id', '=', id)
    .where('call_id', '=', callId)
    .where('taken_at', 'is', null)
    .where('refused_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new OperationError(404, 'no_encontrado');
}

function readPicture(base64: string) {
  const jpeg = readJpeg(Buffer.from(base64, 'base64'));
  const fits = (side: number): boolean => side >= sides.least && side <= sides.most;
  if (jpeg === null || !fits(jpeg.width) || !fits(jpeg.height))
    throw new OperationError(400, 'foto_no_admitida', { field: 'imagen' });
  return jpeg;
}

/** A picture as it was taken, in base64; null: there is none (any more). Who looks is to be noted. */
export async function openStill(
  tx: Tx,
  vault: Vault,
  { callId, id }: { callId: string; id: string },
): Promise<string | null> {
  const row = await tx
    .selectFrom('call_stills')
    .select('sealed')
    .where('id', '=', id)
    .where('call_id', '=', callId)
    .executeTakeFirst();
  return row === undefined || row.sealed === null ? null : vault.open(stillPurpose(id), row.sealed);
}

/** What a seat is told of the pictures of a call: the citizen what is asked for now, the agent what became of all. */
export async function stillsFor(
  db: Store['db'],
  callId: string,
  seat: Seat,
): Promise<Pick<Answer<'enterRoom'>, 'foto' | 'fotos'>> {
  const rows = await db
    .selectFrom('call_stills')
    .select(['id', 'kind', 'taken_at', 'refused_at'])
    .where('call_id', '=', callId)
    .orderBy('asked_at')
    .orderBy('id')
    .execute();
  const stills = rows.map(({ id, kind, taken_at: taken, refused_at: refused }) => ({
    id,
    tipo: names[kind],
    estado: taken !== null ? ('tomada' as const) : refused !== null ? ('rechazada' as const) : ('pedida' as const),
  }));
  if (seat === 'agent') return { fotos: stills };
  const asked = stills.find(({ estado }) => estado === 'pedida');
  return { foto: asked === undefined ? null : { id: asked.id, tipo: asked.tipo } };
}
