import type { Language } from '../../../contract/portal-config.ts';
import { getSharedText } from '../base/texts.ts';
import { escapeHtml } from '../../../engine/core/values/escape-html.ts';
import { brandTheme } from '../base/theme.ts';
import { readFile } from 'node:fs/promises';

export const mailLogoCid = 'mark@portal';

/**
 * Reads the logo that mails attach. It is a PNG, because mail programs do not show SVG, and attached, because a remote image would reveal when a mail
 * is read.
 */
export async function readMailLogo() {
  const content = await readFile(new URL('../../../brand/mark.png', import.meta.url));
  return {
    filename: 'mark.png',
    cid: mailLogoCid,
    contentType: 'image/png',
    contentDisposition: 'inline',
    content,
  } as const;
}

/** Inlines the logo in a mail's HTML, for the outbox page, which shows mails without their attachments. */
export function inlineMailLogo(html: string, { contentType, content }: Awaited<ReturnType<typeof readMailLogo>>) {
  return html.replaceAll(`cid:${mailLogoCid}`, `data:${contentType};base64,${content.toString('base64')}`);
}

/** A mail without its recipient. */
export interface MailContent {
  readonly subject: string;
  /** Subject to store in place of one that contains a code. */
  readonly archivedSubject?: string | null;
  readonly text: string;
  readonly html: string;
  /** Attached iCalendar file. */
  readonly calendar?: string | null;
}

type Values = Readonly<Record<string, string>>;

const linkPattern = /^\[(.+)\]\(\{\{(\w+)\}\}\)$/;
const codePattern = /^\{\{code\}\}$/;
const quotationPattern = /^\{\{>\w+\}\}$/;
const whenPattern = /^\{\{when\}\}$/;

interface PlaceholderFormat {
  readonly value: (text: string) => string;
  readonly quotation: (lines: readonly string[]) => string;
}

const plainFormat: PlaceholderFormat = {
  value: (text) => text,
  quotation: (lines) => lines.map((line) => `> ${line}`).join('\n'),
};
const htmlFormat: PlaceholderFormat = { value: escapeHtml, quotation: (lines) => lines.map(escapeHtml).join('<br>') };

/**
 * Renders a mail from its template. The source contains the subject, an optional heading that differs from it, and paragraphs separated by empty
 * lines. In a paragraph by itself, the first `[Label]({{link}})` is a button and later ones are links, so that a mail has one call to action.
 * In a paragraph by itself, `{{code}}` and `{{when}}` are shown large, and `{{>text}}` is a quotation that retains its lines. `{{support}}`
 * is a link to the mailbox. The last paragraph is small print, followed by the URL of the button. The markup is built before values are filled in, so
 * that no value can add markup. `authentic` is the URL of the page that explains how to recognise the portal's mails.
 */
export function renderMail(
  source: string,
  { language, values, authentic }: { readonly language: Language; readonly values: Values; readonly authentic: string },
): MailContent {
  const [first = '', ...paragraphs] = source.trim().split(/\n{2,}/);
  const [subject = '', heading = subject] = first
    .split('\n')
    .map((line) => fillPlaceholders(line, values, plainFormat));
  const primary = paragraphs.findIndex((paragraph) => linkPattern.test(paragraph));
  const [, , target] = linkPattern.exec(paragraphs[primary] ?? '') ?? [];
  const html = [
    ...paragraphs.map((paragraph, at) =>
      renderParagraph(paragraph, { primary: at === primary, last: at === paragraphs.length - 1 }),
    ),
    ...(target === undefined ? [] : [renderCopyableUrl(target, language)]),
  ];
  return {
    subject,
    archivedSubject: heading === subject ? null : heading,
    text: [...paragraphs, `[${getSharedText('mail_autentico', language)}]({{authentic}})`]
      .map((paragraph) =>
        fillPlaceholders(paragraph.replace(linkPattern, '$1:\n{{$2}}'), { ...values, authentic }, plainFormat),
      )
      .join('\n\n'),
    html: fillPlaceholders(renderDocument(language, html.join('\n')), { ...values, heading, authentic }, htmlFormat),
  };
}

