import type { Language } from '../../../contract/portal-config.ts';
import { getSharedText } from './texts.ts';

/** Client of a request, as stored with sessions and pending sign-ins. */
export interface ClientDevice {
  /** Output of `normalizeUserAgent`. Empty if the client sent no header. */
  readonly userAgent: string;
  readonly address: string;
}

/**
 * Browsers by the token in their User-Agent header. The first match wins, because most browsers also send the tokens of the browsers that they
 * imitate.
 */
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPiOS|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
];

const operatingSystems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPhone', /\b(iPhone|iPod)\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\b(Macintosh|Mac OS X)\b/],
  ['Linux', /\b(Linux|X11)\b/],
];

/** Reduces a User-Agent header to at most 200 characters of printable ASCII. */
export function normalizeUserAgent(header: string | undefined): string {
  return (header ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 200);
}

/** Describes browser and operating system for the citizen, e.g. 'Chrome en Windows'. */
export function describeDevice(userAgent: string, language: Language): string {
  const findName = (table: typeof browsers): string | undefined => table.find(([, mark]) => mark.test(userAgent))?.[0];
  const browser = findName(browsers) ?? getSharedText('navegador_desconocido', language);
  const system = findName(operatingSystems);
  return system === undefined
    ? browser
    : getSharedText('navegador_en_sistema', language, { navegador: browser, sistema: system });
}
