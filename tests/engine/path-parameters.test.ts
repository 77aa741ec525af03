import { describe, expect, test } from 'vitest';
import type { Flow } from '../../src/engine/core/flow-and-screen-types.ts';
import type { PageRoute } from '../../src/engine/core/definitions-manifest.ts';
import { fillPathParameters, findRoute, listPathParameters } from '../../src/engine/core/route.ts';
import { changeSample, loadProject } from './support/project.ts';
import { runFlow, settlePromises } from './support/run-flow.ts';

const routeOf = (path: string): PageRoute => ({ path, flow: 'main', state: path, access: 'anyone', chrome: 'full' });
const routes = ['/help', '/help/:slug', '/help/about', '/:room/:slug/x', '/a/:one/x', '/señal/:slug', '*'].map(routeOf);

describe('[ENG-02 RUTA-06] path with parameters', () => {
  test.each([
    ['/help', '/help', {}],
    ['/help/lost-phone', '/help/:slug', { slug: 'lost-phone' }],
    ['/help/about', '/help/about', {}],
    ['/help/:slug', '/help/:slug', { slug: ':slug' }],
    ['/señal/ñandú', '/señal/:slug', { slug: 'ñandú' }],
    ['/a/b/x', '/a/:one/x', { one: 'b' }],
    ['/c/b/x', '/:room/:slug/x', { room: 'c', slug: 'b' }],
    ['/help/constructor', '/help/:slug', { slug: 'constructor' }],
  ])('matches %s with the route %s', (path, pattern, params) => {
    const found = findRoute(routes, path);
    expect([found?.route.path, found?.params]).toEqual([pattern, params]);
  });

  test.each(['/help/', '/help/a/b', '/', '', '*', '/Help'])('matches no route for "%s"', (path) => {
    expect(findRoute(routes, path)).toBeUndefined();
  });

  test('lists its parameters and is filled from variables', () => {
    expect(listPathParameters('/a/:one/:two')).toEqual(['one', 'two']);
    expect(fillPathParameters('/a/:one/:two', { one: 'x', two: null })).toBe('/a/x/');
  });
});

describe('[ANA-02] compiler', () => {
  /* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
  const flow = (change: (content: any) => void) =>
    changeSample('flows/main.json', (content: any) => {
      content.context.path = ['slug'];
      content.states.one = {
        path: '/one/:slug',
        block: 'panel',
        source: { operation: 'list', params: { slug: { var: 'context.slug' } } },
      };
      change(content);
    });

  test.each([
    ['/one/lost-phone', 0],
    ['/one/lost-phone?a=1#b', 0],
    ['/one', 1],
    ['/one/a/b', 1],
    ['/two/a', 1],
  ])('reports for a link to %s this number of problems: %s', async (to, count) => {
    const ui = 'schemas/done/ui.json';
    const linked = changeSample(ui, (content: any) => (content.links = [{ text: 'Ver', to }]));
    const { problems } = await loadProject({ ...flow(() => undefined), [ui]: linked[ui]! });
    expect(problems.filter(({ pointer }) => pointer === '/links/0/to')).toHaveLength(count);
  });

  test('accepts parameters that are variables, and adds the source of a block to its route', async () => {
    const { definitions, problems } = await loadProject(flow(() => undefined));
    expect(problems).toEqual([]);
    expect(definitions?.manifest('es').routes.find(({ state }) => state === 'one')).toMatchObject({
      path: '/one/:slug',
      source: { operation: 'list' },
    });
  });

  test.each([
    [
      'a parameter without a variable',
      (c: any) => (c.states.one.path = '/one/:id/:slug'),
      '/states/one/path',
      /":id" is not a variable/,
    ],
    [
      'a parameter whose variable is read from the query',
      (c: any) => (c.context = { query: ['slug'] }),
      '/states/one/path',
      /":slug" is not a variable/,
    ],
    [
      'a path variable that no path has',
      (c: any) => (c.states.one.path = '/one'),
      '/context/path/0',
      /No path has the parameter ":slug"/,
    ],
    [
      'two paths that differ only in the name of a parameter',
      (c: any) => {
        c.context.path = ['id'];
        c.states.two = { path: '/one/:id', block: 'panel' };
      },
      '/states/two/path',
      /belongs to main.one/,
    ],
    [
      'an unknown operation as source',
      (c: any) => (c.states.one.source.operation = 'nothing'),
      '/states/one/source/operation',
      /no operation "nothing"/,
    ],
    [
      'a source that reads an unknown variable',
      (c: any) => (c.states.one.source.params.slug = { var: 'context.id' }),
      '/states/one/source/params/slug',
      /"context.id" does not exist/,
    ],
    [
      'a source without a block',
      (c: any) => (c.states.form.source = { operation: 'list' }),
      '/states/form/source',
      /Only a block/,
    ],
  ])('rejects %s', async (_, change, pointer, message) => {
    const { problems } = await loadProject(flow(change));
    expect(
      problems.filter((problem) => problem.pointer === pointer && message.test(problem.message)),
      JSON.stringify(problems),
    ).toHaveLength(1);
  });
  /* oxlint-enable typescript/no-explicit-any */
});

describe('[ENG-02] flow with path parameters', () => {
  const flow: Flow = {
    id: 'main',
    initial: 'one',
    context: { slug: { from: 'path' }, asked: { from: 'query' } },
    states: {
      one: { path: '/one/:slug', block: 'panel', on: { go: { target: 'two' } } },
      two: { path: '/two/:slug', block: 'panel' },
    },
  };
  const open = () => {
    const running = runFlow(flow, { screens: {} });
    return {
      ...running,
      arriveWith: async (slug: string, search = '') => {
        void running.runner.arrive({ state: 'one', search, history: null, params: { slug, other: 'x' } });
        await settlePromises();
      },
    };
  };

  test('has only its declared parameters as variables', async () => {
    const { arriveWith, runner, navigations } = open();
    await arriveWith('a');
    expect([runner.state.context, runner.state.view?.name, navigations]).toEqual([
      { slug: 'a', asked: null },
      'one',
      [],
    ]);
  });

  test('enters the state again if a parameter changed, and not otherwise', async () => {
    const { arriveWith, runner } = open();
    await arriveWith('a');
    const first = runner.state.view;
    await arriveWith('a');
    expect(runner.state.view).toBe(first);
    await arriveWith('b');
    expect(runner.state.view).not.toBe(first);
    expect(runner.state.context['slug']).toBe('b');
  });

  test('fills the path of its target', async () => {
    const { arriveWith, raise, navigations } = open();
    await arriveWith('a', '?asked=1');
    await raise('go');
    expect(navigations.map(({ path }) => path)).toEqual(['/one/a', '/two/a']);
  });
});
