import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { EmbeddedPageData } from '../../src/contract/page-data.ts';
import type { Flow, ScreenUi } from '../../src/engine/core/flow-and-screen-types.ts';
import type { ScreenModule } from '../../src/engine/core/compiled-screen.ts';
import { prerender } from '../../src/portal/prerender/prerender.tsx';
import { createPage } from './support/sample-page.ts';

const flow: Flow = {
  id: 'main',
  initial: 'portada',
  context: { slug: { from: 'path' }, codigo: { from: 'query' } },
  states: {
    portada: { path: '/', block: 'landing', chrome: 'full' },
    lista: { path: '/ayuda', block: 'faq-list', source: { operation: 'getFaqs' } },
    pregunta: {
      path: '/ayuda/:slug',
      block: 'faq-detail',
      source: { operation: 'getFaqs', params: { slug: { var: 'context.slug' } } },
    },
    pagina: {
      path: '/acerca-de',
      block: 'static-page',
      source: { operation: 'getStaticPage', params: { page: 'acerca-de' } },
    },
    formulario: { path: '/registro', screen: 'registro' },
    guardado: {
      path: '/registro/exito',
      screen: 'exito',
      requires: { guard: { var: 'context.hecho' }, else: 'formulario' },
    },
    activar: {
      path: '/activar',
      requires: { guard: { var: 'context.codigo' }, else: 'formulario' },
      invoke: { src: 'activate', onDone: [{ target: 'guardado' }], onError: [] },
    },
    seguridad: { path: '/seguridad', block: 'security-overview', access: 'account' },
    salir: { path: '/salir', always: [{ leave: '/otra' }] },
    avisos: { path: '/avisos', screen: 'avisos' },
    conservar: {
      path: '/conservar',
      screen: 'conservado',
      invoke: { src: 'find', onDone: [], onError: [{ leave: '/' }] },
    },
  },
};

/** Texts of a screen, and its number of fields. */
interface ScreenTexts {
  readonly ui: ScreenUi;
  readonly fields: number;
}

/** Creates a compiled screen with text fields. */
function createModule(id: string, { ui, fields: count }: ScreenTexts): ScreenModule {
  const letters = [...'abcdefghi'].slice(0, count);
  const fields = letters.map((name) => ({
    name,
    schema: { type: 'string' },
    required: true,
    secret: false,
    dependents: [],
    formRules: [],
  }));
  const none = { formRules: [], messages: {}, texts: {}, rulePlugins: [], standardFormats: false };
  return { screen: { id, language: 'es', version: '1', ui, fields, ...none }, validators: () => ({}) };
}

const screens: Readonly<Record<string, ScreenTexts>> = {
  registro: {
    ui: {
      title: 'Registrate en {product}',
      intro: [
        { text: 'Completá tus datos.' },
        { text: 'Ya estás.', visible: { var: 'authenticated' } },
        { text: 'Hola {nombre}.' },
      ],
      links: [
        { to: '/login', text: 'Ingresá' },
        { event: 'otro', text: 'Otro documento' },
        { to: '/a/{nombre}', text: 'Para {nombre}' },
        { to: '/c/{nombre}', text: 'Lejos' },
        { to: '/b', text: 'Escondido', visible: { var: 'authenticated' } },
      ],
    },
    fields: 9,
  },
  exito: { ui: { title: 'Listo' }, fields: 0 },
  conservado: { ui: { title: 'Tu cuenta se va a cerrar' }, fields: 0 },
  avisos: { ui: { title: 'Para {nombre}' }, fields: 0 },
};

const faq = {
  id: 'a',
  slug: 'a',
  titulo: '¿Cómo <b>hago</b>?',
  respuesta: '**Así** [dentro](/login)\n\n<script>1</script>',
  categorias: { nombre: 'C' },
  faqs_relacionadas: [],
};
const data = {
  getFaqs: [{ nombre: 'Uno', faqs: [faq] }],
  'getFaqs?slug=a': [{ nombre: 'Uno', faqs: [faq] }],
  'getStaticPage?page=acerca-de': {
    titulo: 'Acerca de',
    resumen: 'Qué es.',
    contenido: '## Parte\n\nTexto.',
    disposicion: 'tarjeta',
    actualizada: null,
  },
} as unknown as EmbeddedPageData['data']; // a partial fake: the pages read only these properties of the response

