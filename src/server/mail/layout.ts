import type { Language } from '../../api/portal-config.ts';
import { textOf } from '../texts.ts';
import { escapeHtml } from './escape-html.ts';

/** A mail without its recipient. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

type Values = Readonly<Record<string, string>>;

const link = /^\[(.+)\]\(\{\{(\w+)\}\}\)$/;
const code = /^\{\{code\}\}$/;
const quotation = /^\{\{>\w+\}\}$/;

/** How values are written in one of the two forms of a mail. */
interface Form {
  readonly value: (text: string) => string;
  readonly quotation: (lines: readonly string[]) => string;
}

const plain: Form = { value: (text) => text, quotation: (lines) => lines.map((line) => `> ${line}`).join('\n') };
const rich: Form = { value: escapeHtml, quotation: (lines) => lines.map(escapeHtml).join('<br>') };

/**
 * Makes both forms of a mail of its one source: the subject, then paragraphs between empty lines. `[Label]({{link}})` alone is a
 * button, `{{code}}` alone is shown large, `{{>text}}` alone is a quotation, which keeps its lines; the last paragraph is small print.
 * The frame is set before any value is filled in, so no value can add to it.
 */
export function layOut(source: string, language: Language, values: Values): MailContent {
  const [first = '', ...paragraphs] = source.trim().split(/\n{2,}/);
  const subject = fill(first, values, plain);
  const html = paragraphs.map((paragraph, at) => htmlOf(paragraph, { language, last: at === paragraphs.length - 1 }));
  return {
    subject,
    text: paragraphs.map((paragraph) => fill(paragraph.replace(link, '$1:\n{{$2}}'), values, plain)).join('\n\n'),
    html: fill(frame(language, html.join('\n')), { ...values, subject }, rich),
  };
}

function htmlOf(paragraph: string, { language, last }: { language: Language; last: boolean }): string {
  const [, label, address] = link.exec(paragraph) ?? [];
  if (label !== undefined) return `${button(label, address ?? '')}\n${copied(address ?? '', language)}`;
  if (code.test(paragraph)) return `<p style="font-size:32px;font-weight:600;letter-spacing:4px;color:#25418e">${paragraph}</p>`;
  if (quotation.test(paragraph)) return `<blockquote style="margin:0;padding-left:16px;border-left:4px solid #d6d6d6">${paragraph}</blockquote>`;
  return `<p${last ? ' style="color:#434343"' : ''}>${paragraph}</p>`;
}

function button(label: string, address: string): string {
  const style = 'display:inline-block;padding:12px 24px;background:#25418e;color:#ffffff;border-radius:4px;text-decoration:none';
  return `<p><a href="{{${address}}}" target="_blank" style="${style}">${label}</a></p>`;
}

function copied(address: string, language: Language): string {
  return `<p>${textOf('mail_copiar', language)}<br><a href="{{${address}}}" target="_blank" style="color:#25418e;word-break:break-all">{{${address}}}</a></p>`;
}

function frame(language: Language, content: string): string {
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>{{subject}}</title></head>
<body style="margin:0;padding:24px;background:#f4f6fa;color:#000000;font-family:'Open Sans',Arial,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px">
<h1 style="margin:0 0 16px;color:#25418e;font-size:24px">{{product}}</h1>
${content}
</div>
</body>
</html>
`;
}

/** A line break in a value is a blank, so that no value can add a line (or a subject) to a mail; the lines of a quotation are marked as such. */
function fill(template: string, values: Values, form: Form): string {
  return template.replace(/\{\{(>?)(\w+)\}\}/g, (whole, mark: string, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return mark === '' ? form.value(value.replace(/\s+/g, ' ')) : form.quotation(value.trim().split(/\r\n|[\n\r\u2028\u2029]/));
  });
}
