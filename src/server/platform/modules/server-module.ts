import type { OperationName } from '../../../contract/contract.ts';
import type { OperationRequest, OperationHandlerResult } from '../base/operation-request.ts';
import type { TextCatalogue } from '../base/texts.ts';
import type { RecurringJob } from '../jobs/start-jobs.ts';
import type { AttemptLimit } from './attempt-limits.ts';
import type { MailTemplate } from './mail-templates.ts';
import type { TableDescription } from './table-descriptions.ts';

/** Returns the response body, or a reply with further parts such as a status, cookies or work after the response. */
export type ModuleHandler<Name extends OperationName, Parts> = (
  parts: Parts,
  request: OperationRequest<Name>,
) => Promise<OperationHandlerResult<Name>>;

/** Contribution of a server module. The module's `index.ts` exports it, and `app/server-modules.ts` lists all of them. */
export interface ServerModule {
  /** A function, so that a file can declare its contribution before its handlers. */
  readonly handlers?: () => { readonly [Name in OperationName]?: ModuleHandler<Name, never> };
  /** Texts of the module: errors by their code, and actions of the audit log as `accion_<action>`. */
  readonly texts?: TextCatalogue;
  /** Mail templates by name. The module's `index.ts` declares their placeholders in `MailPlaceholders`. */
  readonly mails?: Readonly<Record<string, MailTemplate>>;
  /** Rate limits by the names in the contract. */
  readonly limits?: Readonly<Record<string, AttemptLimit>>;
  /** Descriptions of the module's tables. The module's `index.ts` declares their columns in `Database`. */
  readonly tables?: Readonly<Record<string, TableDescription>>;
  readonly jobs?: (parts: never) => readonly RecurringJob[];
}
