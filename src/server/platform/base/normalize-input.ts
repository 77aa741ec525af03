import { domainToUnicode } from 'node:url';

export function toStringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Normalizes an e-mail address: lower case, with the domain in Unicode (UTS #46), so that an `xn--` name equals its Unicode form. */
export function normalizeEmail(value: unknown): string {
  const email = toStringOrEmpty(value).trim().toLowerCase();
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + (domainToUnicode(email.slice(at)) || email.slice(at));
}

/** Splits a list, trims its items and drops empty ones. */
export function splitList(list: string, separator: string | RegExp = ','): readonly string[] {
  return list
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
