import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browsers } from '../../../../contract/constants.ts';
import type { Language } from '../../../../contract/portal-config.ts';
import { escapeHtml } from '../../../platform/base/escape-html.ts';
import { textOf } from '../../../platform/base/texts.ts';

const source = readFileSync(join(import.meta.dirname, 'first-script.js'), 'utf8')
  .replace(/^ *\/[/*].*\n/gm, '')
  .replace(/ \/\/ .*$/gm, '');

/** Source of the first script for `script-src` of a Content-Security-Policy. */
export const firstScriptHash = `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

/**
 * The inline script of a page. It tells an old browser to be renewed, and loads the page anew once its scripts can be had, when one of them could not. Its
 * text is the same on each page, so that a policy can name it.
 */
export function firstScript(language: Language): string {
  const { chrome, edge, firefox, safari } = browsers;
  const old = textOf('navegador_viejo', language, {
    navegadores: `Chrome ${chrome}, Edge ${edge}, Firefox ${firefox}, Safari ${safari}`,
  });
  const busy = textOf('portal_demorado', language);
  return `<script id="first-script" data-old="${escapeHtml(old)}" data-busy="${escapeHtml(busy)}">${source}</script>`;
}
