import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { noncePlaceholder, type PrerenderPage } from '../../../src/contract/prerendered-page.ts';
import { startFakeServer } from '../support/fake-server.ts';

describe('[INI+PINTURA] prerendered page', () => {
  const prerenderOnce = () =>
    vi.fn<PrerenderPage>(async ({ path, search }) => ({
      html: `<h1>${path}${search}</h1>`,
      styles: `<style nonce="${noncePlaceholder}">.a{}</style>`,
      title: `${path} - Usuario`,
      isWhole: false,
    }));

  test('has its content before the root element of the portal, with its title and fonts', async () => {
    const { http } = await startFakeServer({ prerender: prerenderOnce() });
    const { body } = await http.inject('/registro');
    expect(body).toMatch(/<div id="prerendered" data-modules="[^"]+"><h1>\/registro<\/h1><\/div>\n<div id="root">/);
    expect(body).toContain('<title>/registro - Usuario</title>');
    expect(body).toContain('<link rel="preload" as="font" type="font/woff2" href="/assets/a.woff2" crossorigin>');
  });

  test('has the styles of its form and of its files, with the nonce of the response', async () => {
    const { http } = await startFakeServer({ prerender: prerenderOnce() });
    const { body, headers } = await http.inject('/registro');
    const [, nonce] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? [];
    expect(body).toContain(`<style nonce="${nonce}">.form{}</style>\n<style nonce="${nonce}">.a{}</style>`);
  });

  test('is rendered from the flow and the screens in its language', async () => {
    const prerender = prerenderOnce();
    const { http } = await startFakeServer({ prerender });
    await http.inject('/registro?lang=pt&uuid=1');
    const parts = prerender.mock.calls[0]?.[0];
    expect(parts).toMatchObject({
      path: '/registro',
      search: '?lang=pt&uuid=1',
      flow: { id: 'registro' },
      page: { language: 'pt' },
    });
    expect(parts?.screen('registro')).toMatchObject({ screen: { id: 'registro', language: 'pt' } });
  });

  test.each([
    { urls: ['/registro', '/registro', '/registro/'], times: 1, note: 'one address' },
    { urls: ['/registro', '/registro?lang=pt'], times: 2, note: 'two languages' },
    { urls: ['/registro?uuid=1', '/registro?uuid=1'], times: 2, note: 'the same address with a query' },
    { urls: ['/nada', '/nada'], times: 2, note: 'an unknown address' },
  ])('is rendered $times times for $note', async ({ urls, times }) => {
    const prerender = prerenderOnce();
    const { http } = await startFakeServer({ prerender });
    for (const url of urls) await http.inject(url);
    expect(prerender).toHaveBeenCalledTimes(times);
  });

  test('[DESK-01] is rendered separately for citizens and for the sign-in on the desk host', async () => {
    const prerender = prerenderOnce();
    const { http } = await startFakeServer({
      prerender,
      env: { AGENTS_HOST: 'http://agentes.localhost:3000' },
      routes: [
        { path: '/login', flow: 'login', state: 'entrada', screen: 'registro', access: 'anyone', chrome: 'full' },
      ],
    });
    for (const host of ['localhost:3000', 'agentes.localhost:3000', 'agentes.localhost:3000'])
      expect((await http.inject({ url: '/login', headers: { host } })).statusCode).toBe(200);
    const shown = prerender.mock.calls.map(([{ page }]) => page.manifest.routes.map(({ path }) => path));
    expect(shown).toHaveLength(2);
    expect(shown[0]).toContain('/registro');
    expect(shown[1]).not.toContain('/registro');
  });

  test('is cached without the nonce, which is new in each response', async () => {
    const { http } = await startFakeServer({ prerender: prerenderOnce() });
    const seen = new Set<string>();
    for (let turn = 0; turn < 6; turn += 1) {
      const { headers, rawPayload } = await http.inject({ url: '/registro', headers: { 'accept-encoding': 'br' } });
      const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
      const body = brotliDecompressSync(rawPayload).toString();
      expect(body.match(/nonce="[^"]*"/g)?.every((attribute) => attribute === `nonce="${nonce}"`)).toBe(true);
      seen.add(nonce);
    }
    expect(seen.size).toBe(6);
  });

  test.each([
    { isWhole: true, mark: ' data-whole', note: 'a complete page' },
    { isWhole: false, mark: '', note: 'an incomplete page' },
  ])('[INI+PINTURA] has data-whole and speculation rules only if it is complete: $note', async ({ isWhole, mark }) => {
    const { http } = await startFakeServer({
      prerender: async () => ({ html: '<h1>x</h1>', styles: '', title: null, isWhole }),
    });
    for (const url of ['/registro', '/registro', '/registro?a=1']) {
      const { body, headers } = await http.inject(url);
      expect(
        /<div id="prerendered" data-modules="([^"]* )?\/assets\/start\.js[^"]*"( data-whole)?>/.exec(body)?.[2] ?? '',
      ).toBe(mark);
      expect(body).not.toContain('rel="modulepreload"');
      expect(headers['speculation-rules']).toBe(isWhole ? '"/assets/speculation-rules.json"' : undefined);
    }
  });

  test('is rendered again when its data change', async () => {
    const prerender = prerenderOnce();
    let title = 'Uno';
    const faq = () => ({
      id: 'a',
      slug: 'a',
      titulo: title,
      respuesta: '',
      categorias: { nombre: 'C' },
      faqs_relacionadas: [],
    });
    const { http } = await startFakeServer({
      prerender,
      handlers: { getFaqs: async () => ({ body: [{ nombre: 'C', faqs: [faq()] }] }) },
    });
    await http.inject('/ayuda/a');
    title = 'Dos';
    await http.inject('/ayuda/a');
    expect(prerender).toHaveBeenCalledTimes(2);
    expect(JSON.stringify(prerender.mock.calls[1]?.[0].page.data)).toContain('Dos');
  });

  test('is omitted if rendering fails, and the page works and the failure is logged', async () => {
    const { http, log } = await startFakeServer({
      prerender: async () => {
        throw new Error('no brush');
      },
    });
    const { statusCode, body } = await http.inject('/registro');
    expect(statusCode).toBe(200);
    expect(body).not.toContain('id="prerendered"');
    expect(body).toContain('<title>Usuario digital</title>');
    expect(log()).toContain('no brush');
  });

  test('leaves the cache when 500 other pages were rendered', async () => {
    const prerender = prerenderOnce();
    const faqs = { getFaqs: async () => ({ body: [] }) };
    const { http } = await startFakeServer({ prerender, handlers: faqs });
    await http.inject('/ayuda/primera');
    for (let count = 0; count < 500; count += 1) await http.inject(`/ayuda/p${count}`);
    prerender.mockClear();
    await http.inject('/ayuda/p499');
    expect(prerender).not.toHaveBeenCalled();
    await http.inject('/ayuda/primera');
    expect(prerender).toHaveBeenCalledTimes(1);
  });
});
