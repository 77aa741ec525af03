export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Timeout for a mail, in milliseconds. It is sent after the response. */
const mailLimitMs = 15_000;

/** Waits until `to` has received `count` mails. Returns the latest one. */
export async function waitForMail(outboxUrl: string, to: string, count = 1): Promise<Mail> {
  const limit = Date.now() + mailLimitMs;
  for (;;) {
    const found = await readMails(outboxUrl, to);
    const [newest] = found;
    if (newest !== undefined && found.length >= count) return newest;
    if (Date.now() > limit) throw new Error(`no mail to ${to} in the outbox`);
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

/** Returns the mails to one recipient, newest first. */
export async function readMails(outboxUrl: string, to: string): Promise<readonly Mail[]> {
  const response = await fetch(`${outboxUrl}/messages?${new URLSearchParams({ to })}`);
  return (await response.json()) as readonly Mail[]; // the cast is safe, because the outbox responds in this format
}

/** Returns the first link in a mail that contains `part`. */
export function findLink(mail: Mail, part: string): string {
  const link = (mail.text.match(/https?:\/\/\S+/g) ?? []).find((address) => address.includes(part));
  if (link === undefined) throw new Error(`no link with ${part} in: ${mail.text}`);
  return link;
}
