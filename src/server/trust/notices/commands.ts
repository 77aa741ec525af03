import { href } from '../../../contract/href.ts';
import type { Language } from '../../../contract/portal-config.ts';
import type { JsonObject } from '../../../engine/core/json.ts';
import type { AppendAudit, AuditWriter } from '../../platform/audit/audit-writer.ts';
import type { Clock } from '../../platform/base/clock.ts';
import { dayS, periods } from '../../platform/base/periods.ts';
import { asCitizen, type Origin } from '../../platform/base/origin.ts';
import { serverPages } from '../../../contract/pages.ts';
import type { Config } from '../../platform/config/config.ts';
import { issueToken } from '../credentials/link-tokens.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import type { Citizen } from '../identity/citizens.ts';
import { takeMail, type MailCause } from '../abuse/mail-allowance.ts';
import { enqueueMail, type To } from '../../platform/mail/outbox.ts';
import { readableTime, type Templates } from '../../platform/mail/templates.ts';
import type { Mail } from '../../platform/topics/mail.ts';
import { noteChange } from './credential-changes.ts';
import { noticeMail, type NoticeName } from './notice-mail.ts';
import { writeUndo } from './undo.ts';

const disavowLifeS = periods.disavowDays * dayS;

/** By which session a citizen made a change, and what the notice's own sentence asks for. */
export interface NoticeOf {
  /** Null: none, as behind a link. */
  readonly sessionId: string | null;
  readonly values?: Readonly<Record<string, string>>;
}

/** The recipient of a mail, and who causes it. */
export interface MailTo extends To {
  readonly cause: MailCause;
}

interface MailOptions {
  readonly language?: Language;
  /** An iCalendar file that goes with it. */
  readonly calendar?: string;
  /** Texts with placeholders of their own, by the placeholder of the mail that they replace. */
  readonly inserted?: Readonly<Record<string, string>>;
}

/** A change of what is stored, in the making: a transaction, and what it leaves for those who ask later, or at once. */
export interface Command {
  readonly tx: Tx;
  /** When the change is made. */
  readonly now: Date;
  readonly origin: Origin;
  /** The same change, made by who is known by now to be this citizen: a sign-in that succeeded, a session that its cookie ended. */
  knownAs(citizenId: string): Command;
  /** Notes in the audit log what was done to whom; null: to nobody's account. `details` holds no secret. */
  audit(action: string, citizenId: string | null, details?: JsonObject): Promise<void>;
  /**
   * Tells a citizen by mail of a change of the account, before the change, since it notes what that replaces. Its link disavows the change,
   * and trusts the address that it was sent to. Mails of one kind have an allowance; beyond it the change is noted all the same, so that the link of an
   * earlier notice takes it back. Without a verified address there is no mail: who typed an address wrongly must not give
   * its owner a link that ends sessions.
   */
  notify(name: NoticeName, citizen: Citizen, told: NoticeOf): Promise<void>;
  /**
   * Puts a mail into the outbox, by default in the language of the origin. Returns `false` if its mailbox has had too many of that cause: then the
   * audit log has a row in its place, and the caller answers as if it had been mailed.
   */
  mail<Values extends Readonly<Record<string, string>>>(
    to: MailTo,
    sent: Mail<Values>,
    values: Omit<NoInfer<Values>, 'product'>,
    options?: MailOptions,
  ): Promise<boolean>;
  /** Address of a page of the portal, for mails. */
  link(path: string, query: Readonly<Record<string, string>>): string;
  /** An instant in words. */
  when(at: Date): string;
}

/** The one way to change what is stored of citizens. */
export interface Commands {
  /** Makes a change whole, with what it tells of itself, or not at all. */
  run<Result>(origin: Origin, work: (command: Command) => Promise<Result>): Promise<Result>;
  /**
   * Keeps the change only where `work` answers true; otherwise it is taken back, at the same cost. So a request for an account that does not
   * exist can do, and cost, what one for a real account does.
   */
  commitIf(origin: Origin, work: (command: Command) => Promise<boolean>): Promise<void>;
}

/** What commands are made with. */
export interface CommandParts {
  readonly store: Store;
  readonly auditWriter: AuditWriter;
  readonly clock: Clock;
  readonly config: Pick<Config, 'baseUrl' | 'brand' | 'supportMailbox'>;
  readonly templates: Templates;
}

/** The commands over a database. */
export function createCommands(parts: CommandParts): Commands {
  const { store, auditWriter, clock } = parts;
  const run: Commands['run'] = (origin, work) =>
    auditWriter.transaction(store, (tx, append) => work(command({ tx, append, now: clock.now() }, origin, parts)));
  return {
    run,
    async commitIf(origin, work) {
      try {
        await run(origin, async (begun) => {
          if (!(await work(begun))) throw new TakenBack();
        });
      } catch (error) {
        if (!(error instanceof TakenBack)) throw error;
      }
    },
  };
}

class TakenBack extends Error {}

interface Begun {
  readonly tx: Tx;
  readonly append: AppendAudit;
  readonly now: Date;
}

function command(begun: Begun, origin: Origin, parts: CommandParts): Command {
  const { tx, append, now } = begun;
  const { config, templates } = parts;
  const { language } = origin;
  const product = config.brand.product;
  const link: Command['link'] = (path, query) => href(path, query, config.baseUrl);
  const when: Command['when'] = (at) => readableTime(at, language);
  const audit: Command['audit'] = (action, citizenId, details) =>
    append(origin, { at: now, action, citizenId, ...(details && { details }) });
  return {
    tx,
    now,
    origin,
    link,
    when,
    knownAs: (citizenId) => command(begun, asCitizen(origin, citizenId), parts),
    audit,
    async notify(name, citizen, { sessionId, values = {} }) {
      const { id, email } = citizen;
      if (email === null || citizen.email_verified_at === null) return;
      const change = await noteChange(tx, { citizenId: id, sessionId, kind: name, now });
      if (!(await takeMail(tx, { email, cause: { notice: name }, origin, now }))) {
        await audit('mail-withheld', id, { mail: name });
        return;
      }
      const subject = writeUndo({ change, email });
      const token = await issueToken(tx, { purpose: 'disavow', citizenId: id, subject, now, lifeS: disavowLifeS });
      const content = noticeMail(templates, name, language, {
        ...values,
        product,
        name: citizen.first_name,
        when: when(now),
        support: config.supportMailbox,
        undo: link(serverPages.disavow, { uuid: token, aviso: name }),
        days: String(periods.disavowDays),
      });
      await enqueueMail(tx, { email, citizenId: id, sender: 'notices' }, content, now);
    },
    async mail<Values extends Readonly<Record<string, string>>>(
      { cause, ...to }: MailTo,
      sent: Mail<Values>,
      values: Omit<Values, 'product'>,
      { language: spoken = language, calendar, inserted }: MailOptions = {},
    ) {
      const all = { ...values, product } as unknown as Values; // the one value that every template asks for
      const content = { ...templates.render(sent, spoken, all, inserted), ...(calendar !== undefined && { calendar }) };
      const isAllowed = await takeMail(tx, { email: to.email, cause, origin, now });
      if (isAllowed) await enqueueMail(tx, { sender: sent.sender, ...to }, content, now);
      else await audit('mail-withheld', to.citizenId, { mail: sent.name });
      return isAllowed;
    },
  };
}
