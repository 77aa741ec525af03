import { calendarFile, type CalendarCall } from '../../../contract/calendar-entry.ts';
import { pages, serverPages } from '../../../contract/pages.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { after } from '../../platform/base/clock.ts';
import { textsOf } from '../../platform/base/texts.ts';
import { dateOf, timeOf } from '../../platform/base/zone.ts';
import type { Config } from '../../platform/config/config.ts';
import { issueToken } from '../../trust/credentials/link-tokens.ts';
import type { MailCause } from '../../trust/abuse/mail-allowance.ts';
import { findCitizen, isProven } from '../../trust/identity/citizens.ts';
import { readableTime } from '../../platform/mail/templates.ts';
import type { Command } from '../../trust/notices/commands.ts';
import type { VideoCall } from './calls.ts';
import { transitionOf } from './states.ts';
import own from './texts.json' with { type: 'json' };
import { mails, type CallMail } from './mails/mails.ts';

const textOf = textsOf(own);

/** How long the links of a call open it after its end: whoever is late reads what became of it. */
const graceS = 24 * 60 * 60;

type CalendarStatus = CalendarCall['status'];
type Links = Readonly<Record<'confirm' | 'cancel' | 'enter', string>>;

/** What the mails that bring a calendar entry say of the call. */
const calendars: { readonly [Name in CallMail]?: CalendarStatus } = {
  'call-reserved': 'TENTATIVE',
  'call-booked': 'CONFIRMED',
  'call-cancelled': 'CANCELLED',
  'call-lapsed': 'CANCELLED',
  'call-spared': 'CANCELLED',
};

/** The mails about calls. */
export interface CallMails {
  /** Tells the person of a call of it, in the language that it was booked in. */
  send(command: Command, name: CallMail, call: VideoCall): Promise<void>;
  /** Tells of a transition by its name what the table says, if anything; of a rejection with its reason. */
  moved(command: Command, call: VideoCall, act: string, reason?: string): Promise<void>;
}

/** The mails about calls. Nothing of what an unknown person typed stands in them: they may go to a stranger's address. */
export function callMails({ brand, supportMailbox }: Pick<Config, 'brand' | 'supportMailbox'>): CallMails {
  const tell = async (command: Command, name: CallMail, call: VideoCall, reason = ''): Promise<void> => {
    if (call.email === '') return;
    const { language, confirmBy } = call;
    const links = await linksOf(command, call);
    const status = calendars[name];
    await command.mail(
      { email: call.email, citizenId: call.citizenId, cause: await causeOf(command, name, call) },
      mails[name],
      {
        call: textOf(`llamada_${call.kind}`, language),
        when: readableTime(call.startsAt, language),
        minutes: String(minutesOf(call)),
        book: command.link(call.kind === 'support' ? pages.bookSupport : pages.elevation, {}),
        expires: confirmBy === null ? '' : readableTime(confirmBy, language),
        accept: command.link(pages.acceptElevation, {}),
        account: command.link(pages.security, {}),
        support: supportMailbox,
        reason,
        ...links,
      },
      {
        language,
        ...(status !== undefined && {
          calendar: calendarOf(call, { status, product: brand.product, now: command.now, links }),
        }),
      },
    );
  };
  return {
    send: (command, name, call) => tell(command, name, call),
    async moved(command, call, act, reason) {
      const { mail } = transitionOf(call.kind, act) ?? {};
      if (mail !== undefined) await tell(command, mail, call, reason);
    },
  };
}

/** Mails about a reservation that nobody has confirmed: an anonymous visitor has only typed their mailbox. */
const unconfirmed: ReadonlySet<CallMail> = new Set(['call-reserved', 'call-lapsed']);

/** A signed-in citizen confirms and cancels without a mailed link, so that only the proven address of the account is theirs. An elevation has no other. */
async function causeOf({ tx }: Command, name: CallMail, { kind, citizenId, email }: VideoCall): Promise<MailCause> {
  if (kind === 'elevation') return 'trusted';
  if (citizenId === null) return unconfirmed.has(name) ? 'anyone' : 'trusted';
  const citizen = await findCitizen(tx, citizenId);
  return citizen !== null && isProven(citizen, email) ? 'trusted' : 'anyone';
}

/** How long a call takes. */
export function minutesOf({ startsAt, endsAt }: Pick<VideoCall, 'startsAt' | 'endsAt'>): number {
  return Math.round((endsAt.getTime() - startsAt.getTime()) / 60_000);
}

/** Of the support each mail has a link of its own, which opens the call to whoever holds it; an elevation opens to its citizen alone. */
async function linksOf({ tx, now, link }: Command, call: VideoCall): Promise<Links> {
  if (call.kind === 'elevation')
    return {
      confirm: '',
      cancel: link(pages.cancelElevation, {}),
      enter: link(pages.enterElevation, {}),
    };
  const uuid = await issueToken(tx, {
    purpose: 'support-call',
    citizenId: call.citizenId,
    subject: call.id,
    now,
    lifeS: Math.ceil((after(call.endsAt, graceS).getTime() - now.getTime()) / 1000),
  });
  return {
    confirm: link(serverPages.confirmSupport, { videollamada: uuid }),
    cancel: link(pages.cancelSupport, { videollamada: uuid }),
    enter: link(serverPages.enterSupport, { uuid }),
  };
}

function calendarOf(
  call: VideoCall,
  { status, product, now, links }: { status: CalendarStatus; product: string; now: Date; links: Links },
): string {
  const { language } = call;
  const entry = {
    id: call.id,
    date: dateOf(call.startsAt),
    time: timeOf(call.startsAt),
    minutes: minutesOf(call),
    sequence: call.sequence,
    status,
    title: calendarTitle(call.kind, product, language),
    description: textOf('llamada_ingreso', language, { link: links.enter }),
  };
  return calendarFile(entry, { product, madeAt: now });
}

function calendarTitle(kind: VideoCall['kind'], product: string, language: Language): string {
  return textOf(`llamada_titulo_${kind}`, language, { producto: product });
}
