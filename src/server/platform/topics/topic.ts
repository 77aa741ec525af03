import type { OperationName } from '../../../contract/contract.ts';
import type { OperationRequest, HandlerResult } from '../base/operation-request.ts';
import type { Catalogue } from '../base/texts.ts';
import type { Job } from '../jobs/start-jobs.ts';
import type { Limit } from './limit.ts';
import type { MailTemplate } from './mail.ts';
import type { StoredTable } from './table.ts';

/** Handles an operation. Returns the response body, or a reply with further parts such as a status, cookies or work after the response. */
export type AnyHandler<Name extends OperationName, Parts> = (
  parts: Parts,
  request: OperationRequest<Name>,
) => Promise<HandlerResult<Name>>;

/** Contribution of a server module. The module's `index.ts` exports it, and `app/topics.ts` lists the topics of all modules. */
export interface Topic {
  /** Returns the handlers. A function, so that a file can declare its topic before its handlers. */
  readonly handlers?: () => { readonly [Name in OperationName]?: AnyHandler<Name, never> };
  /** Texts for users: errors by code, and actions of the audit log as `accion_<action>`. */
  readonly texts?: Catalogue;
  /** Mails of the module. Its `index.ts` adds their values to `Mails`. */
  readonly mails?: Readonly<Record<string, MailTemplate>>;
  /** Limits of attempts, by the names that the contract uses. */
  readonly limits?: Readonly<Record<string, Limit>>;
  /** Tables of the module with their data and retention. Its `index.ts` adds their columns to `Database`. */
  readonly tables?: Readonly<Record<string, StoredTable>>;
  readonly jobs?: (parts: never) => readonly Job[];
}
