// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { MarkdownContent } from '../../src/portal/shell/markdown.tsx';
import { openPortal, createPage } from './support/sample-page.ts';

const flow = {
  id: 'ayuda',
  initial: 'lista',
  states: { lista: { path: '/ayuda', access: 'anyone', block: 'faq-list' } },
} as const;

function draw(text: string, at: string): void {
  render(
    <MemoryRouter initialEntries={[at]}>
      <PortalProviders portal={openPortal(createPage(flow))}>
        <MarkdownContent>{text}</MarkdownContent>
      </PortalProviders>
    </MemoryRouter>,
  );
}

afterEach(cleanup);

test.each(['#%', '#%E0%A4', '#uno%2'])('Markdown is drawn at an address with the malformed fragment %s', (hash) => {
  draw('## Uno\n\nTexto.', `/ayuda/a${hash}`);
  expect(screen.getByText('Texto.')).toBeDefined();
});

test('Markdown keeps a link with malformed percent-encoding as it is', () => {
  draw('[dentro](/ayuda/%E0%A4)', '/ayuda/a');
  expect(screen.getByRole('link', { name: 'dentro' }).getAttribute('href')).toMatch(/^\/ayuda\/%/);
});

test.each(['https:evil', 'https:///evil', 'https://', 'https://a@evil.example', '//evil', 'javascript:x'])(
  'Markdown draws a link to %s without a target',
  (to) => {
    draw(`[fuera](${to})`, '/ayuda/a');
    expect(screen.queryByText('fuera')?.getAttribute('href') ?? '').toBe('');
  },
);
