import { expect, test } from 'vitest';
import { createFailure } from '../domain/support/store.ts';
import { createSuccess, runFlow } from '../engine/support/run-flow.ts';
import { productDefinitions } from './support/product-definitions.ts';

test.each([
  { es_extranjero: true, rid_alto_sin_2do_factor: false },
  { es_extranjero: false, rid_alto_sin_2do_factor: true },
])(
  '[CONS-03] consent flow sends origin and level as the server returned them, for both decisions: %o',
  async (facts) => {
    const { flows } = await productDefinitions;
    for (const allow of [true, false]) {
      // The stored user contradicts the facts in the response. The flow must ignore it.
      const user = {
        documento: { pais_emisor: { codigo: facts.es_extranjero ? 'uy' : 'ar' } },
        rid: facts.rid_alto_sin_2do_factor ? 'Básico' : 'Alto',
        acr: 'urn:iduruguay:nid:1',
      };
      const running = runFlow(flows.autorizacion!, { screens: {}, facts: { user, authenticated: true } });
      await running.arrive('pedido', '?client_id=app&scope=openid&next=n');
      await running.calls[0]!.answer(createSuccess({ name: 'Trámites', ...facts }));
      void running.runner.raise('decide', { allow });
      expect(running.calls[1]).toMatchObject({
        call: 'giveConsent',
        input: { body: { client_id: 'app', next: 'n', allow, ...facts } },
      });
    }
  },
);

test.each([
  [
    'to the address of the error',
    createFailure({ status: 404, next: '/error?errorCode=SAML_ERROR' }),
    '/error?errorCode=SAML_ERROR',
  ],
  ['to the error page if it has no address', createFailure({ status: 404 }), '/error?errorCode=OIDC_ERROR'],
  [
    'nowhere and shows a notice if the server is unavailable',
    createFailure({ status: 503, error: 'Más tarde.' }),
    null,
  ],
])('[CONS-03] failed decision redirects %s', async (_, answer, address) => {
  const { flows } = await productDefinitions;
  const running = runFlow(flows.autorizacion!, { screens: {}, facts: { authenticated: true } });
  await running.arrive('pedido', '?client_id=app&scope=openid&next=n');
  await running.calls[0]!.answer(
    createSuccess({ name: 'Trámites', es_extranjero: false, rid_alto_sin_2do_factor: false }),
  );
  void running.runner.raise('decide', { allow: true });
  await running.calls[1]!.answer(answer);
  expect(running.left).toEqual(address === null ? [] : [address]);
  if (address === null) expect(running.runner.state.notice).toMatchObject({ text: 'Más tarde.' });
});

test('[CONS-01] consent flow redirects to the error page if the request has no identifier', async () => {
  const { flows } = await productDefinitions;
  const running = runFlow(flows.autorizacion!, { screens: {}, facts: { authenticated: true } });
  await running.arrive('pedido', '?client_id=app&scope=openid');
  expect([running.calls, running.left]).toEqual([[], ['/error?errorCode=OIDC_ERROR']]);
});
