import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { oldestSupportedBrowsers } from '../../../../contract/constants.ts';
import type { Language } from '../../../../contract/portal-config.ts';
import { escapeHtml } from '../../../../engine/core/values/escape-html.ts';
import { getSharedText } from '../../../platform/base/texts.ts';

const source = readFileSync(join(import.meta.dirname, 'first-script.js'), 'utf8')
  .replace(/^ *\/[/*].*\n/gm, '')
  .replace(/ \/\/ .*$/gm, '');

/** Source expression for `script-src`. */
export const firstScriptHash = `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

/**
 * Inline script that asks users of outdated browsers to update, and reloads the page once all scripts are available if another script failed to load. Its
 * source is the same on every page, so that the Content-Security-Policy can allow it by its hash.
 */
export function getFirstScript(language: Language): string {
  const { chrome, edge, firefox, safari } = oldestSupportedBrowsers;
  const old = getSharedText('navegador_viejo', language, {
    navegadores: `Chrome ${chrome}, Edge ${edge}, Firefox ${firefox}, Safari ${safari}`,
  });
  const busy = getSharedText('portal_demorado', language);
  return `<script id="first-script" data-old="${escapeHtml(old)}" data-busy="${escapeHtml(busy)}">${source}</script>`;
}
