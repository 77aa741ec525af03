import nodemailer from 'nodemailer';
import type { Logger } from 'pino';
import type { Store } from '../database/open-store.ts';
import type { MailSender } from '../topics/mail.ts';
import { markCid, readMark } from './layout.ts';
import { claimMail, markSent, postpone, refuse, type ClaimedMail } from './outbox.ts';

/** What the mail worker works with. */
export interface MailParts {
  readonly store: Store;
  readonly log: Logger;
  readonly smtpUrl: string;
  readonly from: string;
  /** In place of `from`, by what the mail is. */
  readonly senders?: Readonly<Record<MailSender, string>>;
}

/** Carries mails from the outbox to the mail server. */
export interface MailWorker {
  /** Sends what is due now; answers how many mails the server took. */
  deliver(): Promise<number>;
  /** Ends after the mail under way. */
  close(): Promise<void>;
}

const pollMs = 1_000;
/** Longest pause of a mail that found the mail server itself failing, in seconds: once it is back, people wait for their mails. */
const serverPauseS = 30;
/** Attempts after which a mail that the server keeps putting off is given up: the pauses make five days of them (RFC 5321, section 4.5.4.1). */
const mostAttempts = 128;
/** A conversation of a dozen answers, each as slow as this lets it be, ends while the mail is still this worker's. */
const limits = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
} as const;

/** Starts the worker: it looks once a second, survives a failing mail server, and loses no mail (it may send one twice). */
export function startMailWorker(parts: MailParts): MailWorker {
  const { store, log } = parts;
  const transport = nodemailer.createTransport({ url: parts.smtpUrl, ...limits });
  const domain = parseDomain(parts.from);
  const mark = readMark();
  mark.catch(() => undefined); // told by the first mail that needs it
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let isFailing = false;

  /** A connection that ends tells nothing of the mail that it was for: while the server fails, none is risked to learn whether it is back. */
  const isBack = () =>
    transport.verify().then(
      () => true,
      () => false,
    );
  const deliver = async () => {
    let sent = 0;
    if (isFailing && !(await isBack())) return sent;
    isFailing = false;
    for (let mail = await claimMail(store); mail !== undefined; mail = closed ? undefined : await claimMail(store)) {
      const outcome = await send(mail);
      if (outcome === 'sent') sent += 1;
      isFailing = outcome === 'server failed'; // as it would for all that wait
      if (isFailing) break;
    }
    return sent;
  };
  const send = async (mail: ClaimedMail): Promise<'sent' | 'refused' | 'postponed' | 'server failed'> => {
    try {
      const { recipient: to, subject, text, html, calendar, reply_to: address } = mail;
      // As an object: what stands in it is one address, never a list or another header.
      const replyTo = address === null ? {} : { replyTo: { name: '', address } };
      const attachments = html.includes(`cid:${markCid}`) ? [await mark] : [];
      await transport.sendMail({
        from: (mail.sender && parts.senders?.[mail.sender]) ?? parts.from,
        to,
        ...replyTo,
        subject,
        text,
        html,
        attachments,
        ...(calendar && { icalEvent: calendarPart(calendar) }),
        // The same at each try, so that a mail server knows a mail that is sent twice.
        messageId: `<outbox-${mail.id}@${domain}>`,
        headers: automatic,
      });
    } catch (error) {
      const facts = { mail: mail.id, attempts: mail.attempts, reason: describeFailure(error) };
      if (isFinal(error) || (isOfMail(error) && mail.attempts >= mostAttempts)) {
        log.error(facts, 'a mail was refused for good: npx portal mails lists it');
        await refuse(store, mail.id, error.message);
        return 'refused';
      }
      log.warn(facts, 'a mail could not be sent, it stays in the outbox');
      if (isOfMail(error)) {
        await postpone(store, mail);
        return 'postponed';
      }
      await postpone(store, mail, isBeforeMail(error) ? serverPauseS : undefined);
      return 'server failed';
    }
    await markSent(store, mail.id);
    return 'sent';
  };
  const tick = () => {
    if (closed) return;
    running = deliver()
      .catch((error: unknown) => log.error({ err: error }, 'the mail worker could not read the outbox'))
      .finally(() => {
        if (!closed) timer = setTimeout(tick, pollMs).unref();
      });
  };
  timer = setTimeout(tick, pollMs).unref();

  return {
    deliver,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
      transport.close();
    },
  };
}

/** Says that no person wrote the mail, so that nothing answers it by itself (RFC 3834, section 5; the second one is Exchange's). */
const automatic = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } as const;

/** The domain of a sender, `Usuario digital <no-responder@example.uy>` or the address alone. */
function parseDomain(from: string): string {
  return /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
}

/** The part of a mail that calendars take over; its method stands in the file. */
function calendarPart(content: string): { method: string; filename: string; content: string } {
  return { method: /^METHOD:(\w+)/m.exec(content)?.[1] ?? 'PUBLISH', filename: 'videollamada.ics', content };
}

/**
 * Whether the mail server will never take this mail: it refused the recipient or the message by a permanent code, or the address is none. What
 * ails the sender or the connection would stop every mail, and its operator mends it.
 */
function isFinal(error: unknown): error is Error & { readonly command: unknown } {
  if (!isOfMail(error)) return false;
  const permanent = 'responseCode' in error && typeof error.responseCode === 'number' && error.responseCode >= 500;
  return error.command === 'API' || permanent;
}

/** Whether the recipient or the message is what the mail server does not take; anything else would stop every mail. */
function isOfMail(error: unknown): error is Error & { readonly command: unknown } {
  if (!(error instanceof Error) || !('code' in error && 'command' in error)) return false;
  return (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') && error.command !== 'MAIL FROM';
}

/** Whether no part of the mail can have left: the server was not reached, or let nobody in. A conversation that breaks off tells nothing. */
function isBeforeMail(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('syscall' in error && error.syscall === 'connect') return true;
  return 'code' in error && ['EDNS', 'ETLS', 'EAUTH', 'EENVELOPE'].includes(String(error.code));
}

/** The server's code alone: its text may repeat the recipient. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'responseCode' in error ? error.responseCode : 'code' in error ? error.code : error.name;
  return String(code);
}
