import nodemailer from 'nodemailer';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/open-store.ts';
import { claimMails, markSent, postpone, type ClaimedMail } from './outbox.ts';

/** What the mail worker works with. */
export interface MailParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly smtpUrl: string;
  readonly from: string;
}

/** Carries mails from the outbox to the mail server. */
export interface MailWorker {
  /** Sends what is due now; answers how many mails the server took. */
  deliver(): Promise<number>;
  /** Ends after the mail under way. */
  close(): Promise<void>;
}

const pollMs = 1_000;

/** Starts the worker: it looks once a second, survives a failing mail server, and loses no mail (it may send one twice). */
export function startMailWorker(parts: MailParts): MailWorker {
  const { store, clock, log } = parts;
  const transport = nodemailer.createTransport(parts.smtpUrl);
  const host = new URL(parts.smtpUrl).hostname;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const deliver = async () => {
    const mails = await claimMails(store, clock.now());
    let sent = 0;
    for (const mail of mails) if (await send(mail)) sent += 1;
    return sent;
  };
  const send = async (mail: ClaimedMail) => {
    try {
      const { recipient: to, subject, text, html, reply_to: address } = mail;
      // As an object: what stands in it is one address, never a list or another header.
      const replyTo = address === null ? {} : { replyTo: { name: '', address } };
      await transport.sendMail({ from: parts.from, to, ...replyTo, subject, text, html, messageId: `<outbox-${mail.id}@${host}>` });
    } catch (error) {
      log.warn({ mail: mail.id, attempts: mail.attempts, reason: reasonOf(error) }, 'a mail could not be sent, it stays in the outbox');
      await postpone(store, mail, clock.now());
      return false;
    }
    await markSent(store, mail.id, clock.now());
    return true;
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

/** The server's code alone: its text may repeat the recipient. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'responseCode' in error ? error.responseCode : 'code' in error ? error.code : error.name;
  return String(code);
}
