import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lists the URLs under which Vite serves the fonts of the brand. Pages preload them, because `font-display: optional` ignores late fonts. */
export function listDevFonts(root: string): readonly string[] {
  const css = readFileSync(join(root, 'src/brand/theme.css'), 'utf8');
  return [...css.matchAll(/url\('(@fontsource\/[^']+\.woff2)'\)/g)].map(([, file]) => `/node_modules/${file}`);
}
