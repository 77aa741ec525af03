import type { Handlers } from '../base/operation-request.ts';
import type { Catalogue } from '../base/texts.ts';
import type { Job } from '../jobs/start-jobs.ts';
import type { Limit } from './limit.ts';
import type { Mail } from './mail.ts';
import type { StoredTable } from './table.ts';

/** What a module of the server owns: its `topic.ts` exports one, and `app/topics.ts` lists them all. */
export interface Topic {
  /** Handlers of operations, over the parts that they need by name. */
  readonly handlers?: (parts: never) => Partial<Handlers>;
  /** What it says to people: errors by their code, actions of the audit log as `accion_<action>`. */
  readonly texts?: Catalogue;
  readonly mails?: Readonly<Record<string, Mail>>;
  /** How many tries it leaves, by the name that rows of the contract give. */
  readonly limits?: Readonly<Record<string, Limit>>;
  /** Its tables: what they hold, and how long their rows stay; `tables.ts` adds their columns to `Database`. */
  readonly tables?: Readonly<Record<string, StoredTable>>;
  /** What it does now and then by itself, over the parts that it needs by name. */
  readonly jobs?: (parts: never) => readonly Job[];
}
