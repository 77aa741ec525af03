import type { OperationName } from '../../../contract/contract.ts';
import type { Handler } from '../base/operation-request.ts';
import type { Catalogue } from '../base/texts.ts';
import type { Job } from '../jobs/start-jobs.ts';
import type { Limit } from './limit.ts';
import type { Mail } from './mail.ts';
import type { StoredTable } from './table.ts';

/** What a module of the server owns. Its `index.ts` exports it, and `app/topics.ts` lists them all. */
export interface Topic {
  /** Makes the handler of each operation, from the parts of the server. */
  readonly handlers?: { readonly [Name in OperationName]?: (parts: never) => Handler<Name> };
  /** What it says to people: errors by their code, actions of the audit log as `accion_<action>`. */
  readonly texts?: Catalogue;
  /** Its mails. The `index.ts` adds their values to `Mails`. */
  readonly mails?: Readonly<Record<string, Mail>>;
  /** Its limits of tries, by the name that operations of the contract use. */
  readonly limits?: Readonly<Record<string, Limit>>;
  /** Its tables: what they hold, and how long their rows stay. The `index.ts` adds their columns to `Database`. */
  readonly tables?: Readonly<Record<string, StoredTable>>;
  /** What it does now and then by itself. */
  readonly jobs?: (parts: never) => readonly Job[];
}
