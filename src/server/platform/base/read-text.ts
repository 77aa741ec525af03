import { domainToUnicode } from 'node:url';

/** A text of a checked body; absent is empty. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Reads an e-mail address in its canonical form: lower case, its domain in Unicode (UTS #46), so that `xn--` names compare equal to their letters. */
export function readEmail(value: unknown): string {
  const email = text(value).trim().toLowerCase();
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + (domainToUnicode(email.slice(at)) || email.slice(at));
}
