import { pagePaths } from '../../../contract/page-paths.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { escapeHtml } from '../../../engine/core/values/escape-html.ts';
import { getSharedText, type SharedTextCode } from '../base/texts.ts';
import { brandTheme, type ThemeColors } from '../base/theme.ts';

/** Serializes a value as JSON for a script element, which this JSON cannot close. */
export function serializeScriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}

export interface PlainPage {
  readonly language: string;
  readonly nonce: string;
  readonly title: string;
  readonly text: string;
  readonly facts?: readonly (readonly [name: string, value: string])[];
  readonly links: readonly { readonly href: string; readonly text: string }[];
  /** A search field. Its form sends the input to the URL `action` as the parameter `name`. */
  readonly search?: { readonly action: string; readonly name: string; readonly label: string };
  readonly frames?: readonly string[];
  /** A form that a script submits at once. Without JavaScript, the user presses its button. */
  readonly form?: {
    readonly action: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly button: string;
    readonly script: string;
  };
}

/** Renders a page that works without the portal's script. Escapes all texts. */
export function renderPlainPage(page: PlainPage): string {
  const links = page.links
    .map((link) => `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`)
    .join('');
  const frames = (page.frames ?? []).map((url) => `<iframe hidden src="${escapeHtml(url)}"></iframe>`).join('');
  const entries = page.facts?.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  const facts = entries?.length ? `<dl>${entries.join('')}</dl>` : '';
  const form = page.form === undefined ? '' : renderForm(page.form);
  const search = page.search === undefined ? '' : renderSearch(page.search);
  return `<!doctype html>
<html lang="${page.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<style nonce="${page.nonce}">${renderColors(brandTheme.light)}@media(prefers-color-scheme:dark){${renderColors(brandTheme.dark)}}
:root{color-scheme:light dark}body{font:1.125rem/1.6 system-ui,sans-serif;max-width:40rem;margin:10vh auto;padding:0 1rem}
h1{font-size:1.75rem}dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}
button,input{font:inherit;box-sizing:border-box;min-height:2.75rem;padding:.5rem 1.5rem;border:0;border-radius:.25rem}
input{width:100%;padding:.5rem .75rem;border:1px solid;background:none;color:inherit}[role=search] p{display:flex;gap:.5rem;margin-top:.25rem}
a{display:inline-block;padding:.375rem 0}p:has(>a){margin:0}</style></head>
<body><main><h1>${escapeHtml(page.title)}</h1><p>${escapeHtml(page.text)}</p>${facts}${form}${search}${links}${frames}</main></body></html>`;
}

function renderColors(colors: ThemeColors): string {
  return `body{background:${colors.surface};color:${colors.text}}h1{color:${colors['primary-strong']}}a{color:${colors.link}}button{background:${colors.primary};color:${colors['on-primary']}}`;
}

function renderSearch({ action, name, label }: NonNullable<PlainPage['search']>): string {
  return `<form role="search" action="${escapeHtml(action)}"><label for="search">${escapeHtml(label)}</label><p><input id="search" type="search" name="${escapeHtml(name)}" maxlength="100"><button>${escapeHtml(label)}</button></p></form>`;
}

/** Returns the search field and the links of an error page. `hasHelp` is the feature flag `ayuda`. */
export function createErrorPageHelp(language: Language, hasHelp: boolean): Pick<PlainPage, 'search' | 'links'> {
  const link = (href: string, text: SharedTextCode) => ({ href, text: getSharedText(text, language) });
  const links = [link(pagePaths.home, 'volver_al_inicio'), link(pagePaths.login, 'ingresar_de_otra_manera')];
  if (!hasHelp) return { links };
  const search = { action: pagePaths.help, name: 'busqueda', label: getSharedText('buscar_ayuda', language) };
  return { search, links: [...links, link(pagePaths.contact, 'contacto')] };
}

function renderForm({ action, fields, button, script }: NonNullable<PlainPage['form']>): string {
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  return `<form method="post" action="${escapeHtml(action)}">${inputs}<p><button>${escapeHtml(button)}</button></p></form><script src="${escapeHtml(script)}" defer></script>`;
}
