// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { setUpPortalPage } from '../../src/portal/set-up-portal-page.ts';

vi.mock('../../src/portal/navigation/read-page-data.ts', () => ({
  readPageData: () => ({ time: Date.now(), config: { brand: { product: 'Usuario digital' } } }),
}));
let followed: boolean;
beforeAll(() => {
  setUpPortalPage();
  addEventListener('click', (event) => {
    followed = !event.defaultPrevented;
    event.preventDefault(); // prevents the navigation in happy-dom
  });
});
afterEach(() => document.body.replaceChildren());

/** Clicks a link. Returns whether the browser would follow it. */
function click(href: string, parent: Element = document.body): boolean {
  const link = document.createElement('a');
  Object.assign(link, { href, target: '_blank' });
  parent.append(link);
  link.click();
  return followed;
}
const shown = () => vi.waitFor(() => document.querySelector('dialog') ?? expect.fail('no dialog'));

test.each([
  ['es', 'Vas a salir de Usuario digital', 'www.gub.uy', 'Ir al sitio'],
  ['pt', 'Você vai sair de Usuario digital', 'www.gub.uy', 'Ir ao site'],
])(
  '[ASVS-3.7.3] a link to another site asks for confirmation in %s before it is followed',
  async (language, title, host, go) => {
    document.documentElement.lang = language;
    expect(click('https://www.gub.uy/x?y=1')).toBe(false);
    const dialog = await shown();
    expect(dialog.querySelector('h2')?.textContent).toBe(title);
    expect(dialog.querySelector('p')?.textContent).toContain(host);
    const link = dialog.querySelector('a') ?? expect.fail('no link');
    expect([link.textContent, link.href, link.target, link.rel]).toEqual([
      go,
      'https://www.gub.uy/x?y=1',
      '_blank',
      'noopener noreferrer',
    ]);
    link.click();
    expect(followed).toBe(true);
    expect(document.querySelector('dialog')).toBeNull();
  },
);

test('[ASVS-3.7.3] cancelling the confirmation of an external link closes the dialog', async () => {
  click('https://www.gub.uy/');
  (await shown()).querySelector('button')?.click();
  expect(document.querySelector('dialog')).toBeNull();
});

test.each(['/ayuda', `${location.origin}/login`, 'mailto:a@example.uy', 'tel:08001234', '#contenido'])(
  '[ASVS-3.7.3] a link to %s is followed without confirmation',
  (href) => {
    expect(click(href)).toBe(true);
    expect(document.querySelector('dialog')).toBeNull();
  },
);
