// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPortalStore } from '../../src/domain/root-store.ts';
import type { Flow } from '../../src/engine/core/flow-and-screen-types.ts';
import { PortalApp } from '../../src/portal/portal-app.tsx';
import { citizen, fakeClient, createToken } from '../domain/support/store.ts';
import { openPortal, createPage } from './support/sample-page.ts';

const flow: Flow = {
  id: 'main',
  initial: 'guests',
  context: { minimalista: { from: 'query' } },
  states: {
    guests: {
      path: '/login',
      block: 'landing',
      access: 'guest',
      chrome: { if: [{ '==': [{ var: 'context.minimalista' }, 'True'] }, 'none', 'full'] },
    },
    logout: { path: '/logout-process', block: 'landing' },
    bare: { path: '/sola', block: 'landing', chrome: 'none' },
  },
};

async function open(address: string, { signedIn = false, agentsHost = '' } = {}) {
  if (signedIn)
    localStorage.setItem('portal', JSON.stringify({ token: createToken({ exp: Date.now() / 1000 + 600 }), flows: {} }));
  window.history.replaceState(null, '', address);
  const page = createPage(flow);
  const portal = openPortal({ ...page, config: { ...page.config, agentsHost } });
  const { client } = fakeClient({ getCitizen: { ok: true, result: citizen } });
  vi.spyOn(portal, 'store').mockResolvedValue(
    createPortalStore({ client, clock: () => new Date(), storage: localStorage }),
  );
  const leave = vi.spyOn(portal.navigation, 'leave').mockImplementation(() => undefined);
  render(<PortalApp portal={portal} />);
  const atOnce = screen.queryByRole('banner') !== null;
  await vi.waitFor(() => {
    if (screen.queryByRole('heading', { level: 1 }) === null && leave.mock.calls.length === 0)
      throw new Error('nothing happens');
  });
  await act(async () => undefined);
  return {
    header: [atOnce, screen.queryByRole('banner') !== null],
    search: window.location.search,
    left: leave.mock.calls.flat(),
  };
}

beforeEach(() => localStorage.clear());
afterEach(cleanup);

describe('[INI-04 LOG-01] portal header', () => {
  test.each([
    ['is shown by default', '/login', true],
    ['is hidden with minimalista=True, even after the query has left the address', '/login?minimalista=True', false],
    ['is shown with another value of minimalista', '/login?minimalista=1', true],
    ['is hidden if the state sets chrome to none', '/sola', false],
  ])('%s', async (_, address, header) => {
    expect(await open(address)).toEqual({ header: [header, header], search: '', left: [] });
  });
});

test('[RUTA-11 LOG-01] the sign-in page redirects a signed-in citizen to `redirectUrl`, or home if it is another site', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  localStorage.setItem('portal', JSON.stringify({ token: createToken({ exp: Date.now() / 1000 + 600 }), flows: {} }));
  for (const target of ['https://evil.example/', '//evil.example', '/agentes']) {
    window.history.replaceState(null, '', `/login?redirectUrl=${encodeURIComponent(target)}`);
    render(<PortalApp portal={openPortal(createPage(flow))} />);
    await act(async () => undefined);
    cleanup();
  }
  expect(assign.mock.calls).toEqual([['/'], ['/'], ['/agentes']]);
});

describe('[RUTA-11 RUTA-12] redirect from a page for guests', () => {
  const agentsHost = 'https://agentes.uy/inicio';

  test.each([
    ['sends a citizen to the home page', '/login', { signedIn: true, agentsHost }, ['/']],
    ['sends an agent to the host of the desk', '/login?agnt=1', { signedIn: true, agentsHost }, [agentsHost]],
    ['sends an agent to the home page without a desk host', '/login?agnt=1', { signedIn: true }, ['/']],
    ['sends a citizen to redirectUrl', '/login?redirectUrl=/sola%3Fa%3D1', { signedIn: true }, ['/sola?a=1']],
    [
      'sends an agent to redirectUrl',
      '/login?agnt=1&redirectUrl=/agentes',
      { signedIn: true, agentsHost },
      ['/agentes'],
    ],
    [
      'ignores a redirectUrl that is a sign-in page',
      '/login?redirectUrl=/login%3FredirectUrl%3D/sola',
      { signedIn: true },
      ['/'],
    ],
    ['does not happen without a session, even with redirectUrl', '/login?redirectUrl=/sola', {}, []],
    ['does not happen without a session', '/login?agnt=1', { agentsHost }, []],
    [
      'does not happen if an application requests the sign-in',
      '/login?process_state=abc',
      { signedIn: true, agentsHost },
      [],
    ],
    [
      'goes through the logout with forceLogin',
      '/login?forceLogin=True&agnt=1',
      { signedIn: true, agentsHost },
      ['/logout-process?redirect_uri=%2Flogin%3Fagnt%3D1'],
    ],
    [
      'goes through the logout with forceLogin and no session',
      '/login?forceLogin=True',
      {},
      ['/logout-process?redirect_uri=%2Flogin'],
    ],
    [
      'goes through the logout from any page with forceLogin',
      '/sola?forceLogin=True',
      { signedIn: true },
      ['/logout-process?redirect_uri=%2Flogin%3FredirectUrl%3D%252Fsola'],
    ],
    ['does not happen on the logout page', '/logout-process?forceLogin=True', {}, []],
  ])('%s', async (_, address, who, left) => {
    expect((await open(address, who)).left).toEqual(left);
  });
});
