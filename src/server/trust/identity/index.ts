import type { Generated, JSONColumnType } from 'kysely';
import type { TableDescription } from '../../platform/modules/table-descriptions.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };

declare module '../../platform/database/schema.ts' {
  interface Database {
    registry: {
      /** Document number including the check digit, without leading zeros. */
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
      /** Identity level of section 4.1 of the specification, e.g. `Autoregistrado`. */
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
      /** Time at which the account will be deleted at the citizen's request. `null` if no deletion is scheduled. */
      closing_at: Generated<Date | null>;
      /** Foreign identity provider that created this record. `null` for an account of the portal. */
      idp: Generated<string | null>;
    };
    agent_acts: {
      id: Generated<number>;
      citizen_id: string;
      act: 'level' | 'email' | 'factors' | 'closure' | 'proofing';
      /** The part that the second agent must confirm unchanged: e-mail address, level, or id of a video call. `all` for other actions. */
      detail: string;
      /** Id of the agent's account, or the result of `formatOperatorId` for a command. */
      agent: string;
      name: string;
      at: Date;
      done_at: Date | null;
    };
    agent_mailboxes: { citizen_id: string; email: string; bound_at: Date };
  }
}

const identityTables = {
  registry: {
    data: 'Document, names, birth date and serial number of holders of identity cards',
    why: 'Verifying identity data; empty if the registry is queried over HTTP',
    readers: ['operator'],
    retention: 'until an operator deletes it',
  },
  citizens: {
    data: 'Document, names, address, phone, level, permissions, state and last sign-in',
    why: 'The account',
    readers: ['citizen', 'agent', 'operator', 'application'],
    retention:
      'until the closure of the account takes effect. Records of foreign providers: `FOREIGN_DAYS` after the last sign-in. Registrations that were not activated: three times the lifetime of the link',
  },
  agent_acts: {
    data: 'Completed or pending action of an agent on an account: level, address or second factors',
    why: 'Requiring a second agent, and preventing that one agent performs both actions within days',
    readers: ['agent', 'operator'],
    retention: 'until the account is deleted',
  },
  agent_mailboxes: {
    data: 'Institutional e-mail address of an agent',
    why: 'The only mailbox to which codes of the agent’s sign-ins are sent',
    readers: ['operator'],
    retention: 'until the agent has no desk permission',
  },
} as const satisfies Readonly<Record<string, TableDescription>>;

export const serverModule = { texts, tables: identityTables } as const satisfies ServerModule;