interface PrerenderRequest {
  readonly search?: string;
  readonly change?: Partial<EmbeddedPageData>;
  /** Screen to render in place of the default registration screen. */
  readonly sectioned?: ScreenTexts;
}

const prerenderAt = (path: string, { search = '', change = {}, sectioned }: PrerenderRequest = {}) =>
  prerender({
    page: createPage(flow, { data, ...change }),
    path,
    search,
    flow,
    screen: (id) =>
      createModule(id, (id === 'registro' && sectioned) || (screens[id] ?? { ui: { title: '' }, fields: 0 })),
  });

describe('[INI+PINTURA] prerender', () => {
  const asked = vi.fn();
  beforeEach(() => void vi.stubGlobal('fetch', asked));

  test.each([
    {
      path: '/',
      title: 'Elegí la forma de identificarte digitalmente - Usuario',
      texts: ['Qué podés hacer', 'href="/login"'],
      note: 'the landing page',
    },
    {
      path: '/ayuda',
      title: 'Preguntas frecuentes - Usuario',
      texts: ['<h2', 'href="/ayuda/a"', 'disabled=""'],
      note: 'the questions',
    },
    {
      path: '/ayuda/a',
      title: '¿Cómo <b>hago</b>? - Usuario',
      texts: ['<strong>Así</strong>', '¿Cómo &lt;b&gt;hago&lt;/b&gt;?', 'href="/login"'],
      note: 'an answer',
    },
    { path: '/acerca-de', title: 'Acerca de - Usuario', texts: ['Qué es.', 'Texto.'], note: 'a static page' },
  ])('draws $note completely', async ({ path, title, texts }) => {
    const prerendered = await prerenderAt(path);
    expect(prerendered.title).toBe(title);
    for (const text of texts) expect(prerendered.html).toContain(text);
    expect(prerendered.html).not.toMatch(/<script|style=|screen-waiting/);
    expect(prerendered.isWhole).toBe(true);
  });

  test('draws the links of a form that work without a script, and reserves space for the others', async () => {
    const { html } = await prerenderAt('/registro');
    const links = /<ul class="screen-links">(.*?)<\/ul>/.exec(html)?.[1];
    expect(links).toContain('href="/login"');
    expect(links).toContain('<span class="link-place">Otro documento</span>');
    expect(links).toContain('<span class="link-place">Lejos</span>');
    expect(links?.match(/<li>/g)).toHaveLength(3);
  });

  test('draws nothing of a screen whose call may redirect', async () => {
    const { html, title } = await prerenderAt('/conservar');
    expect(title).toBeNull();
    expect(html).not.toContain('Tu cuenta se va a cerrar');
  });

  test('draws a form whose texts are known with its fields, inert until the script starts', async () => {
    const ui: ScreenUi = {
      title: 'Ingresá',
      links: [{ event: 'otro', text: 'Otro documento' }],
      fields: { a: { 'ui:title': 'Documento', 'ui:autocomplete': 'username' } },
    };
    const { html, styles, title, isWhole } = await prerenderAt('/registro', { sectioned: { ui, fields: 1 } });
    expect([title, isWhole]).toEqual(['Ingresá - Usuario', false]);
    expect(html).toMatch(
      /<form inert="" autocomplete="off"[^>]*>.*<label[^>]*>Documento<\/label>.*<input[^>]* name="a"/,
    );
    expect(html).toContain('<noscript>');
    expect(html).toContain('>Otro documento</button>');
    expect([...html.matchAll(/autocomplete="([^"]*)"/gi)].map(([, word]) => word)).not.toContain('username');
    expect(html).not.toMatch(/screen-waiting|style=/);
    expect(styles).toMatch(/^<style /);
    expect(styles.match(/<style/g)).toHaveLength(styles.match(/nonce="__NONCE__"/g)?.length ?? 0);
  });

  test('draws a form again for another query', async () => {
    const ui: ScreenUi = {
      title: 'Ingresá',
      intro: 'Con el código {codigo}.',
      fields: { a: { 'ui:title': 'Documento' } },
    };
    const pages = [];
    for (const search of ['?codigo=uno&slug=x', '?codigo=dos', '?codigo=uno&otra=1'])
      pages.push(await prerenderAt('/registro', { search, sectioned: { ui, fields: 1 } }));
    expect(pages.map(({ html }) => /Con el código (\w+)/.exec(html)?.[1])).toEqual(['uno', 'dos', 'uno']);
    expect(pages[2]?.html).toContain('href="/registro?codigo=uno&amp;otra=1"');
  });

  test('draws heading, known texts and field placeholders of a form if one text needs a value', async () => {
    const { html, title } = await prerenderAt('/registro');
    expect(title).toBe('Registrate en Usuario - Usuario');
    expect(html).toContain('<h1>Registrate en Usuario</h1><p class="screen-intro">Completá tus datos.</p>');
    expect(html).not.toMatch(/Ya estás|Hola|<input/);
    expect(html.match(/skeleton-field/g)).toHaveLength(5);
    expect(html).toContain('screen-waiting');
    expect(html).toContain('<noscript>');
  });

  test('draws the field placeholders under the titles of the sections that are visible at first', async () => {
    const { ui } = screens.registro!;
    const sections = [
      { title: 'Tus datos', fields: ['a', 'b', 'c'] },
      { title: 'Escondida', fields: ['d'], visible: { var: 'form.a' } },
      { title: 'Para {nombre}', fields: ['e'] },
      { title: 'Tu acceso', fields: ['f', 'g', 'h'] },
      { title: 'Lo demás', fields: ['i'] },
    ];
    const { html } = await prerenderAt('/registro', { sectioned: { ui: { ...ui, sections }, fields: 9 } });
    const drawn = [...html.matchAll(/<p class="section-place">(.*?)<\/p>|skeleton-field/g)].map(([, title]) => title);
    expect(drawn).toEqual(['Tus datos', undefined, undefined, undefined, 'Tu acceso', undefined, undefined]);
  });

  test.each([
    { path: '/registro/exito', title: 'Registrate en Usuario - Usuario', note: 'the target of the guards' },
    {
      path: '/activar',
      title: 'Registrate en Usuario - Usuario',
      note: 'the target of the guards without a query variable',
    },
    { path: '/activar', search: '?codigo=1', title: null, note: 'nothing that depends on a call' },
    { path: '/seguridad', title: null, note: 'nothing of the citizen' },
    { path: '/salir', title: null, note: 'nothing of a redirect' },
    { path: '/avisos', title: null, note: 'no title that needs a value' },
    {
      path: '/ayuda/nada',
      title: 'Preguntas frecuentes - Usuario',
      note: 'the list instead of an answer without data',
    },
    { path: '/desconocida', title: null, note: 'nothing without a route' },
  ])('draws $note at $path', async ({ path, search, title }) => {
    const prerendered = await prerenderAt(path, { search });
    expect(prerendered.title).toBe(title);
    expect(prerendered.html).not.toMatch(/Listo|citizen/);
    expect(prerendered.isWhole).toBe(false);
  });

  test('marks a page with forceLogin=True as not final', async () => {
    expect(await prerenderAt('/ayuda', { search: '?forceLogin=True' })).toMatchObject({ isWhole: false });
    expect(await prerenderAt('/ayuda', { search: '?forceLogin=1' })).toMatchObject({ isWhole: true });
  });

  describe('screen without fields', () => {
    const error: Flow = {
      id: 'error',
      initial: 'decidir',
      context: { errorCode: { from: 'query' }, state: { from: 'query' } },
      states: {
        decidir: {
          path: '/error',
          always: [{ guard: { '==': [{ var: 'context.errorCode' }, 'X'] }, target: 'otro' }, { target: 'general' }],
        },
        general: { screen: 'general', on: { home: { leave: '/' } } },
        otro: {
          screen: 'otro',
          on: { login: { leave: { to: '/login', query: { state: { var: 'context.state' } } } } },
        },
      },
    };
    const general: ScreenUi = {
      title: 'Uy!',
      tone: 'error',
      actions: [{ event: 'home', text: 'Al inicio', primary: true }],
    };
    const otro: ScreenUi = {
      title: 'Otra vez en {product}',
      intro: 'Probá de nuevo.',
      actions: [{ event: 'login', text: 'Ingresar' }],
      links: [{ to: '/contacto', text: 'Contacto' }],
    };
    const drawn = (changed: Flow, ui: Readonly<Record<string, ScreenUi>>, search = '') =>
      prerender({
        page: createPage(changed),
        path: '/error',
        search,
        flow: changed,
        screen: (id) => createModule(id, { ui: ui[id] ?? general, fields: 0 }),
      });

    test('is final if its buttons only open other pages, and draws them as links', async () => {
      const { html, title, isWhole } = await drawn(error, { otro }, '?errorCode=X&state=a%26b');
      expect([isWhole, title]).toEqual([true, 'Otra vez en Usuario - Usuario']);
      for (const text of ['Otra vez en Usuario</h1>', 'Probá de nuevo.', 'href="/login?state=a%26b">Ingresar</a>'])
        expect(html).toContain(text);
      expect(html).toContain('href="/contacto"');
      const other = await drawn(error, { otro });
      expect(other.isWhole).toBe(true);
      expect(other.html).toContain('<a class="button button-primary" href="/">Al inicio</a>');
      expect(other.html).toContain('data-tone="error"');
    });

    const state = (change: object): Flow => ({
      ...error,
      states: { ...error.states, general: { ...error.states['general'], ...change } },
    });
    test.each<{ flow?: Flow; ui?: ScreenUi; note: string }>([
      {
        flow: state({ on: { home: { src: 'find', onDone: [], onError: [] } } }),
        note: 'a button that calls the server',
      },
      { flow: state({ on: { home: [{ leave: '/', assign: { a: '1' } }] } }), note: 'a button that assigns a variable' },
      { flow: state({ on: { home: { target: 'otro' } } }), note: 'a button with a target state' },
      { flow: state({ on: { home: { leave: 'https://malo.example/' } } }), note: 'a button to another site' },
      { flow: state({ on: {} }), note: 'a button without a transition' },
      { flow: state({ after: { at: '2026', event: 'home' } }), note: 'a delayed event' },
      { flow: state({ requires: { guard: true, else: 'otro' } }), note: 'a requirement' },
      {
        flow: { ...error, context: { ...error.context, uuid: { from: 'query', persist: 'entry' } } },
        note: 'a persisted variable',
      },
      {
        flow: {
          ...error,
          states: { ...error.states, decidir: { path: '/error', always: [{ target: 'general', notice: 'n' }] } },
        },
        note: 'a notice',
      },
      { ui: { ...general, title: 'Hola {nombre}' }, note: 'a text that needs a value' },
      { ui: { ...general, links: [{ event: 'home', text: 'Inicio' }] }, note: 'a link that raises an event' },
      { ui: { ...general, links: [{ to: 'https://otro.example/', text: 'Otro' }] }, note: 'a link to another site' },
      { ui: { ...general, intro: [{ text: 'Ver', link: { to: '/', text: 'más' } }] }, note: 'a link in its text' },
      { ui: { ...general, aside: { title: 'Al lado', parts: [] } }, note: 'an aside' },
    ])('needs the portal with $note', async ({ flow: changed = error, ui = general }) => {
      expect((await drawn(changed, { general: ui })).isWhole).toBe(false);
    });
  });

  test('makes no request for any page', async () => {
    for (const path of Object.values(flow.states).flatMap((state) => state.path ?? []))
      await prerenderAt(path.replace(':slug', 'nada'), { change: { data: {} } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked).not.toHaveBeenCalled();
  });

  test('hides the sign-in links of the header until the session is known', async () => {
    expect((await prerenderAt('/')).html).toMatch(/<nav aria-label="Principal" class="header-unknown">/);
  });

  test('uses the language of the page', async () => {
    const { html } = await prerenderAt('/', { change: { language: 'pt' } });
    expect(html).toContain('Entrar');
    expect(html).not.toContain('Iniciar sesión');
  });
});
