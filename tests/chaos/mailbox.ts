import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Mails as they arrive at a mail catcher. */
export class Mailbox {
  /** How often each mail arrived, by its Message-ID without the host. */
  readonly deliveries = new Map<string, number>();
  readonly #links = new Map<string, URL[]>();

  /** Takes a mail that a catcher has kept as a file. */
  take(recipient: string, file: string): void {
    const kept = readFileSync(file, 'latin1');
    const mail = kept
      .replace(/=\r?\n/g, '') // quoted-printable (RFC 2045, section 6.7)
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    const id = /^Message-ID: <([^@>]+)@/im.exec(kept)?.[1] ?? file;
    this.deliveries.set(id, (this.deliveries.get(id) ?? 0) + 1);
    const links = [...mail.matchAll(/https?:\/\/[^\s"<>]+/g)].map(([link]) => new URL(link));
    this.#links.set(recipient, [...(this.#links.get(recipient) ?? []), ...links]);
  }

  /** The secret of the newest link to a page that was mailed to an address; null: none has come in time. */
  async secret(recipient: string, page: string, limitMs: number): Promise<string | null> {
    for (const end = Date.now() + limitMs; ; await sleep(200)) {
      const found = this.#links.get(recipient)?.findLast(({ pathname }) => pathname === page);
      if (found || Date.now() > end) return found?.searchParams.get('uuid') ?? null;
    }
  }
}
