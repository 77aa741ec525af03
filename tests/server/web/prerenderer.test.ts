import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { noncePlaceholder, type Prerender } from '../../../src/contract/prerender.ts';
import { startFakeServer } from '../support/fake-server.ts';

describe('[INI+PINTURA] what a page shows before its script runs', () => {
  const prerenderOnce = () =>
    vi.fn<Prerender>(async ({ path, search }) => ({
      html: `<h1>${path}${search}</h1>`,
      styles: `<style nonce="${noncePlaceholder}">.a{}</style>`,
      title: `${path} - Usuario`,
      isWhole: false,
    }));

  test('stands before the place of the portal, with its title and fonts', async () => {
    const { http } = await startFakeServer({ prerender: prerenderOnce() });
    const { body } = await http.inject('/registro');
    expect(body).toMatch(/<div id="prerendered" data-modules="[^"]+"><h1>\/registro<\/h1><\/div>\n<div id="root">/);
    expect(body).toContain('<title>/registro - Usuario</title>');
    expect(body).toContain('<link rel="preload" as="font" type="font/woff2" href="/assets/a.woff2" crossorigin>');
  });

  test('a form brings the styles that it is drawn with, its own and those of its files, by the nonce of the response', async () => {
    const { http } = await startFakeServer({ prerender: prerenderOnce() });
    const { body, headers } = await http.inject('/registro');
    const [, nonce] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? [];
    expect(body).toContain(`<style nonce="${nonce}">.form{}</style>\n<style nonce="${nonce}">.a{}</style>`);
  });

  test('is prerendered from the flow and the texts of its screens', async () => {
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
    { urls: ['/registro?uuid=1', '/registro?uuid=1'], times: 2, note: 'a query, which anyone can make up' },
    { urls: ['/nada', '/nada'], times: 2, note: 'an unknown address' },
  ])('is prerendered $times times for $note', async ({ urls, times }) => {
    const prerender = prerenderOnce();
    const { http } = await startFakeServer({ prerender });
    for (const url of urls) await http.inject(url);
    expect(prerender).toHaveBeenCalledTimes(times);
  });

  test('[DESK-01] is prerendered apart for citizens and for the way into the desk on a host of its own', async () => {
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

  test('is kept without the nonce: each response has its own, in its policy and in its page', async () => {
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
    { isWhole: true, mark: ' data-whole', note: 'a whole page names the modules that it may need' },
    { isWhole: false, mark: '', note: 'any other those that it loads once it is on view' },
  ])('[INI+PINTURA] $note', async ({ isWhole, mark }) => {
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

  test('is prerendered anew when the data changes', async () => {
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

  test('is left out where it fails: the page works all the same, and the log says why', async () => {
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

  test('does not grow without end', async () => {
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
