import { formatDateTimeInWords } from '../../../contract/format/dates.ts';
import { buildHref } from '../../../contract/build-href.ts';
import type { Language } from '../../../contract/portal-config.ts';
import type { AuditWriter } from '../../platform/audit/audit-writer.ts';
import type { JsonObject } from '../../../engine/core/json.ts';
import type { ChangeOrigin } from '../../platform/base/change-origin.ts';
import { type Clock, addSeconds } from '../../platform/base/clock.ts';
import { secondsPerDay, fixedRetentionPeriods } from '../../platform/base/fixed-periods.ts';
import { redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import type { Config } from '../../platform/config/config.ts';
import { issueLinkToken } from '../credentials/link-tokens.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import type { Citizen } from '../identity/citizens.ts';
import { consumeMailAllowance, type MailCause } from '../abuse/mail-allowance.ts';
import { enqueueMail, type MailRecipient } from '../../platform/mail/outbox.ts';
import type { MailTemplates } from '../../platform/mail/load-mail-templates.ts';
import type {
  InsertedTextPlaceholder,
  MailName,
  MailPlaceholders,
  MailPlaceholderValues,
} from '../../platform/modules/mail-templates.ts';
import { recordCredentialsBeforeChange, type CredentialUndoTarget } from './credential-changes.ts';
import warnings from './mails/warnings.json' with { type: 'json' };
import { createCatalogueLookup } from '../../platform/base/texts.ts';
import type { MailContent } from '../../platform/mail/render-mail.ts';
import notices from './mails/notices.json' with { type: 'json' };
import own from './texts.json' with { type: 'json' };
import { portalConstants } from '../../../contract/constants.ts';
import { mailedCodeLifeS, storeMailedCode, type MailedCodeBinding } from '../credentials/mailed-codes.ts';
import { generateRandomDigits } from '../../platform/keys/random-secrets.ts';
import type { Vault } from '../../platform/keys/vault.ts';

const disavowLifeS = fixedRetentionPeriods.disavowDays * secondsPerDay;

/** Placeholder values that only some notices have, in addition to those of every notice. */
interface NoticeValues {
  'provider-linked': MailPlaceholderValues<'provider'>;
  'provider-unlinked': MailPlaceholderValues<'provider'>;
  'email-change-by-agent': MailPlaceholderValues<'from'>;
  'level-raised': MailPlaceholderValues<'means'>;
  'recovery-code-used': MailPlaceholderValues<'left'>;
  'new-device': MailPlaceholderValues<'device' | 'network'>;
  'closure-requested': MailPlaceholderValues<'day'>;
  'second-factor-missing': MailPlaceholderValues<'count'>;
}

/** Placeholder values that only some warnings have, in addition to those of every warning. */
interface WarningValues {
  'sign-in-failures': MailPlaceholderValues<'count'>;
  'authenticator-disabled': MailPlaceholderValues<'count' | 'remedy'>;
}

interface NoticeOptions<Name extends NoticeName> {
  /** Session that made the change. `null` if a link without a session made it. */
  readonly sessionId: string | null;
  readonly values?: Name extends keyof NoticeValues ? NoticeValues[Name] : undefined;
}

interface MailOptions {
  readonly language?: Language;
  readonly calendar?: string;
  /** Source texts that replace placeholders of the mail. They may contain placeholders themselves. */
  readonly inserted?: Readonly<Partial<Record<InsertedTextPlaceholder, string>>>;
}

/** Name of a warning about another person's attempts. mails/warnings.json contains the texts. */
type WarningName = keyof typeof warnings;

/** A change in progress, with the audit entries and mails that are committed with it. */
export interface DatabaseCommand {
  readonly tx: Tx;
  readonly now: Date;
  readonly origin: ChangeOrigin;
  /** Appends to the audit log. `citizenId` is the affected account, or `null` if there is none. `details` must not contain secrets. */
  audit(action: string, citizenId: string | null, details?: JsonObject): Promise<void>;
  /** The same command with another actor: a citizen who was identified during the command, e.g. by a successful sign-in. */
  identifyCitizen(citizenId: string): DatabaseCommand;
  /**
   * Mails a citizen a notice about a change of the account. Call it before the change, because it records the state that the change replaces. The
   * link in the notice undoes the change and proves the e-mail address to which the notice was sent. Each kind of notice has a mail allowance. If it
   * is used up, the change is still recorded, so that the link of an earlier notice undoes it. Without a verified address no mail is sent, because
   * the owner of a mistyped address must not get a link that ends sessions.
   */
  notify<Name extends NoticeName>(name: Name, citizen: Citizen, told: NoticeOptions<Name>): Promise<void>;
  /** Mails a citizen a warning about another person's attempts. It contains no link that undoes changes, because strangers can cause the warning. */
  warn<Name extends WarningName>(name: Name, citizen: Citizen, values: WarningValues[Name]): Promise<void>;
  /** Returns `false`, and writes an audit entry, if the allowance of the mailbox is used up. Respond as if the mail had been sent. */
  mail<Name extends MailName>(
    to: MailRecipient & { readonly cause: MailCause },
    name: Name,
    values: MailPlaceholders[Name],
    options?: MailOptions,
  ): Promise<boolean>;
  link(path: string, query: Readonly<Record<string, string>>): string;
  when(at: Date): string;
}

/** Runs database commands. All changes of citizens' stored data use it. */
export interface DatabaseCommandRunner {
  run<Result>(origin: ChangeOrigin, work: (command: DatabaseCommand) => Promise<Result>): Promise<Result>;
  /**
   * Commits only if `work` returns `true`. A request for an unknown account can do all the work and roll it back, so that it takes as long as for a
   * real account.
   */
  commitIf(origin: ChangeOrigin, work: (command: DatabaseCommand) => Promise<boolean>): Promise<void>;
}

interface CommandDependencies {
  readonly store: DatabaseStore;
  readonly auditWriter: AuditWriter;
  readonly clock: Clock;
  readonly config: Pick<Config, 'baseUrl' | 'brand' | 'supportMailbox'>;
  readonly templates: MailTemplates;
}

export function createDatabaseCommandRunner(parts: CommandDependencies): DatabaseCommandRunner {
  const run: DatabaseCommandRunner['run'] = (origin, work) =>
    parts.auditWriter.transaction(parts.store, (tx, append) => {
      const now = parts.clock.now();
      const buildCommand = (from: ChangeOrigin): DatabaseCommand => {
        const audit: DatabaseCommand['audit'] = (action, citizenId, details) =>
          append(from, { at: now, action, citizenId, ...(details && { details }) });
        const change = { tx, now, origin: from, audit };
        return {
          ...change,
          identifyCitizen: (id) => buildCommand({ ...from, by: { citizenId: id } }),
          ...buildMailing(change, parts),
        };
      };
      return work(buildCommand(origin));
    });
  return {
    run,
    async commitIf(origin, work) {
      try {
        await run(origin, async (command) => {
          if (!(await work(command))) throw new RollbackSignal();
        });
      } catch (error) {
        if (!(error instanceof RollbackSignal)) throw error;
      }
    },
  };
}

class RollbackSignal extends Error {}

function buildMailing(
  { tx, now, origin, audit }: Pick<DatabaseCommand, 'tx' | 'now' | 'origin' | 'audit'>,
  { config, templates }: CommandDependencies,
): Pick<DatabaseCommand, 'notify' | 'warn' | 'mail' | 'link' | 'when'> {
  const { language } = origin;
  const product = config.brand.product;
  const link: DatabaseCommand['link'] = (path, query) => buildHref(path, query, config.baseUrl);
  const when: DatabaseCommand['when'] = (at) => formatDateTimeInWords(at, language, now);
  const mail: DatabaseCommand['mail'] = async (
    { cause, ...to },
    name,
    values,
    { language: mailLanguage = language, calendar, inserted } = {},
  ) => {
    const { sender, ...content } = templates.renderTemplate(name, mailLanguage, { ...values, product }, inserted);
    const isAllowed = await consumeMailAllowance(tx, { email: to.email, cause, origin, now });
    if (isAllowed)
      await enqueueMail(tx, { sender, ...to }, { ...content, ...(calendar !== undefined && { calendar }) }, now);
    else await audit('mail-withheld', to.citizenId, { mail: name });
    return isAllowed;
  };
  return {
    link,
    when,
    async notify(name, citizen, { sessionId, values }) {
      const { id, email } = citizen;
      if (email === null || citizen.email_verified_at === null) return;
      const change = await recordCredentialsBeforeChange(tx, { citizenId: id, sessionId, kind: name, now });
      if (!(await consumeMailAllowance(tx, { email, cause: { notice: name }, origin, now }))) {
        await audit('mail-withheld', id, { mail: name });
        return;
      }
      const subject = JSON.stringify({ change, email } satisfies CredentialUndoTarget);
      const token = await issueLinkToken(tx, { purpose: 'disavow', citizenId: id, subject, now, lifeS: disavowLifeS });
      const content = renderNoticeMail(templates, name, language, {
        ...values,
        product,
        name: citizen.first_name,
        when: when(now),
        support: config.supportMailbox,
        undo: link(redirectOnlyPagePaths.disavow, { uuid: token, aviso: name }),
        days: String(fixedRetentionPeriods.disavowDays),
      });
      await enqueueMail(tx, { email, citizenId: id, sender: 'notices' }, content, now);
    },
    async warn(name, citizen, values) {
      const { id, email } = citizen;
      if (email === null || citizen.email_verified_at === null) return;
      const told = { ...values, name: citizen.first_name, when: when(now), support: config.supportMailbox };
      const to = { email, citizenId: id, cause: { notice: name } };
      await mail(to, 'warning', told, { inserted: warnings[name][language] });
    },
    mail,
  };
}

const textOf = createCatalogueLookup(own);

/** Name of a notice about a change of the account. mails/notices.json contains the texts. */
export type NoticeName = keyof typeof notices;

export function renderNoticeMail(
  templates: MailTemplates,
  name: NoticeName,
  language: Language,
  values: MailPlaceholders['notice'] & MailPlaceholderValues<'product'>,
): MailContent {
  const { subject, sentence } = notices[name][language];
  const consequence = 'undone' in notices[name][language] ? 'mail_deshacemos_cambio' : 'mail_deshacemos_despues';
  return templates.renderTemplate('notice', language, values, {
    subject,
    sentence,
    consequence: textOf(consequence, language),
  });
}

export function describeUndoneCredentialChanges(changes: readonly string[], language: Language, restricted = false) {
  const told: Readonly<
    Record<string, Readonly<Record<Language, { readonly subject: string; readonly undone?: string }>>>
  > = notices;
  const cambios = changes.flatMap((name) => told[name]?.[language].undone ?? []).join('; ');
  const undone =
    cambios === '' ? textOf('mail_sin_cambios', language) : textOf('mail_deshicimos', language, { cambios });
  return restricted ? `${undone}\n\n${textOf('mail_restringida', language)}` : undone;
}

/**
 * Stores and mails a new code. If the mail allowance is used up, does neither, and the previous code stays valid. Without a recipient, only stores
 * the new code.
 */
export async function mailVerificationCode(
  { tx, now, mail, when }: DatabaseCommand,
  vault: Vault,
  {
    citizen,
    recipient,
    cause,
    ...binding
  }: MailedCodeBinding & { citizen: Citizen; recipient: string | null; cause: MailCause },
): Promise<void> {
  // Only digits, because the set-up form of a second factor accepts nothing else.
  const code = generateRandomDigits(portalConstants.codeLength);
  const expires = when(addSeconds(now, mailedCodeLifeS));
  const values = { name: citizen.first_name, code, expires };
  const isMade = recipient === null || (await mail({ email: recipient, citizenId: citizen.id, cause }, 'code', values));
  if (isMade) await storeMailedCode(tx, vault, { ...binding, citizenId: citizen.id, code, now });
}
