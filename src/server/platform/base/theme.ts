import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Brand colours for output that cannot use the style sheet: mails, pages of the server, and the browser's address bar. */
const colorNames = [
  'background',
  'surface',
  'text',
  'text-auxiliary',
  'primary',
  'primary-strong',
  'on-primary',
  'link',
  'bar',
  'gold',
  'border',
] as const;

/** Colours by the name of their CSS custom property, without the leading hyphens. */
export type ThemeColors = Readonly<Record<(typeof colorNames)[number], string>>;

export const brandTheme = parseBrandTheme(readFileSync(join(import.meta.dirname, '../../../brand/theme.css'), 'utf8'));

/** Reads the colours of the first `:root`, and the overrides for dark mode. Throws an `Error` that names a missing colour. */
export function parseBrandTheme(css: string) {
  const text = css.replaceAll(/\/\*.*?\*\//gs, '');
  const [light = '', dark = ''] = text.split(/@media \(prefers-color-scheme: dark\)/);
  const own = parseProperties(light);
  return { light: pickColors(own), dark: pickColors(new Map([...own, ...parseProperties(dark)])) };
}

function parseProperties(text: string): ReadonlyMap<string, string> {
  const [, block = ''] = /:root\s*\{(.*?)\}/s.exec(text) ?? [];
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]),
  );
}

function pickColors(properties: ReadonlyMap<string, string>): ThemeColors {
  return Object.fromEntries(
    colorNames.map((name) => {
      const value = properties.get(name);
      if (value === undefined || !/^#[0-9a-f]{6}$/i.test(value))
        throw new Error(`src/brand/theme.css must say --${name} as #rrggbb: mails cannot read another one.`);
      return [name, value];
    }),
  ) as ThemeColors; // the cast is safe: the loop sets every name
}
