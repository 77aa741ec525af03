import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../../src/cli/project.ts';
import { parseBrandTheme, brandTheme } from '../../../src/server/platform/base/theme.ts';

const css = readFileSync(join(projectRoot, 'src/brand/theme.css'), 'utf8');

describe('readTheme', () => {
  test('reads light and dark colours from theme.css', () => {
    expect(brandTheme.light).toMatchObject({ bar: '#25418e', text: '#000000' });
    expect(brandTheme.dark).toMatchObject({ text: '#f4f6fa', gold: brandTheme.light.gold });
  });

  test('rejects a style sheet with a colour that is not #rrggbb', () => {
    expect(() => parseBrandTheme(css.replace('--gold: #daaa00', '--gold: gold'))).toThrow('must say --gold as #rrggbb');
  });
});

describe('brand of another country', () => {
  const copy = mkdtempSync(join(tmpdir(), 'brand-'));
  afterAll(() => rmSync(copy, { recursive: true }));

  test('colours mails, plain pages and the browser bar from its theme.css, and leaves none of our colours', async () => {
    for (const part of ['src/brand', 'src/contract', 'src/engine', 'src/server'])
      cpSync(join(projectRoot, part), join(copy, part), { recursive: true });
    symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
    const ours = [...new Set([...Object.values(brandTheme.light), ...Object.values(brandTheme.dark)])].filter(
      (color) => !['#ffffff', '#000000'].includes(color),
    );
    const other = ours.reduce((text, color) => text.replaceAll(color, mirrored(color)), css);
    writeFileSync(join(copy, 'src/brand/theme.css'), other);
    const load = (path: string) =>
      import(join(copy, 'src/server', path)) as Promise<Record<string, (...given: unknown[]) => unknown>>;
    const { renderMail } = await load('platform/mail/render-mail.ts');
    const { renderPlainPage } = await load('platform/http/plain-page.ts');
    const { renderPage } = await load('web/pages/render-page.ts');
    const mail = renderMail?.('Asunto\n\n{{code}}\n\n[Abrir]({{link}})\n\n{{>cita}}\n\nFin', {
      language: 'es',
      values: { code: '1', link: 'l', cita: 'c' },
      authentic: 'a',
    }) as { html: string };
    const plain = renderPlainPage?.({ language: 'es', nonce: 'n', title: 't', text: 't', links: [] });
    const page = renderPage?.({
      template: readFileSync(join(projectRoot, 'src/portal/index.html'), 'utf8'),
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
    for (const color of [brandTheme.light.bar, brandTheme.light.link, brandTheme.dark.link, brandTheme.light.gold])
      expect(drawn).toContain(mirrored(color));
  });

  function mirrored(color: string): string {
    return `#${[...color.slice(1)].reverse().join('')}`;
  }
});
