import type { Generated } from 'kysely';
import { since, type StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    contact_messages: ContactMessageTable;
    feedback: FeedbackTable;
  }
}

/** What someone wrote to the support. Nothing but `citizen_id` is proven. */
interface ContactMessageTable {
  id: Generated<number>;
  /** Who was signed in; null: nobody. */
  citizen_id: string | null;
  name: string;
  country: string;
  type: string;
  number: string;
  email: string;
  phone: string;
  /** Id of a subject of content/reference/contact-subjects.json. */
  subject: string;
  message: string;
  language: string;
  /** What was asked beyond these columns: a JSON list of fields with their titles. */
  extra: Generated<string>;
  created_at: Date;
  /** The last date (YYYY-MM-DD, official time) on which it is answered, as its sender was promised; null: the version before took it, see `answerDue`. */
  due: Generated<string | null>;
  answered_at: Generated<Date | null>;
  /** As the audit log names the agent. */
  answered_by: Generated<string>;
  answer: Generated<string>;
}

/** What a visitor thinks of a page. Nobody is named in it, unless by the address. */
interface FeedbackTable {
  id: Generated<number>;
  /** Path of the page that the footer asked about. */
  page: string | null;
  /** The answer to the footer's question. */
  useful: 'si' | 'no' | null;
  /** 1 to 4. */
  usefulness: number | null;
  /** 1 to 4. */
  clarity: number | null;
  /** Numbers of the ticked boxes, separated by blanks. */
  boxes: string;
  comment: string;
  email: string | null;
  language: string;
  created_at: Date;
  /** When an agent noted that it was read, and who. */
  read_at: Generated<Date | null>;
  read_by: Generated<string>;
}

/** What these tables hold, and how long their rows stay. */
export const tables = {
  contact_messages: {
    data: 'Name, document, address, phone and message of who wrote to the support, and the answer',
    why: 'Answering, and knowing what was answered',
    readers: ['citizen', 'agent', 'operator'],
    kept: since('created_at', 'MESSAGES_YEARS', 'anios_mensajes'),
  },
  feedback: {
    data: 'Opinion of a page, and the address of who left one',
    why: 'Making the portal better',
    readers: ['agent', 'operator'],
    kept: since('created_at', 'MESSAGES_YEARS', 'anios_mensajes'),
  },
} as const satisfies Readonly<Record<string, StoredTable>>;
