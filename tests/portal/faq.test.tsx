// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { EmbeddedPageData } from '../../src/contract/page-data.ts';
import type { OperationResult } from '../../src/engine/core/operation-result.ts';
import type { Flow } from '../../src/engine/core/flow-and-screen-types.ts';
import type { FlowBlockProps } from '../../src/engine/react/flow/flow-route.tsx';
import { FlowRunner } from '../../src/engine/runtime/flow-runner.ts';
import FaqDetail from '../../src/portal/blocks/faq-detail.tsx';
import FaqList from '../../src/portal/blocks/faq-list.tsx';
import StaticPage from '../../src/portal/blocks/static-page.tsx';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { createFailure } from '../domain/support/store.ts';
import { openPortal, createPage } from './support/sample-page.ts';

const flow: Flow = {
  id: 'ayuda',
  initial: 'lista',
  context: { slug: { from: 'path' }, busqueda: { from: 'result' } },
  states: {
    lista: {
      path: '/ayuda',
      block: 'x',
      source: { operation: 'getFaqs' },
      on: { search: { assign: { busqueda: { var: 'form.busqueda' } } } },
    },
    pregunta: {
      path: '/ayuda/:slug',
      block: 'x',
      source: { operation: 'getFaqs', params: { slug: { var: 'context.slug' } } },
    },
    pagina: { path: '/acerca-de', block: 'x', source: { operation: 'getStaticPage', params: { page: 'acerca-de' } } },
    ingreso: { path: '/login', block: 'x' },
  },
};

const faq = (slug: string, titulo: string, respuesta = 'Texto.') => ({
  id: slug,
  slug,
  titulo,
  respuesta,
  categorias: { nombre: 'C' },
  faqs_relacionadas: [{ id: 'otra', slug: 'otra', titulo: 'Otra pregunta' }],
});
const categories = [
  { nombre: 'Uno', faqs: [faq('a', 'Olvidé mi contraseña'), faq('b', 'No llegó', 'Mirá en correo no deseado.')] },
  { nombre: 'Dos', faqs: [faq('c', 'Elección de la contraseña')] },
  { nombre: 'Tres', faqs: [faq('d', 'Otra cosa')] },
];

interface BlockContext {
  readonly data?: EmbeddedPageData['data'];
  readonly answer?: OperationResult;
  readonly state: string;
  readonly slug?: string;
  readonly at?: string;
}

/** Renders a block in a state of the flow, with the data of the page or the response to its operation. */
async function draw(Block: ComponentType<FlowBlockProps>, { data = {}, answer, state, slug, at = '/' }: BlockContext) {
  const portal = openPortal(createPage(flow, { data }));
  const perform = vi.fn(async () => answer ?? createFailure({ status: 500 }));
  vi.spyOn(portal, 'store').mockResolvedValue({ perform, session: { token: null } } as never); // a partial fake: the blocks use only these properties
  const leave = vi.spyOn(portal.navigation, 'leave').mockImplementation(() => undefined);
  const runner = new FlowRunner(flow, {
    ...portal.flows,
    recall: () => ({}),
    remember: () => undefined,
    navigate: () => undefined,
  });
  await runner.arrive({ state, search: '', history: null, params: slug === undefined ? {} : { slug } });
  const drawn = render(
    <MemoryRouter initialEntries={[at]}>
      <PortalProviders portal={portal}>
        <Block runner={runner} />
      </PortalProviders>
    </MemoryRouter>,
  );
  await act(async () => {
    await new Promise((resolve) => setTimeout(resolve));
  });
  return { ...drawn, perform, leave, runner };
}

afterEach(cleanup);

