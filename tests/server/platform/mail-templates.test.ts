import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { mailTemplates } from '../../../src/server/app/server-modules.ts';
import { renderNoticeMail } from '../../../src/server/trust/notices/database-commands.ts';
import { loadMailTemplates } from '../../../src/server/platform/mail/load-mail-templates.ts';

const templates = await loadMailTemplates(mailTemplates, 'https://a.example');
const told = {
  product: 'Usuario digital',
  name: 'Ana',
  when: 'hoy',
  support: 's@example.com',
  undo: 'https://a.example/no-fui-yo',
  days: '10',
  device: 'Firefox',
  network: '192.0.2.0',
};
const call = {
  product: 'Usuario digital',
  call: 'de soporte',
  when: 'hoy',
  minutes: '30',
  expires: 'mañana',
  book: 'https://a.example/reservar',
  confirm: 'https://a.example/confirmar',
  cancel: 'https://a.example/cancelar',
  enter: 'https://a.example/entrar',
  accept: '',
  account: '',
  reason: '',
  support: 's@example.com',
};

test.each([
  ['es', 'deshacemos ese cambio', 'deshacemos los cambios de tu cuenta que se hayan hecho desde entonces'],
  ['pt', 'desfazemos essa alteração', 'desfazemos as alterações da sua conta que tenham sido feitas desde então'],
] as const)(
  'sign-in notice promises to undo later changes, and a change notice promises to undo the change (%s)',
  (language, own, since) => {
    const signIn = renderNoticeMail(templates, 'new-device', language, told);
    const change = renderNoticeMail(templates, 'phone-changed', language, told);
    expect([signIn.text.includes(own), signIn.text.includes(since)]).toEqual([false, true]);
    expect([change.text.includes(own), change.text.includes(since)]).toEqual([true, false]);
  },
);

test('mail shows the URL of its button in small print below all other links', () => {
  const { html } = templates.renderTemplate('call-reserved', 'es', call);
  const small = html.lastIndexOf('class="small"', html.lastIndexOf('>https://a.example/confirmar<'));
  expect(html.indexOf('class="button"')).toBeLessThan(html.indexOf('https://a.example/cancelar'));
  expect(html.indexOf('https://a.example/cancelar')).toBeLessThan(small);
  expect(html.slice(small).match(/class="small"/g)?.length).toBeLessThanOrEqual(2); // the button URL, and the line about authentic mails in the frame
});

test.each(['call-reserved', 'call-booked', 'call-reminder'] as const)(
  '[AGEN-06] %s mail shows the day and hour large, in a line of its own',
  (name) => {
    const { html, text } = templates.renderTemplate(name, 'es', call);
    expect(html).toMatch(/<p style="[^"]*font-weight:600">hoy<\/p>/);
    expect(text).toContain('\n\nhoy\n\n');
  },
);

test('the support mailbox is a link in the HTML of a mail', () => {
  const { html, text } = renderNoticeMail(templates, 'phone-changed', 'es', told);
  expect(html).toMatch(/<a href="mailto:s@example\.com"[^>]*>s@example\.com<\/a>/);
  expect(text).not.toContain('mailto:');
});

test.each(Object.keys(mailTemplates) as (keyof typeof mailTemplates)[])(
  '%s says only once that its times are the official ones of Uruguay',
  async (name) => {
    for (const language of ['es', 'pt'] as const) {
      const source = await readFile(mailTemplates[name].file(language), 'utf8');
      expect(source.match(/hora oficial/g)?.length ?? 0, language).toBeLessThanOrEqual(1);
    }
  },
);

test('the answer of an agent keeps its lines', () => {
  const values = {
    product: 'Usuario digital',
    subject: 'Otro',
    answer: 'Hola, Ana:\n\nYa podés entrar.',
    support: 's@example.com',
  };
  const { html, text } = templates.renderTemplate('contact-answer', 'es', values);
  expect(html).toContain('Hola, Ana:<br><br>Ya podés entrar.');
  expect(text).toContain('> Hola, Ana:\n> \n> Ya podés entrar.');
});

test.each(Object.keys(mailTemplates) as (keyof typeof mailTemplates)[])(
  '%s ends in small print, not in its message',
  async (name) => {
    for (const language of ['es', 'pt'] as const) {
      const source = await readFile(mailTemplates[name].file(language), 'utf8');
      const [, ...paragraphs] = source.trim().split(/\n{2,}/);
      expect(paragraphs.length, language).toBeGreaterThan(2);
    }
  },
);

test.each(['call-reserved', 'call-booked', 'call-reminder'] as const)(
  '[AGEN-06] %s mail has one button, and cancels by a plain link',
  (name) => {
    const { html, text } = templates.renderTemplate(name, 'es', call);
    expect(html.match(/class="button"/g)).toHaveLength(1);
    expect(html).toMatch(/<a href="https:\/\/a\.example\/cancelar"[^>]*class="accent"/);
    expect(html).not.toMatch(/<a href="https:\/\/a\.example\/cancelar"[^>]*class="button"/);
    expect(text).toContain('https://a.example/cancelar');
  },
);
