import { randomUUID } from 'node:crypto';
import type { OperationResponse } from '../../../contract/contract.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { RoomSeat } from './seats.ts';

interface Jpeg {
  readonly width: number;
  readonly height: number;
  /** The image without metadata (such as location and device), and without data after the end-of-image marker. */
  readonly bytes: Buffer;
}

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** JPEG markers that a decoder needs: frames (SOF0 to SOF2), Huffman and quantization tables, restart intervals and the JFIF header. */
const retainedMarkers: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd, 0xe0]);
const frameMarkers: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** Parses a JPEG and retains only the segments that a decoder needs. Returns `null` if it is malformed or truncated. */
export function parseJpeg(bytes: Buffer): Jpeg | null {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return null;
  const parts = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | null = null;
  let at = 2;
  while (at + 4 <= bytes.length || bytes[at + 1] === endOfImage) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    if (marker === endOfImage) {
      parts.push(bytes.subarray(at, at + 2));
      return size === null || parts.length < 4 ? null : { ...size, bytes: Buffer.concat(parts) };
    }
    const length = bytes.readUInt16BE(at + 2);
    const end = marker === startOfScan ? findScanEnd(bytes, at + 2 + length) : at + 2 + length;
    if (length < 2 || end > bytes.length) return null;
    if (frameMarkers.has(marker) && length >= 7)
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (retainedMarkers.has(marker) || marker === startOfScan) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return null;
}

/** Returns the offset at which the data of a scan ends: the next marker, except restart markers and escaped 0xff bytes. */
function findScanEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return bytes.length + 1;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
    at += 2;
  }
}

type StillKind = Database['call_stills']['kind'];

export function buildStillImageEncryptionPurpose(id: string): string {
  return `call still ${id}`;
}

const kindsByName = { documento: 'document', cara: 'face' } as const satisfies Record<string, StillKind>;
const namesByKind = { document: 'documento', face: 'cara' } as const satisfies Record<StillKind, string>;

const maxStills = 20;
const sideLimitsPx = { least: 240, most: 2_560 };

/** Requests a picture from the citizen of a call. Replaces an unanswered request. Returns the id of the new request. */
export async function createStillImageRequest(
  tx: Tx,
  { callId, kind, agent }: { callId: string; kind: keyof typeof kindsByName; agent: string },
  now: Date,
): Promise<string> {
  const { count } = await tx
    .selectFrom('call_stills')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('call_id', '=', callId)
    .executeTakeFirstOrThrow();
  if (count >= maxStills) throw new OperationError(429, 'demasiados_intentos');
  await tx
    .deleteFrom('call_stills')
    .where('call_id', '=', callId)
    .where('taken_at', 'is', null)
    .where('refused_at', 'is', null)
    .execute();
  const id = randomUUID();
  await tx
    .insertInto('call_stills')
    .values({ id, call_id: callId, kind: kindsByName[kind], asked_by: agent, asked_at: now })
    .execute();
  return id;
}

export async function assertStillImagePending(tx: Tx, { callId, id }: { callId: string; id: string }): Promise<void> {
  const pending = await tx
    .selectFrom('call_stills')
    .select('id')
    .where('id', '=', id)
    .where('call_id', '=', callId)
    .where('taken_at', 'is', null)
    .where('refused_at', 'is', null)
    .executeTakeFirst();
  if (pending === undefined) throw new OperationError(404, 'no_encontrado');
}

/** Encrypts and stores the citizen's picture. If `jpeg` is `null`, records a refusal. Throws if the request is unknown or already answered. */
export async function storeStillImageOrRefusal(
  tx: Tx,
  vault: Vault,
  { callId, id, jpeg }: { callId: string; id: string; jpeg: Jpeg | null },
  now: Date,
): Promise<void> {
  const taken = jpeg && {
    taken_at: now,
    width: jpeg.width,
    height: jpeg.height,
    sealed: vault.encrypt(buildStillImageEncryptionPurpose(id), jpeg.bytes.toString('base64')),
  };
  const { numUpdatedRows } = await tx
    .updateTable('call_stills')
    .set(taken ?? { refused_at: now })
    .where('id', '=', id)
    .where('call_id', '=', callId)
    .where('taken_at', 'is', null)
    .where('refused_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new OperationError(404, 'no_encontrado');
}

export function decodeStillImage(base64: string): Jpeg {
  const jpeg = parseJpeg(Buffer.from(base64, 'base64'));
  const fits = (side: number): boolean => side >= sideLimitsPx.least && side <= sideLimitsPx.most;
  if (jpeg === null || !fits(jpeg.width) || !fits(jpeg.height))
    throw new OperationError(400, 'foto_no_admitida', { field: 'imagen' });
  return jpeg;
}

/** Returns a picture in base64. Returns `null` if it does not exist or has been deleted. The caller must audit the access. */
export async function decryptStillImage(tx: Tx, vault: Vault, { callId, id }: { callId: string; id: string }) {
  const row = await tx
    .selectFrom('call_stills')
    .select('sealed')
    .where('id', '=', id)
    .where('call_id', '=', callId)
    .executeTakeFirst();
  return row === undefined || row.sealed === null
    ? null
    : vault.decrypt(buildStillImageEncryptionPurpose(id), row.sealed);
}

/** Returns a call's requested pictures for a seat: the pending request for the citizen, or the state of all requests for the agent. */
export async function listStillImages(
  db: DatabaseStore['db'],
  callId: string,
  seat: RoomSeat,
): Promise<Pick<OperationResponse<'enterRoom'>, 'foto' | 'fotos'>> {
  const rows = await db
    .selectFrom('call_stills')
    .select(['id', 'kind', 'taken_at', 'refused_at'])
    .where('call_id', '=', callId)
    .orderBy('asked_at')
    .orderBy('id')
    .execute();
  const stills = rows.map(({ id, kind, taken_at: taken, refused_at: refused }) => ({
    id,
    tipo: namesByKind[kind],
    estado: taken !== null ? ('tomada' as const) : refused !== null ? ('rechazada' as const) : ('pedida' as const),
  }));
  if (seat === 'agent') return { fotos: stills };
  const asked = stills.find(({ estado }) => estado === 'pedida');
  return { foto: asked === undefined ? null : { id: asked.id, tipo: asked.tipo } };
}