describe('[INI-05] FaqList', () => {
  /** Timeout for the search, which is loaded when the user begins to type. */
  const soon = { timeout: 10_000 };
  const open = () => draw(FaqList, { state: 'lista', data: { getFaqs: categories } });
  const headings = () => screen.queryAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  const links = () =>
    screen.queryAllByRole('link', { name: /contraseña|llegó|cosa/ }).map((link) => link.getAttribute('href'));
  const type = (text: string) =>
    fireEvent.change(screen.getByRole('searchbox', { name: 'Buscar en las preguntas' }), { target: { value: text } });

  test('lists the questions by category in their order, without a call', async () => {
    const { perform } = await open();
    expect(headings()).toEqual(['Uno', 'Dos', 'Tres']);
    expect(links()).toEqual(['/ayuda/a', '/ayuda/b', '/ayuda/c', '/ayuda/d']);
    expect(perform).not.toHaveBeenCalled();
  });

  test('ends with a link to Contacto', async () => {
    await open();
    expect(screen.getByRole('complementary').textContent).toBe('¿No encontraste la respuesta? Escribinos');
    expect(screen.getByRole('link', { name: 'Escribinos' }).getAttribute('href')).toBe('/contacto');
  });

  test.each([
    ['contrasena', ['/ayuda/a', '/ayuda/c'], 'Encontramos 2 preguntas.', 'accents'],
    ['OLVIDE', ['/ayuda/a'], 'Encontramos 1 pregunta.', 'case'],
    ['deseado correo', ['/ayuda/b'], 'Encontramos 1 pregunta.', 'words of the answer in any order'],
    ['perro', [], 'No encontramos preguntas con esas palabras.', 'nothing'],
    ['   ', ['/ayuda/a', '/ayuda/b', '/ayuda/c', '/ayuda/d'], '', 'blanks'],
    ['(', [], 'No encontramos preguntas con esas palabras.', 'a sign of expressions'],
  ])('[INI+BUSQUEDA] shows the questions that match "%s" and their number', async (text, found, said) => {
    await open();
    type(text);
    await vi.waitFor(() => expect([links(), screen.getByRole('status').textContent]).toEqual([found, said]), soon);
    expect(headings()).toEqual(found.length === 4 ? ['Uno', 'Dos', 'Tres'] : found.length > 0 ? ['Resultados'] : []);
    expect(screen.getByRole('link', { name: 'Escribinos' })).toBeTruthy();
  });

  test('[INI+BUSQUEDA] offers frequent questions if a search has no results', async () => {
    const asked = faq('perdi-mi-celular', 'Perdí mi celular');
    await draw(FaqList, { state: 'lista', data: { getFaqs: [...categories, { nombre: 'Más', faqs: [asked] }] } });
    type('perro');
    await vi.waitFor(() => expect(headings()).toEqual(['Lo que más nos preguntan']), soon);
    expect(screen.getByRole('link', { name: 'Perdí mi celular' }).getAttribute('href')).toBe('/ayuda/perdi-mi-celular');
  });

  test('[INI+BUSQUEDA] stores the search in the context of the flow', async () => {
    const { runner } = await open();
    type('olvide');
    expect(runner.state.context['busqueda']).toBe('olvide');
  });
});

