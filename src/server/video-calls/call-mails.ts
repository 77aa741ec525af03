import { calendarFile, type CalendarCall } from '../../contract/calendar-entry.ts';
import { pages, serverPages } from '../../contract/pages.ts';
import type { Language } from '../../contract/portal-config.ts';
import { after } from '../base/clock.ts';
import { textOf } from '../base/texts.ts';
import { dateOf, timeOf } from '../base/zone.ts';
import type { Config } from '../config/config.ts';
import { issueToken } from '../credentials/link-tokens.ts';
import { readableTime, type TemplateValues } from '../mail/templates.ts';
import type { Command } from '../notices/commands.ts';
import type { VideoCall } from './calls.ts';

/** How long the links of a call open it after its end: whoever is late reads what became of it. */
const graceS = 24 * 60 * 60;

type MailName = Extract<keyof TemplateValues, `call-${string}`>;
type CalendarStatus = CalendarCall['status'];
type Links = Readonly<Record<'confirm' | 'cancel' | 'enter', string>>;

/** The mails about a call, each in the language that it was booked in. */
export interface CallMails {
  /** A reservation of the support, which its link confirms. */
  reserved(command: Command, call: VideoCall, confirmBy: Date): Promise<void>;
  /** A call that takes place. */
  booked(command: Command, call: VideoCall): Promise<void>;
  cancelled(command: Command, call: VideoCall): Promise<void>;
  /** A reservation that nobody confirmed in time. */
  lapsed(command: Command, call: VideoCall): Promise<void>;
  /** A call of tomorrow, or of the next hour. */
  reminder(command: Command, call: VideoCall): Promise<void>;
  /** A call that nobody came to, or that something technical ended. */
  failed(command: Command, call: VideoCall): Promise<void>;
  /** An agent has seen who it is; the terms are still to be accepted. */
  approved(command: Command, call: VideoCall): Promise<void>;
  /** Nobody accepted the terms in time. */
  expired(command: Command, call: VideoCall): Promise<void>;
  /** No second pair of eyes looked in time. */
  overlooked(command: Command, call: VideoCall): Promise<void>;
  /** An agent could not see who it is. */
  rejected(command: Command, call: VideoCall, reason: string): Promise<void>;
}

/** The mails about calls. Nothing of what an unknown person typed stands in them: they may go to a stranger's address. */
export function callMails({ brand, supportMailbox }: Pick<Config, 'brand' | 'supportMailbox'>): CallMails {
  const told = async (
    command: Command,
    call: VideoCall,
    name: MailName,
    { status = null, expires, reason = '' }: { status?: CalendarStatus | null; expires?: Date; reason?: string } = {},
  ): Promise<void> => {
    if (call.email === '') return;
    const { language } = call;
    const links = await linksOf(command, call);
    await command.mail(
      { email: call.email, citizenId: call.citizenId },
      name,
      {
        call: textOf(`llamada_${call.kind}`, language),
        when: readableTime(call.startsAt, language),
        minutes: String(minutesOf(call)),
        book: command.link(call.kind === 'support' ? pages.bookSupport : pages.elevation, {}),
        expires: expires === undefined ? '' : readableTime(expires, language),
        accept: command.link(pages.acceptElevation, {}),
        account: command.link(pages.security, {}),
        support: supportMailbox,
        reason,
        ...links,
      },
      {
        language,
        ...(status !== null && {
          calendar: calendarOf(call, { status, product: brand.product, now: command.now, links }),
        }),
      },
    );
  };
  return {
    reserved: (command, call, confirmBy) =>
      told(command, call, 'call-reserved', { status: 'TENTATIVE', expires: confirmBy }),
    booked: (command, call) => told(command, call, 'call-booked', { status: 'CONFIRMED' }),
    cancelled: (command, call) => told(command, call, 'call-cancelled', { status: 'CANCELLED' }),
    lapsed: (command, call) => told(command, call, 'call-lapsed', { status: 'CANCELLED' }),
    reminder: (command, call) => told(command, call, 'call-reminder'),
    failed: (command, call) => told(command, call, 'call-failed'),
    approved: (command, call) =>
      told(command, call, 'call-approved', { ...(call.confirmBy && { expires: call.confirmBy }) }),
    expired: (command, call) => told(command, call, 'call-expired'),
    overlooked: (command, call) => told(command, call, 'call-overlooked'),
    rejected: (command, call, reason) => told(command, call, 'call-rejected', { reason }),
  };
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
