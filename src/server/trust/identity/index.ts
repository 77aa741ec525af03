import type { Generated, JSONColumnType } from 'kysely';
import type { StoredTable } from '../../platform/topics/table.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };

declare module '../../platform/database/schema.ts' {
  interface Database {
    registry: {
      /** Digits including the check digit, without leading zeros. */
      number: string;
      first_name: string;
      second_name: string;
      first_surname: string;
      second_surname: string;
      birth_date: string;
      serial: string;
    };
    citizens: {
      id: string;
      country: string;
      type: string;
      number: string;
      first_name: string;
      second_name: string;
      first_surname: string;
      second_surname: string;
      email: string | null;
      email_verified_at: Date | null;
      phone: string | null;
      /** Origin of the account: `WEB` or `PRESENCIAL`. */
      origin: string;
      /** Identity level of section 4.1, e.g. `Autoregistrado`. */
      level: string;
      /** URL of the signed document, if a digital signature raised the level. */
      signature: string | null;
      permissions: JSONColumnType<Record<string, readonly string[]>>;
      features: Generated<boolean>;
      /** Whether a disavowal ("No fui yo") removed the only second factor. An agent must then see the person before the account can be used again. */
      proofing_due: Generated<boolean>;
      active_at: Date | null;
      blocked_at: Date | null;
      last_login_at: Date | null;
      created_at: Date;
      /** When the account will be deleted at the citizen's request. `null` if no deletion is scheduled. */
      closing_at: Generated<Date | null>;
      /** Foreign identity provider that created this record. `null` for an account of the portal. */
      idp: Generated<string | null>;
    };
    /** An act of an agent on an account, done or waiting for a second agent. */
    agent_acts: {
      id: Generated<number>;
      citizen_id: string;
      act: 'level' | 'email' | 'factors' | 'closure' | 'proofing';
      /** The new level or address. Constant for the other acts. */
      detail: string;
      /** Id of the agent's account, or the result of `nameOperator` for a command. */
      agent: string;
      name: string;
      at: Date;
      /** Time of the second agent's confirmation. `null` while the act waits for it. */
      done_at: Date | null;
    };
    agent_mailboxes: { citizen_id: string; email: string; bound_at: Date };
  }
}

export const tables = {
  registry: {
    data: 'Document, names, birth date and serial number of holders of identity cards',
    why: 'Knowing who may register; empty where a registry is asked by HTTP',
    readers: ['operator'],
    kept: 'until an operator removes it',
  },
  citizens: {
    data: 'Document, names, address, phone, level, permissions, state and latest sign-in',
    why: 'The account',
    readers: ['citizen', 'agent', 'operator', 'application'],
    kept: 'as long as the account: until its closing takes effect, or for foreign providers `FOREIGN_DAYS` after the latest sign-in; a registration that is not activated, three lives of its link',
  },
  agent_acts: {
    data: 'What an agent did or wants to do to an account: level, address or second factors',
    why: 'A second agent agrees; nobody does both within days',
    readers: ['agent', 'operator'],
    kept: 'as long as the account',
  },
  agent_mailboxes: {
    data: 'Institutional e-mail address of an agent',
    why: 'The only mailbox that codes of agent sign-ins are sent to',
    readers: ['operator'],
    kept: 'until the agent has no permission of the desk left',
  },
} as const satisfies Readonly<Record<string, StoredTable>>;

export const topic = { texts, tables } as const satisfies Topic;
