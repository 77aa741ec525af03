import { sql, type RawBuilder } from 'kysely';
import { readEmail } from '../../platform/base/read-text.ts';

/**
 * The mailbox that an address is counted under: in its canonical form, without the tag behind a plus and without the dots of its local part, by which one
 * mailbox has as many addresses as its holder likes. For counting alone: no account is found, and nothing is mailed, by it.
 */
export function mailboxOf(email: string): string {
  const written = readEmail(email);
  const at = written.lastIndexOf('@');
  if (at === -1) return written;
  return written.slice(0, at).replace(tag, '$1').replaceAll('.', '') + written.slice(at);
}

/** The same of a column, as the index contact_messages_mailbox holds it; what is in it was checked to be an address. */
export function mailboxIn(column: 'email'): RawBuilder<string> {
  const [local, domain] = [1, 2].map((part) => `split_part(lower(${column}), '@', ${part})`);
  return sql.raw(`(replace(regexp_replace(${local}, '(.)[+].*$', '\\1'), '.', '') || '@' || ${domain})`);
}

/** A local part that begins with a plus keeps it: all of those are not one mailbox. */
const tag = /(.)\+.*$/s;
