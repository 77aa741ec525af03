import { sql, type RawBuilder } from 'kysely';
import { readEmail } from '../../platform/base/read-text.ts';

/**
 * Returns the mailbox that an address is counted under: its canonical form without the `+tag` and without the dots of the local part, since those
 * give one mailbox any number of addresses. Use it only for counting, never to find an account or to send mail.
 */
export function mailboxOf(email: string): string {
  const written = readEmail(email);
  const at = written.lastIndexOf('@');
  if (at === -1) return written;
  return written.slice(0, at).replace(tag, '$1').replaceAll('.', '') + written.slice(at);
}

/** SQL equivalent of `mailboxOf`, in the form that the index `contact_messages_mailbox` uses. The column must contain validated addresses. */
export function mailboxIn(column: 'email'): RawBuilder<string> {
  const [local, domain] = [1, 2].map((part) => `split_part(lower(${column}), '@', ${part})`);
  return sql.raw(`(replace(regexp_replace(${local}, '(.)[+].*$', '\\1'), '.', '') || '@' || ${domain})`);
}

/** A local part that begins with a plus keeps it. Otherwise all such addresses would count as one mailbox. */
const tag = /(.)\+.*$/s;
