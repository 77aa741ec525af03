import type { FastifyReply } from 'fastify';
import { secondsPerDay, fixedRetentionPeriods } from '../base/fixed-periods.ts';
import { baseLanguage, languages, type Language } from '../../../contract/portal-config.ts';

/** Selects a language by an Accept-Language header. Defaults to the base language. */
export function selectAcceptedLanguage(header: string | undefined): Language {
  const wishes = (header ?? '')
    .split(',', 32)
    .map(parseLanguageRange)
    .filter((wish) => wish.quality > 0);
  const ordered = wishes.sort((a, b) => b.quality - a.quality);
  return ordered.map((wish) => toLanguage(wish.tag)).find((language) => language !== undefined) ?? baseLanguage;
}

/** Selects a page's language by `?lang`, then by the `language` cookie, then by Accept-Language. */
export function selectPageLanguage(wishes: { query: unknown; cookie: string | undefined; header: string | undefined }) {
  return toLanguage(wishes.query) ?? toLanguage(wishes.cookie) ?? selectAcceptedLanguage(wishes.header);
}

/** Returns the name of the language cookie. Scripts of the portal read the cookie under both names (see `foreign-account.tsx`). */
export function getLanguageCookieName(secure: boolean): string {
  return secure ? '__Host-language' : 'language';
}

/** Stores the language of `?lang`. Scripts may read the cookie, because it is not secret. */
export function setLanguageCookie(reply: FastifyReply, query: unknown, secure: boolean): void {
  const asked = toLanguage(query);
  if (asked !== undefined)
    reply.setCookie(getLanguageCookieName(secure), asked, {
      path: '/',
      sameSite: 'lax',
      secure,
      maxAge: fixedRetentionPeriods.languageDays * secondsPerDay,
    });
}

function toLanguage(tag: unknown): Language | undefined {
  return languages.find((language) => typeof tag === 'string' && tag.toLowerCase().split('-')[0] === language);
}

function parseLanguageRange(part: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = part.trim().split(';');
  const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((q) => q !== undefined);
  return { tag, quality: quality === undefined ? 1 : Number(quality) };
}
