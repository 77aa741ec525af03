import { sql } from 'kysely';
import { after } from '../../platform/base/clock.ts';
import { dayS, periods } from '../../platform/base/periods.ts';
import { since, type Retention } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    room_signals: RoomSignalTable;
    call_stills: CallStillTable;
  }
}

/** What one browser tells the other one, until it is read. */
interface RoomSignalTable {
  call_id: string;
  /** Whom it is for. */
  seat: 'citizen' | 'agent';
  number: number;
  /** JSON, as the contract's body has it. */
  content: string;
  created_at: Date;
}

/** A picture that an agent asked the citizen for. */
export interface CallStillTable {
  id: string;
  call_id: string;
  kind: 'document' | 'face';
  /** The agent, as the audit log names them. */
  asked_by: string;
  asked_at: Date;
  refused_at: Date | null;
  taken_at: Date | null;
  width: number | null;
  height: number | null;
  /** The picture in base64, sealed by the vault. */
  sealed: string | null;
}

/** How long the rows of these tables stay. */
export const tables = {
  room_signals: since('created_at', periods.roomSignalMin * 60, 'minutos_sala'),
  call_stills: {
    old: (now, { room }) => sql`asked_at < ${after(now, -room.stillsDays * dayS)}`,
    policy: 'dias_fotos',
  },
} as const satisfies Readonly<Record<string, Retention>>;
