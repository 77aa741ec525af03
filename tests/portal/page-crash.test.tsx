// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { PageShell } from '../../src/portal/shell/page-shell.tsx';
import { openPortal, createPage } from './support/sample-page.ts';

beforeEach(() => {
  vi.stubGlobal('reportError', vi.fn());
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(cleanup);

/** A page that throws while it renders at one path. */
function Page() {
  const { pathname } = useLocation();
  if (pathname === '/rota') throw new Error('broken');
  return <p>Bien: {pathname}</p>;
}

test('[ANA-02] Shell shows an error for a page that throws while rendering, and draws the next page', async () => {
  const portal = openPortal(createPage({ id: 'main', initial: 'a', states: { a: { path: '/', block: 'a' } } }));
  const router = createMemoryRouter(
    [
      {
        path: '*',
        element: (
          <PageShell chrome="none">
            <Page />
          </PageShell>
        ),
      },
    ],
    { initialEntries: ['/rota'] },
  );
  render(
    <PortalProviders portal={portal}>
      <RouterProvider router={router} />
    </PortalProviders>,
  );
  expect(screen.getByText(portal.t('crashed'))).toBeTruthy();
  await act(() => router.navigate('/sana'));
  expect([screen.queryByText('Bien: /sana') !== null, screen.queryByText(portal.t('crashed'))]).toEqual([true, null]);
  await act(() => router.navigate(-1));
  expect(screen.getByText(portal.t('crashed')), 'the page still fails').toBeTruthy();
});
