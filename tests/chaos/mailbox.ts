import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Mails that the mail catcher has received. */
export class Mailbox {
  /** Number of deliveries of each mail, by its Message-ID without the host. */
  readonly deliveries = new Map<string, number>();
  readonly #links = new Map<string, URL[]>();

  /** Adds a mail that the catcher has stored as a file. */
  take(recipient: string, file: string): void {
    const kept = readFileSync(file, 'latin1');
    const mail = kept
      .replace(/=\r?\n/g, '') // decodes quoted-printable (RFC 2045, section 6.7)
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    const id = /^Message-ID: <([^@>]+)@/im.exec(kept)?.[1] ?? file;
    this.deliveries.set(id, (this.deliveries.get(id) ?? 0) + 1);
    const links = [...mail.matchAll(/https?:\/\/[^\s"<>]+/g)].map(([link]) => new URL(link));
    this.#links.set(recipient, [...(this.#links.get(recipient) ?? []), ...links]);
  }

  /**
   * Waits for a mail with a link to a page. Returns the secret in the latest link. Returns `null` after the time limit.
   */
  async secret(recipient: string, page: string, limitMs: number): Promise<string | null> {
    for (const end = Date.now() + limitMs; ; await sleep(200)) {
      const found = this.#links.get(recipient)?.findLast(({ pathname }) => pathname === page);
      if (found || Date.now() > end) return found?.searchParams.get('uuid') ?? null;
    }
  }
}