function renderParagraph(paragraph: string, { primary, last }: { primary: boolean; last: boolean }): string {
  const [, label, address] = linkPattern.exec(paragraph) ?? [];
  if (label !== undefined && !primary)
    return `<p><a href="{{${address ?? ''}}}" target="_blank" class="accent" style="color:${light.link}">${label}</a></p>`;
  if (label !== undefined) return renderButton(label, address ?? '');
  if (codePattern.test(paragraph))
    return `<p class="accent" style="font-size:32px;line-height:1.2;font-weight:600;letter-spacing:4px;color:${light.link}">${paragraph}</p>`;
  if (quotationPattern.test(paragraph))
    return `<blockquote style="margin:0;padding-left:16px;border-left:4px solid ${light.border}">${paragraph}</blockquote>`;
  if (whenPattern.test(paragraph)) return `<p style="font-size:20px;line-height:1.3;font-weight:600">${paragraph}</p>`;
  return `<p${last ? ` class="small" style="font-size:14px;color:${light['text-auxiliary']}"` : ''}>${paragraph.replaceAll('{{support}}', renderMailtoLink)}</p>`;
}

function renderMailtoLink(address: string): string {
  return `<a href="mailto:${address}" class="accent" style="color:${light.link}">${address}</a>`;
}

function renderButton(label: string, address: string): string {
  const style = `display:inline-block;padding:12px 24px;background:${light.primary};color:${light['on-primary']};border-radius:4px;text-decoration:none;font-weight:600`;
  return `<p><a href="{{${address}}}" target="_blank" class="button" style="${style}">${label}</a></p>`;
}

function renderCopyableUrl(address: string, language: Language): string {
  return `<p class="small" style="font-size:14px;color:${light['text-auxiliary']}">${getSharedText('mail_copiar', language)}<br><a href="{{${address}}}" target="_blank" class="accent" style="color:${light.link};word-break:break-all">{{${address}}}</a></p>`;
}

/** Inline colours, because mail programs do not support custom properties. */
const { light, dark } = brandTheme;

// Style sheet for small screens and dark mode. Text and background also have inline colours, because some mail programs drop the style sheet.
const styleSheet = `@media (max-width: 480px) { .page { padding: 12px !important; } .card { padding: 20px !important; } }
@media (prefers-color-scheme: dark) {
  .page { background: ${dark.background} !important; } .card { background: ${dark.surface} !important; color: ${dark.text} !important; }
  .small { color: ${dark['text-auxiliary']} !important; } .accent { color: ${dark.link} !important; }
  .button { background: ${dark.primary} !important; color: ${dark['on-primary']} !important; } blockquote, .foot { border-color: ${dark.border} !important; }
}`;

function renderDocument(language: Language, content: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{{heading}}</title>
<style>
${styleSheet}
</style>
</head>
<body class="page" style="margin:0;padding:24px;background:${light.background};font-family:'Open Sans',Arial,sans-serif;font-size:16px;line-height:1.5">
<div class="card" style="max-width:560px;margin:0 auto;padding:32px;background:${light.surface};color:${light.text};border-radius:8px;overflow-wrap:anywhere">
<table class="head" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;border-bottom:3px solid ${light.gold}"><tr>
<td width="48" style="padding:0 0 16px"><img src="cid:${mailLogoCid}" width="40" height="40" alt="" style="display:block;border:0"></td>
<td style="padding:0 0 16px;font-size:20px;line-height:1.2;font-weight:600">{{product}}</td>
</tr></table>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.3">{{heading}}</h1>
${content}
<p class="small foot" style="margin:24px 0 0;padding-top:16px;border-top:1px solid ${light.border};font-size:14px;color:${light['text-auxiliary']}"><a href="{{authentic}}" target="_blank" class="accent" style="color:${light.link}">${getSharedText('mail_autentico', language)}</a></p>
</div>
</body>
</html>
`;
}

/** Line breaks in a value become spaces, so that no value can add a line or a subject. A quotation retains its lines. */
function fillPlaceholders(template: string, values: Values, form: PlaceholderFormat): string {
  return template.replace(/\{\{(>?)(\w+)\}\}/g, (whole, mark: string, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return mark === ''
      ? form.value(value.replace(/\s+/g, ' '))
      : form.quotation(value.trim().split(/\r\n|[\n\r\u2028\u2029]/));
  });
}
