import { featureFlagDefaults } from '../../../src/contract/feature-flags.ts';
import type { EmbeddedPageData } from '../../../src/contract/page-data.ts';
import type { Flow } from '../../../src/engine/core/flow-and-screen-types.ts';
import type { PageRoute } from '../../../src/engine/core/definitions-manifest.ts';
import { Portal } from '../../../src/portal/portal.ts';
import esAccount from '../../../schemas/_shared/texts/account.json';
import es from '../../../schemas/_shared/texts/portal.json';
import ptAccount from '../../../schemas/_shared/texts/account.pt.json';
import pt from '../../../schemas/_shared/texts/portal.pt.json';

/** Creates a page of the portal with one flow, and with a route for each state that has a path. */
export function createPage(flow: Flow, change: Partial<EmbeddedPageData> = {}): EmbeddedPageData {
  const routes = Object.entries(flow.states).flatMap(
    ([state, { path, screen, block, access = 'anyone', permissions, chrome = 'none', load }]): PageRoute[] =>
      path === undefined
        ? []
        : [
            {
              path,
              flow: flow.id,
              state,
              access,
              chrome,
              ...(screen ? { screen } : {}),
              ...(block ? { block } : {}),
              ...(load ? { load } : {}),
              ...(permissions ? { permissions } : {}),
            },
          ],
  );
  return {
    language: 'es',
    time: '2026-03-02T15:00:00.000Z',
    config: {
      hosts: { backend: '', broker: '' },
      flags: featureFlagDefaults,
      brand: { product: 'Usuario', country: 'Uruguay', domain: 'usuario.example', institution: { name: '', url: '' } },
      supportMailbox: '',
      contactAnswerDays: 7,
      inPerson: { url: '', address: '', hours: '' },
      identityProviders: false,
      digitalSignature: true,
      wallet: false,
      advancedLevel: true,
      sessionIdleS: 1800,
      passwordPolicy: null,
      agentsHost: '',
      redirectOrigins: [],
    },
    manifest: {
      version: '1',
      languages: ['es'],
      screens: {},
      flows: { [flow.id]: `data:text/javascript,export const flow = ${encodeURIComponent(JSON.stringify(flow))}` },
      routes,
    },
    data: {},
    ...change,
  };
}

/** Creates the portal of a page, with the storage of the browser. */
export function openPortal(page: EmbeddedPageData): Portal {
  return new Portal(page, page.language === 'pt' ? { ...pt, ...ptAccount } : { ...es, ...esAccount });
}
