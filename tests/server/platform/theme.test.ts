import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../../../src/cli/project.ts';
import { readTheme, theme } from '../../../src/server/platform/base/theme.ts';

const css = readFileSync(join(root, 'src/brand/theme.css'), 'utf8');

describe('readTheme', () => {
  test('reads light and dark colours from theme.css', () => {
    expect(theme.light).toMatchObject({ bar: '#25418e', text: '#000000' });
    expect(theme.dark).toMatchObject({ text: '#f4f6fa', gold: theme.light.gold });
  });

  test('rejects a style sheet with a colour that is not #rrggbb', () => {
    expect(() => readTheme(css.replace('--gold: #daaa00', '--gold: gold'))).toThrow('must say --gold as #rrggbb');
  });
});

describe('brand of another country', () => {
  const copy = mkdtempSync(join(tmpdir(), 'brand-'));
  afterAll(() => rmSync(copy, { recursive: true }));

  test('colours mails, plain pages and the browser bar from its theme.css, and leaves none of our colours', async () => {
    for (const part of ['src/brand', 'src/contract', 'src/engine', 'src/server'])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const ours = [...new Set([...Object.values(theme.light), ...Object.values(theme.dark)])].filter(
      (color) => !['#ffffff', '#000000'].includes(color),
    );
    const other = ours.reduce((text, color) => text.replaceAll(color, mirrored(color)), css);
    writeFileSync(join(copy, 'src/brand/theme.css'), other);
    const load = (path: string) =>
      import(join(copy, 'src/server', path)) as Promise<Record<string, (...given: unknown[]) => unknown>>;
    const { renderMail } = await load('platform/mail/render-mail.ts');
    const { renderPlainPage } = await load('platform/http/html.ts');
    const { renderPage } = await load('web/pages/render-page.ts');
    const mail = renderMail?.('Asunto\n\n{{code}}\n\n[Abrir]({{link}})\n\n{{>cita}}\n\nFin', {
      language: 'es',
      values: { code: '1', link: 'l', cita: 'c' },
      authentic: 'a',
    }) as { html: string };
    const plain = renderPlainPage?.({ language: 'es', nonce: 'n', title: 't', text: 't', links: [] });
    const page = renderPage?.({
      template: readFileSync(join(root, 'src/portal/index.html'), 'utf8'),
      nonce: 'n',
      title: 't',
      description: 'd',
      page: { language: 'es' },
      prerendered: { html: '', styles: '', isWhole: false },
      styles: [],
      fonts: [],
      preload: [],
    });
    const drawn = [mail.html, plain, page].join('\n');
    for (const color of ours) expect(drawn).not.toContain(color);
    for (const color of [theme.light.bar, theme.light.link, theme.dark.link, theme.light.gold])
      expect(drawn).toContain(mirrored(color));
  });

  function mirrored(color: string): string {
    return `#${[...color.slice(1)].reverse().join('')}`;
  }
});
