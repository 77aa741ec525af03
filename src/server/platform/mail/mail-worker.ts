import nodemailer from 'nodemailer';
import type { SecureContextOptions } from 'node:tls';
import type { Logger } from 'pino';
import type { DatabaseStore } from '../database/open-store.ts';
import type { MailSenderSetting } from '../modules/mail-templates.ts';
import { mailLogoCid, readMailLogo } from './render-mail.ts';
import { claimMail, markMailSent, postponeMail, markMailRefused, type ClaimedMail } from './outbox.ts';

const pollMs = 1_000;
/** Maximum pause after a failure of the mail server itself, so that mails are sent soon after it recovers. */
const maxServerPauseS = 30;
/** Maximum number of attempts for a mail. With the pauses between them, they take about five days (RFC 5321, section 4.5.4.1). */
const maxAttempts = 128;
/** Timeouts in milliseconds. Even an SMTP conversation of a dozen slow replies ends before the worker's claim on the mail expires. */
const smtpTimeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
} as const;

/** Polls the outbox once a second and retries after failures of the mail server. Never loses a mail, but may send one twice. */
export function startMailWorker(parts: {
  readonly store: DatabaseStore;
  readonly log: Logger;
  readonly smtpUrl: string;
  readonly tls?: SecureContextOptions;
  readonly from: string;
  readonly senders?: Readonly<Record<MailSenderSetting, string>>;
}) {
  const { store, log } = parts;
  const transport = nodemailer.createTransport({ url: parts.smtpUrl, tls: parts.tls, ...smtpTimeouts });
  const domain = /@([^\s>]+)/.exec(parts.from)?.[1] ?? 'localhost';
  const mark = readMailLogo();
  mark.catch(() => undefined); // the first mail with the logo fails and reports the error
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let isFailing = false;

  /** Connects to the mail server without sending a mail, because after a broken connection it is unknown whether a mail was accepted. */
  const isServerBack = () => transport.verify().catch(() => false);
  /** Sends the due mails. Returns the number of mails that the mail server accepted. */
  const deliverDueMails = async (): Promise<number> => {
    let sent = 0;
    if (isFailing && !(await isServerBack())) return sent;
    isFailing = false;
    for (let mail = await claimMail(store); mail !== undefined; mail = closed ? undefined : await claimMail(store)) {
      const outcome = await send(mail);
      if (outcome === 'sent') sent += 1;
      isFailing = outcome === 'server failed'; // the server would reject the other mails too
      if (isFailing) break;
    }
    return sent;
  };
  const send = async (mail: ClaimedMail): Promise<'sent' | 'refused' | 'postponed' | 'server failed'> => {
    try {
      const { recipient: to, subject, text, html, calendar, reply_to: address } = mail;
      // An object contains exactly one address, so that the value cannot add a list or a header.
      const replyTo = address === null ? {} : { replyTo: { name: '', address } };
      const method = /^METHOD:(\w+)/m.exec(calendar ?? '')?.[1] ?? 'PUBLISH';
      const attachments = html.includes(`cid:${mailLogoCid}`) ? [await mark] : [];
      await transport.sendMail({
        from: (mail.sender && parts.senders?.[mail.sender]) ?? parts.from,
        to,
        ...replyTo,
        subject,
        text,
        html,
        attachments,
        ...(calendar && { icalEvent: { method, filename: 'videollamada.ics', content: calendar } }),
        // The id is equal at each attempt, so that a mail server can recognise duplicates.
        messageId: `<outbox-${mail.id}@${domain}>`,
        headers: automaticMailHeaders,
      });
    } catch (error) {
      const facts = { mail: mail.id, attempts: mail.attempts, reason: describeFailure(error) };
      if (isPermanentFailure(error) || (isMailFailure(error) && mail.attempts >= maxAttempts)) {
        log.error(facts, 'a mail was refused for good: npx portal mails lists it');
        await markMailRefused(store, mail.id, error.message);
        return 'refused';
      }
      log.warn(facts, 'a mail could not be sent, it stays in the outbox');
      if (isMailFailure(error)) {
        await postponeMail(store, mail);
        return 'postponed';
      }
      await postponeMail(store, mail, isFailureBeforeSending(error) ? maxServerPauseS : undefined);
      return 'server failed';
    }
    await markMailSent(store, mail.id);
    return 'sent';
  };
  const poll = () => {
    if (closed) return;
    running = deliverDueMails()
      .catch((error: unknown) => log.error({ err: error }, 'the mail worker could not read the outbox'))
      .finally(() => {
        if (!closed) timer = setTimeout(poll, pollMs).unref();
      });
  };
  timer = setTimeout(poll, pollMs).unref();

  return {
    deliverDueMails,
    /** Stops the worker after the current mail. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await running;
      transport.close();
    },
  };
}

/** Headers that prevent automatic replies (RFC 3834, section 5, and Exchange's own header). */
const automaticMailHeaders = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } as const;

/**
 * Whether the server rejected the recipient or the message with a permanent code, or the address is invalid. Faults of the sender or the connection are
 * not permanent, because they affect every mail and an operator can fix them.
 */
function isPermanentFailure(error: unknown): error is Error & { readonly command: unknown } {
  if (!isMailFailure(error)) return false;
  const permanent = 'responseCode' in error && typeof error.responseCode === 'number' && error.responseCode >= 500;
  return error.command === 'API' || permanent;
}

/** Whether the failure concerns only this mail: the server rejected the recipient or the message. */
function isMailFailure(error: unknown): error is Error & { readonly command: unknown } {
  if (!(error instanceof Error) || !('code' in error && 'command' in error)) return false;
  return (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') && error.command !== 'MAIL FROM';
}

/**
 * Whether the mail was certainly not sent, because the server was unreachable, denied access or rejected the envelope. After other failures, it may
 * have been sent.
 */
function isFailureBeforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('syscall' in error && error.syscall === 'connect') return true;
  return 'code' in error && ['EDNS', 'ETLS', 'EAUTH', 'EENVELOPE'].includes(String(error.code));
}

/** Describes a failure without the mail server's text, which may contain the recipient. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'responseCode' in error ? error.responseCode : 'code' in error ? error.code : error.name;
  return String(code);
}
