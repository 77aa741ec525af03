import { formatCalendarFile, type CallCalendarEvent } from '../../../contract/calendar-file.ts';
import { pagePaths, redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { createCatalogueLookup } from '../../platform/base/texts.ts';
import { toUruguayIsoDate, toUruguayIsoTime, formatDateTimeInWords } from '../../../contract/format/dates.ts';
import type { Config } from '../../platform/config/config.ts';
import { issueLinkToken } from '../../trust/credentials/link-tokens.ts';
import { findCitizen, isProvenEmail } from '../../trust/identity/citizens.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import {
  computeCallDurationMinutes,
  type VideoCall,
  applyCallTransition,
  findNewestCallsOfCitizen,
} from './call-records.ts';
import { findCallTransition, type CallMailName } from './call-states.ts';
import own from './texts.json' with { type: 'json' };

const textOf = createCatalogueLookup(own);

/** Time after the end of a call for which its mailed links work, in seconds. It lets a citizen who is late see the outcome. */
const linkGraceS = 24 * 60 * 60;

type CalendarStatus = CallCalendarEvent['status'];
type Links = Readonly<Record<'confirm' | 'cancel' | 'enter', string>>;

/** Status of the calendar entry for each mail with an attached entry. */
const calendarStatuses: { readonly [Name in CallMailName]?: CalendarStatus } = {
  'call-reserved': 'TENTATIVE',
  'call-booked': 'CONFIRMED',
  'call-cancelled': 'CANCELLED',
  'call-lapsed': 'CANCELLED',
  'call-spared': 'CANCELLED',
};

export type CallMails = ReturnType<typeof createCallMails>;

/**
 * Creates the functions that send mails about calls. The mails contain no text that an anonymous visitor entered, because the e-mail address may
 * belong to somebody else.
 */
export function createCallMails({ brand, supportMailbox }: Pick<Config, 'brand' | 'supportMailbox'>) {
  /** Mails the person who booked the call, in the language of the booking. */
  const sendBookingMail = async (command: DatabaseCommand, name: CallMailName, call: VideoCall, reason = '') => {
    if (call.email === '') return;
    const { language, confirmBy } = call;
    const links = await createLinks(command, call);
    const status = calendarStatuses[name];
    await command.mail(
      { email: call.email, citizenId: call.citizenId, cause: await resolveCallMailCause(command, name, call) },
      name,
      {
        call: textOf(`llamada_${call.kind}`, language),
        when: formatDateTimeInWords(call.startsAt, language, command.now),
        minutes: String(computeCallDurationMinutes(call)),
        book: command.link(call.kind === 'support' ? pagePaths.bookSupport : pagePaths.elevation, {}),
        expires: confirmBy === null ? '' : formatDateTimeInWords(confirmBy, language, command.now),
        accept: command.link(pagePaths.acceptElevation, {}),
        account: command.link(pagePaths.security, {}),
        support: supportMailbox,
        reason,
        ...links,
      },
      {
        language,
        ...(status !== undefined && {
          calendar: writeCalendar(call, { status, product: brand.product, now: command.now, links }),
        }),
      },
    );
  };
  return {
    sendBookingMail,
    /** Sends the mail of a transition, if it has one. After a rejection, the mail contains the reason. */
    async sendTransitionMail(command: DatabaseCommand, call: VideoCall, act: string, reason?: string): Promise<void> {
      const { mail } = findCallTransition(call.kind, act) ?? {};
      if (mail !== undefined) await sendBookingMail(command, mail, call, reason);
    },
  };
}

/** Mails about an unconfirmed reservation. They are sent before the anonymous visitor has proven access to the mailbox. */
const unconfirmedMails: ReadonlySet<CallMailName> = new Set(['call-reserved', 'call-lapsed']);

/**
 * Returns `trusted` if the recipient's mailbox is proven, and `anyone` otherwise. Signed-in citizens confirm support calls without a mailed link, so
 * only the verified address of their account is trusted.
 */
async function resolveCallMailCause(
  { tx }: DatabaseCommand,
  name: CallMailName,
  { kind, citizenId, email }: VideoCall,
) {
  if (kind === 'elevation') return 'trusted';
  if (citizenId === null) return unconfirmedMails.has(name) ? 'anyone' : 'trusted';
  const citizen = await findCitizen(tx, citizenId);
  return citizen !== null && isProvenEmail(citizen, email) ? 'trusted' : 'anyone';
}

/**
 * The links of a support call contain a token that opens the call without a session. The links of an elevation call require the citizen's session.
 */
async function createLinks({ tx, now, link }: DatabaseCommand, call: VideoCall): Promise<Links> {
  if (call.kind === 'elevation')
    return { confirm: '', cancel: link(pagePaths.cancelElevation, {}), enter: link(pagePaths.enterElevation, {}) };
  const uuid = await issueLinkToken(tx, {
    purpose: 'support-call',
    citizenId: call.citizenId,
    subject: call.id,
    now,
    lifeS: Math.ceil((addSeconds(call.endsAt, linkGraceS).getTime() - now.getTime()) / 1000),
  });
  return {
    confirm: link(redirectOnlyPagePaths.confirmSupport, { videollamada: uuid }),
    cancel: link(pagePaths.cancelSupport, { videollamada: uuid }),
    enter: link(redirectOnlyPagePaths.enterSupport, { uuid }),
  };
}

function writeCalendar(
  call: VideoCall,
  { status, product, now, links }: { status: CalendarStatus; product: string; now: Date; links: Links },
): string {
  const { language } = call;
  const entry = {
    id: call.id,
    date: toUruguayIsoDate(call.startsAt),
    time: toUruguayIsoTime(call.startsAt),
    minutes: computeCallDurationMinutes(call),
    sequence: call.sequence,
    status,
    title: textOf(`llamada_titulo_${call.kind}`, language, { producto: product }),
    description: textOf('llamada_ingreso', language, { link: links.enter }),
  };
  return formatCalendarFile(entry, { product, madeAt: now });
}

/** Cancels the pending elevation call of a citizen whose level was raised by another method. Frees its slot. */
export async function cancelPendingElevationCall(command: DatabaseCommand, callMails: CallMails, citizenId: string) {
  const { elevation } = await findNewestCallsOfCitizen(command.tx, citizenId);
  const spared = elevation === undefined ? null : await applyCallTransition(command, elevation, 'spare');
  if (spared !== null) await callMails.sendTransitionMail(command, spared, 'spare');
}