describe('[INI-06] FaqDetail', () => {
  const answer =
    '**Fuerte**\n\n<b onclick="x()">crudo</b> <script>1</script>\n\n[dentro](/login) [fuera](https://a.uy) [mal](javascript:1) [correo](mailto:a@b.uy)';
  const open = (respuesta = answer) =>
    draw(FaqDetail, {
      state: 'pregunta',
      slug: 'a',
      data: { 'getFaqs?slug=a': [{ nombre: 'Uno', faqs: [faq('a', '¿Cómo?', respuesta)] }] },
    });

  test('shows breadcrumb, title, answer and related questions', async () => {
    const { container, perform } = await open();
    const trail = screen.getByRole('navigation', { name: 'Estás en' });
    expect(
      within(trail)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Inicio', 'Preguntas frecuentes', '¿Cómo?']);
    expect(within(trail).getByText('¿Cómo?').getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('¿Cómo?');
    expect(container.querySelector('strong')?.textContent).toBe('Fuerte');
    expect(
      within(screen.getByRole('navigation', { name: 'Preguntas relacionadas' }))
        .getByRole('link')
        .getAttribute('href'),
    ).toBe('/ayuda/otra');
    expect([document.title, perform.mock.calls]).toEqual(['¿Cómo? - Usuario', []]);
  });

  test('omits raw HTML from the answer', async () => {
    const { container } = await open();
    expect([
      container.querySelector('b'),
      container.querySelector('script'),
      container.querySelector('[onclick]'),
    ]).toEqual([null, null, null]);
    expect(container.querySelector('.prose')?.textContent, 'the raw HTML is not shown as text').not.toContain('<');
  });

  test('keeps internal links, marks external links and removes script links', async () => {
    const { container } = await open();
    expect(screen.getByRole('link', { name: 'dentro' }).getAttribute('href')).toBe('/login');
    const outside = screen.getByRole('link', { name: 'fuera (se abre en una pestaña nueva)' });
    expect([outside.getAttribute('target'), outside.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
    expect(screen.getByRole('link', { name: 'correo' }).getAttribute('href')).toBe('mailto:a@b.uy');
    expect(container.innerHTML).not.toContain('javascript:');
  });

  test('loads a question by its slug if the page has no data for it', async () => {
    const { perform } = await draw(FaqDetail, {
      state: 'pregunta',
      slug: 'b',
      data: { getFaqs: categories },
      answer: { ok: true, result: [{ nombre: 'Uno', faqs: [faq('b', 'No llegó')] }] },
    });
    expect(perform.mock.calls).toEqual([['getFaqs', { params: { slug: 'b' } }]]);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('No llegó');
  });

  test('redirects to the not-found route if the slug is unknown', async () => {
    const { leave } = await draw(FaqDetail, {
      state: 'pregunta',
      slug: 'nadie',
      answer: createFailure({ status: 404 }),
    });
    expect(leave.mock.calls).toEqual([['/desconocido', { replace: true }]]);
  });
});

describe('[INI-08] failed load of a help page', () => {
  test.each([
    ['questions with status 500', FaqList, 'lista', 500, '/error?errorCode=SERVER_ERROR'],
    ['questions with status 400', FaqList, 'lista', 400, '/error?errorCode=SERVER_ERROR'],
    ['question with status 503', FaqDetail, 'pregunta', 503, '/error?errorCode=SERVER_ERROR'],
    ['static page with status 500', StaticPage, 'pagina', 500, '/error?errorCode=SERVER_ERROR'],
    ['static page with status 404', StaticPage, 'pagina', 404, '/error?errorCode=NOT_FOUND_ERROR'],
  ])('redirects to the error page: %s', async (_, Block, state, status, target) => {
    const { leave } = await draw(Block, { state, slug: 'a', answer: createFailure({ status }) });
    expect(leave.mock.calls).toEqual([[target, { replace: true }]]);
  });

  test('shows a connection error without a redirect if the server does not respond', async () => {
    const { leave } = await draw(FaqList, { state: 'lista', answer: createFailure({ status: 0 }) });
    expect(screen.getByRole('heading', { level: 1 }).parentElement?.textContent).toContain('Revisá tu conexión');
    expect(leave).not.toHaveBeenCalled();
  });
});

describe('[INI-07] StaticPage', () => {
  const page = (change: object) =>
    ({
      titulo: 'Acerca',
      resumen: 'En corto',
      contenido: '## Una parte\n\nTexto.',
      disposicion: 'tarjeta',
      actualizada: null,
      ...change,
    }) as const;
  const open = (change: object = {}, at = '/') =>
    draw(StaticPage, { state: 'pagina', at, data: { 'getStaticPage?page=acerca-de': page(change) } });
  const parts = (count: number) =>
    Array.from({ length: count }, (_, index) => `## Día ${index}\n\nTexto.`).join('\n\n');

  test('shows a short page as a card, without a call', async () => {
    const { container, perform } = await open();
    expect([
      screen.getByRole('heading', { level: 1 }).textContent,
      container.querySelector('.content-card h2')?.textContent,
    ]).toEqual(['Acerca', 'Una parte']);
    expect(perform).not.toHaveBeenCalled();
    expect(screen.queryByRole('navigation', { name: 'En esta página' })).toBeNull();
  });

  test('shows the sign-in methods as cards with their images, and omits an image of another site', async () => {
    const contenido =
      'Antes.\n\n## Uno\n\n![Primero](basico)\n\n## Dos\n\n![Segundo](basico_intermedio)\n\n## Tres\n\n![Tercero](avanzado)\n\n![Otro](https://a.uy/x.png)';
    const { container } = await open({ disposicion: 'metodos', contenido });
    expect([...container.querySelectorAll('.method-cards > li h2')].map(({ textContent }) => textContent)).toEqual([
      'Uno',
      'Dos',
      'Tres',
    ]);
    expect(screen.getAllByRole('img').map((image) => image.getAttribute('aria-label'))).toEqual([
      'Primero',
      'Segundo',
      'Tercero',
    ]);
    expect(container.querySelector('img')).toBeNull();
  });

  test('begins with a table of contents if it is long', async () => {
    const { container } = await open({ contenido: parts(6) });
    const contents = within(screen.getByRole('navigation', { name: 'En esta página' }))
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
    expect(contents).toEqual(['#dia-0', '#dia-1', '#dia-2', '#dia-3', '#dia-4', '#dia-5']);
    expect(contents.every((anchor) => container.querySelector(`h2${anchor}`) !== null)).toBe(true);
  });

  test('focuses the heading that the address names', async () => {
    await open({ contenido: parts(6) }, '/acerca-de#dia-3');
    expect(document.activeElement?.textContent).toBe('Día 3');
  });

  test('shows the date of its last change', async () => {
    const { container } = await open({ actualizada: '2026-03-09' });
    expect(container.textContent).toContain('Última actualización: 09/03/2026');
  });
});
