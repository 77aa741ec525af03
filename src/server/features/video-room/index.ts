import { mostOpenings } from '../../platform/http/event-stream.ts';
import { periods, hourS } from '../../platform/base/periods.ts';
import { since } from '../../platform/topics/table.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { askStill, attendRoom, enterOutsideRoom, getStill, signalFromDesk } from './agent-seat.ts';
import { enterRoom, sendStill, signalRoom, waitForAgent } from './citizen-seat.ts';
import { stillPurpose } from './stills.ts';
import { nameLimits } from '../../platform/topics/limit.ts';

export const topic = {
  handlers: () => ({
    enterRoom,
    waitForAgent,
    signalRoom,
    sendStill,
    attendRoom,
    enterOutsideRoom,
    signalFromDesk,
    askStill,
    getStill,
  }),
  texts,
  limits: nameLimits({
    /** Opening of streams. A page opens one, and another after a reload or a lost connection. Many citizens and agents share an address. */
    stream: {
      address: { free: mostOpenings.network, windowS: 60 },
      document: { free: mostOpenings.account, windowS: 60 },
    },
    room: { address: { free: 6_000, windowS: hourS } },
  }),
  tables: {
    room_signals: {
      data: 'Network addresses by which two browsers reach each other',
      why: 'Joining citizen and agent in a call',
      readers: ['citizen', 'agent'],
      kept: since('created_at', periods.roomSignalMin * 60, 'minutos_sala'),
    },
    call_stills: {
      data: 'Picture of the document or the face that an agent asked for',
      why: 'The identity check of a call',
      readers: ['agent'],
      encrypted: { sealed: ({ id }) => stillPurpose(String(id)) },
      kept: since('asked_at', 'STILLS_DAYS', 'dias_fotos'),
    },
  },
} as const satisfies Topic;

declare module '../../platform/database/schema.ts' {
  interface Database {
    room_signals: {
      call_id: string;
      /** Seat of the recipient. */
      seat: 'citizen' | 'agent';
      number: number;
      /** JSON, as in the request body. */
      content: string;
      created_at: Date;
    };
    call_stills: {
      id: string;
      call_id: string;
      kind: 'document' | 'face';
      /** Name of the agent in the audit log. */
      asked_by: string;
      asked_at: Date;
      refused_at: Date | null;
      taken_at: Date | null;
      width: number | null;
      height: number | null;
      /** The image in base64, encrypted by the vault. */
      sealed: string | null;
    };
  }
}
