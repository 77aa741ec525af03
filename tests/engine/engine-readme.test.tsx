// @vitest-environment happy-dom
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { act, cleanup, fireEvent, render, screen as page } from '@testing-library/react';
import { autorun } from 'mobx';
import type { ComponentType } from 'react';
import ts from 'typescript';
import { build, createServer } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { compile, type drawFlowMaps } from '../../src/engine/compile.ts';
import { packEngine } from '../../src/cli/engine/pack-engine.ts';
import { createFlow, createForm, openScreen, type Flow, type PageServices } from '../../src/engine/index.ts';
import { createObjectSchema, text, createTitledFields } from './samples/sample-types.ts';
import { writeProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

const root = resolve(import.meta.dirname, '../..');
const engine = join(root, 'src/engine');

/** Reads the code blocks in a document of the engine that follow a file name. */
async function readCodeBlocks(document = 'README.md'): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(engine, document), 'utf8');
  const found = text.matchAll(/^`([\w./-]+)`\n\n```\w+\n(.*?)^```$/gms);
  return new Map([...found].map(([, name = '', code = '']) => [name, code]));
}

let folder: string;
beforeAll(async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache/engine-'));
  await install();
  for (const [document, project] of [
    ['README.md', folder],
    ['server-rendering.md', folder],
    ['example.md', join(folder, 'example')],
  ] as const) {
    for (const [name, code] of await readCodeBlocks(document)) {
      await mkdir(dirname(join(project, name)), { recursive: true });
      await writeFile(join(project, name), code);
    }
    await import(/* @vite-ignore */ pathToFileURL(join(project, 'build.ts')).href);
  }
}, 240_000);

/** Creates folders as npm does: the package beside the page, and the dependencies of both one level up. */
async function install(): Promise<void> {
  const [packed, packages] = [join(folder, 'packed'), join(folder, 'node_modules')];
  await mkdir(packed);
  await mkdir(packages);
  execFileSync('tar', ['-xzf', await packEngine(root, packed), '-C', packages]);
  await rename(join(packages, 'package'), join(packages, 'portal-engine'));
}
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(cleanup);

interface Packed {
  readonly createForm: typeof createForm;
  readonly openScreen: typeof openScreen;
}

const ofExample = ['example/build.ts', 'example/report.tsx', 'example/src/main.tsx'];

/** Uses of the package's types. TypeScript reports each `@ts-expect-error` whose next line has no error. */
const uses = `
import { createForm, openScreen, type FormValues } from 'portal-engine';
import { screen, validators, type Sent } from './message.screen.js';
export const form = createForm(await openScreen({ screen, validators }));
export const sent = await form.submit();
export const name: string | undefined = sent?.name;
export const urgent: 'yes' | 'no' | undefined = sent?.urgent;
// @ts-expect-error: no such field
export const other = sent?.other;
// @ts-expect-error: the text is required
export const less: Sent = { name: 'Ada' };
// @ts-expect-error: no such choice
export const maybe: Sent = { name: 'Ada', text: 'Hello, engine', urgent: 'maybe' };
const schema = { type: 'object', required: ['age'], properties: { age: { type: 'integer' } } } as const;
export const own: FormValues<typeof schema> = { age: 3 };
`;

const button = () => page.getByRole('button', { name: 'Send' });
const type = (name: string, value: string) =>
  act(async () => void fireEvent.change(page.getByLabelText(new RegExp(`^${name}`)), { target: { value } }));

describe('[ENG-11] page in the README of the engine', () => {
  test('consists of the listed files and at most 45 lines of code', async () => {
    const code = await readCodeBlocks();
    expect([...code.keys()]).toEqual([
      'schemas/message/schema.json',
      'schemas/message/ui.json',
      'schemas/thanks/ui.json',
      'schemas/_shared/messages.json',
      'flows/contact.json',
      'build.ts',
      'page.tsx',
      'src/main.tsx',
      'field.tsx',
    ]);
    const lines = ['build.ts', 'page.tsx'].flatMap((name) => code.get(name)?.split('\n').filter(Boolean) ?? []);
    expect(lines.length).toBeLessThanOrEqual(45);
  });

  test('has no type errors', async () => {
    await writeFile(join(folder, 'types.ts'), uses);
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
      config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, incremental: false }, root);
    const ofPage = ['build.ts', 'page.tsx', 'src/main.tsx', 'field.tsx', 'server.tsx', 'src/hydrate.tsx', 'types.ts'];
    const files = [...ofPage, ...ofExample].map((name) => join(folder, name));
    const program = ts.createProgram(files, options);
    const wrong = files
      .map((file) => program.getSourceFile(file))
      .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(wrong).toEqual([]);
  }, 120_000);

  test('draws the form with its own widget, reports errors, sends the values and shows the next screen', async () => {
    const { openPage } = (await import(/* @vite-ignore */ join(folder, 'page.tsx'))) as {
      openPage: (send: (message: unknown) => Promise<void>) => Promise<ComponentType>;
    };
    const send = vi.fn(async () => undefined);
    const Page = await openPage(send);
    render(<Page />);
    expect((await page.findByRole('heading', { level: 1 })).textContent).toBe('Write to us');
    expect(page.getByLabelText('Name').className).toBe('line');
    expect(page.queryByLabelText(/^Urgent/)).toBeNull();
    await type('Name', 'Ada');
    await type('Message', 'Hello');
    expect(page.getByLabelText(/^Urgent/).tagName).toBe('SELECT');
    await act(async () => void fireEvent.click(button()));
    expect(send).not.toHaveBeenCalled();
    const summary = page.getByRole('group', { name: 'One answer needs your attention' }).textContent;
    expect(summary).toBe('One answer needs your attentionMessage: At least 10 characters');
    await type('Message', 'Hello, engine');
    await act(async () => void fireEvent.click(button()));
    expect((await page.findByRole('heading', { name: 'Thank you, Ada' })).tagName).toBe('H1');
    expect(send).toHaveBeenCalledExactlyOnceWith({ name: 'Ada', text: 'Hello, engine' });
  });
});

test('[ENG-11] example of the engine completes its steps with a list and a file, and returns to a field that the server refuses', async () => {
  const { openReport } = (await import(/* @vite-ignore */ join(folder, 'example/report.tsx'))) as {
    openReport: (server: object) => ComponentType;
  };
  const errors = { email: 'This address has left the company' };
  const refused = { status: 400, error: 'Not sent', errors };
  const send = vi.fn(async ({ email }: { email: string }) =>
    email === 'ada@example.com' ? { ok: true, result: { number: 7 } } : { ok: false, failure: refused },
  );
  const Page = openReport({ isKnownEmail: async (email: string) => email.endsWith('@example.com'), send });
  render(<Page />);
  const go = (name: string) => act(async () => void fireEvent.click(page.getByRole('button', { name })));
  const attach = async () => {
    const control = await page.findByLabelText(/^Receipt/);
    await act(async () => void fireEvent.change(control, { target: { files: [new File(['paid'], 'ticket.txt')] } }));
    await page.findByText(/ticket\.txt/);
  };
  await page.findByRole('heading', { name: 'About you' });
  await type('Name', 'Ada');
  await type('E-mail', 'ada@elsewhere.com');
  await go('Continue');
  expect((await page.findByRole('alert')).textContent).toBe('We do not know this address');
  await type('E-mail', 'ex-ada@example.com');
  await go('Continue');
  await page.findByRole('heading', { name: 'What you paid' });
  expect(page.getByRole('navigation', { name: 'Steps' }).textContent).toContain('About you');
  await page.findByRole('button', { name: 'Add Expense' }); // waits, because the code for lists is loaded with the first list
  await go('Add Expense');
  await type('For what', 'Train');
  await type('Amount', '12.50');
  await go('Continue');
  await attach();
  const answers = page
    .getAllByRole('term')
    .map(({ textContent: title, nextElementSibling: answer }) => [title, answer?.textContent]);
  expect(answers).toEqual([
    ['Name', 'Ada'],
    ['E-mail', 'ex-ada@example.com'],
    ['Expenses', 'For what: Train, Amount: 12.5'],
  ]);
  expect(page.getByRole('button', { name: 'Change About you' }).tagName).toBe('BUTTON');
  await go('Send');
  await page.findByRole('heading', { name: 'About you' });
  expect(page.getByText('This address has left the company').tagName).toBe('P');
  await type('E-mail', 'ada@example.com');
  await go('Continue');
  await go('Continue');
  await page.findByText(/ticket\.txt/); // the list still contains the file
  await go('Send');
  expect((await page.findByText('Its number is 7.')).tagName).toBe('P');
  expect(send).toHaveBeenLastCalledWith({
    name: 'Ada',
    email: 'ada@example.com',
    expenses: [{ what: 'Train', amount: 12.5 }],
    receipt: 'data:application/octet-stream;name=ticket.txt;base64,cGFpZA==',
  });
});

test('[ENG-11] page of the engine is rendered on the server, and hydrated without a difference', async () => {
  const { renderForm } = (await import(/* @vite-ignore */ join(folder, 'server.tsx'))) as {
    renderForm: () => Promise<string>;
  };
  const { enableStaticRendering } = await import('mobx-react-lite');
  const html = await renderForm();
  enableStaticRendering(false);
  expect(html).toMatch(/<h1[^>]*>Write to us<\/h1>.*<label[^>]*>Name/s);
  document.body.innerHTML = `<div id="root">${html}</div>`;
  const input = page.getByLabelText('Name');
  const complain = vi.spyOn(console, 'error');
  await act(async () => void (await import(/* @vite-ignore */ join(folder, 'src/hydrate.tsx'))));
  expect(complain.mock.calls).toEqual([]);
  expect(page.getByLabelText('Name')).toBe(input);
  await type('Message', 'Hello');
  expect(page.getByLabelText(/^Urgent/).tagName).toBe('SELECT');
  document.body.innerHTML = '';
});

test('[ENG-11] package of the engine draws the map of the flow in its README', async () => {
  const packed = (await import(/* @vite-ignore */ join(folder, 'node_modules/portal-engine/compile.js'))) as {
    readonly drawFlowMaps: typeof drawFlowMaps;
  };
  const html = await packed.drawFlowMaps({ root: folder, baseLanguage: 'en', operations: ['sendMessage'] });
  expect(html).toMatch(/Send: sendMessage succeeds → <a href="#contact\.sent">Thank you, \{name\} \(sent\)<\/a>/);
});

describe('[ENG-13] package of the engine', () => {
  beforeAll(() =>
    writeFile(
      join(folder, 'index.html'),
      '<!doctype html><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
    ),
  );
  const settings = () => ({ root: folder, configFile: false, logLevel: 'error' }) as const;

  test('is bundled with a page, which draws its screen', async () => {
    const dist = join(folder, 'dist');
    await build({
      ...settings(),
      build: { outDir: dist, modulePreload: false, rolldownOptions: { output: { entryFileNames: 'page.js' } } },
    });
    const assets = await readdir(join(dist, 'assets'));
    const styles = await Promise.all(
      assets.filter((name) => name.endsWith('.css')).map((name) => readFile(join(dist, 'assets', name), 'utf8')),
    );
    const css = styles.join('');
    expect(css).toContain('.visually-hidden{'); // the style for announcements, which only screen readers read
    const read = new Set([...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
    const undefinedVariables = [...read].filter((name) => !css.includes(`${name}:`));
    expect(undefinedVariables).toEqual([]);
    document.body.innerHTML = '<div id="root"></div>';
    await act(async () => void (await import(/* @vite-ignore */ join(dist, 'page.js'))));
    expect((await page.findByRole('heading', { name: 'Write to us' })).tagName).toBe('H1');
  });

  test('is served in development, with dependencies that are not ES modules', async () => {
    const server = await createServer({ ...settings(), server: { port: 0, host: '127.0.0.1', ws: false } });
    await server.listen();
    const [origin = ''] = server.resolvedUrls?.local ?? [];
    const seen = new Set<string>();
    const load = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const response = await fetch(new URL(path, origin));
      expect([path, response.status]).toEqual([path, 200]);
      const imports = (await response.text()).matchAll(/^(?:import|export)\b[^'"]*?["'](\/[^"']+)["']/gm);
      for (const [, next = ''] of imports) await load(next);
    };
    await load('/src/main.tsx');
    await server.close();
    expect([...seen].filter((path) => /deps\/portal-engine/.test(path)).length).toBeGreaterThan(0);
  });
});

describe('[ENG-13] createFlow', () => {
  const services = { loadScreen: vi.fn(), invoke: vi.fn() };
  const flow = (more: Partial<Flow>): Flow => ({ id: 'main', initial: 'a', states: { a: {} }, ...more });
  const steps = [[{ state: 'a', titles: {} }]];

  test.each<[string, Partial<Flow>, Partial<PageServices>]>([
    ['openSteps', { progress: steps, save: { days: 1, resumed: 'a', refused: 'b' } }, { openSteps: vi.fn() }],
    ['recall', { context: { x: { from: 'result', persist: true } } }, { recall: () => ({}), remember: vi.fn() }],
    ['leave', { states: { a: { always: [{ leave: '/x' }] } } }, { leave: vi.fn() }],
    [
      'leave',
      { states: { a: { on: { submit: { src: 'send', onDone: [{ leave: '/x' }], onError: [] } } } } },
      { leave: vi.fn() },
    ],
    ['goBack', { states: { a: { back: 'history' } } }, { goBack: vi.fn() }],
    ['carry', { states: { a: { carry: { x: 'form.x' } } } }, { carry: vi.fn() }],
    ['navigate', { context: { x: { from: 'result', persist: 'entry' } } }, { navigate: vi.fn() }],
  ])('throws if the page lacks a service that the flow needs (case %#): %s', (named, more, given) => {
    expect(() => createFlow(flow(more), services)).toThrow(`\`${named}\``);
    expect(() => createFlow(flow(more), { ...services, ...given })).not.toThrow();
  });

  test('rejects at the start if a rule leaves the flow without the service `leave`', async () => {
    const next = { var: 'error.next' };
    const running = createFlow(flow({ states: { a: { always: [{ leave: next }] } } }), services);
    await expect(running.start()).rejects.toThrow('no `leave`');
  });

  test('tracks the current step for the step bar of the page', async () => {
    const way = flow({
      states: {
        a: { screen: 'message', path: '/a', on: { submit: { target: 'b' } } },
        b: { screen: 'thanks', path: '/b' },
      },
      progress: [['a', 'b'].map((state) => ({ state, titles: { en: state.toUpperCase() } }))],
    });
    const running = createFlow(way, {
      ...services,
      loadScreen: async (id) => openScreen(await import(/* @vite-ignore */ join(folder, `${id}.screen.js`))),
    });
    await running.start();
    expect(running.bar).toMatchObject({ steps: [{ place: 'here' }, { place: 'after' }] });
    running.state.view?.form?.field('name')?.set('Ada');
    running.state.view?.form?.field('text')?.set('Hello, engine');
    await running.send('submit');
    expect(running.bar).toMatchObject({ steps: [{ place: 'before' }, { place: 'here' }] });
  });
});

describe('[ENG-11] hooks of the engine', () => {
  test('draw a field with its value, its error after a blur, and nothing while it is hidden', async () => {
    const { Field } = (await import(/* @vite-ignore */ join(folder, 'field.tsx'))) as {
      Field: ComponentType<{ form: unknown; name: string }>;
    };
    const { createForm: create, openScreen: open } = (await import(
      /* @vite-ignore */ join(folder, 'node_modules/portal-engine/index.js')
    )) as Packed;
    const form = create(await open(await import(/* @vite-ignore */ join(folder, 'message.screen.js'))));
    render(['name', 'text', 'urgent'].map((name) => <Field key={name} form={form} name={name} />));
    expect(page.queryByLabelText(/^Urgent/)).toBeNull();
    await type('Message', 'Hello');
    expect(page.getByLabelText(/^Urgent/)).toBeTruthy();
    expect(page.queryByRole('alert')).toBeNull();
    await act(async () => void fireEvent.blur(page.getByLabelText(/^Message/)));
    expect(page.getByRole('alert').textContent).toBe('At least 10 characters');
    await type('Message', 'Hello, engine');
    expect([page.queryByRole('alert'), form.values]).toEqual([
      null,
      { name: undefined, text: 'Hello, engine', urgent: undefined },
    ]);
  });
});

test('[ENG-11] compile uses the default messages of the base language if the definitions have none', async () => {
  const { 'schemas/_shared/messages.json': _, ...files } = createFormFiles({
    schema: createObjectSchema({ name: text }, ['name']),
    ui: { fields: createTitledFields({ name: 'Nombre' }) },
  });
  const project = await writeProject(files);
  const { root: where, baseLanguage, operations } = { ...project.options, baseLanguage: 'es' };
  const { screens } = await compile({ root: where, baseLanguage, operations });
  const bytes = Buffer.from(screens['sample'] ?? '').toString('base64');
  const form = createForm(await openScreen(await import(/* @vite-ignore */ `data:text/javascript;base64,${bytes}`)));
  expect([await form.submit(), form.errors]).toEqual([null, { name: 'Falta este dato.' }]);
  await expect(loadDefinitions(project.options)).rejects.toThrow('There is no catalogue of messages.');
  await project.remove();
});

test('[ENG-11] compile suggests the name of a misspelt key in the messages of the definitions', async () => {
  const files = createFormFiles({
    schema: createObjectSchema({ name: text }, ['name']),
    ui: { fields: createTitledFields({ name: 'Nombre' }) },
  });
  const project = await writeProject({ ...files, 'schemas/_shared/messages.json': { requierd: 'Falta' } });
  const compiled = compile({ root: project.options.root, baseLanguage: 'es' });
  await expect(compiled).rejects.toThrow('No rule has the message "requierd". Did you mean "required"?');
  await project.remove();
});

test('[ENG-11] compile explains a wrong folder, a variable without "form." and keywords without plugins', async () => {
  await expect(compile({ root: '/tmp/none', baseLanguage: 'en' })).rejects.toThrow(
    '"/tmp/none" has no folder schemas/.',
  );
  const { 'schemas/_shared/messages.json': _, ...files } = createFormFiles({
    schema: createObjectSchema({ name: { ...text, qqqqqqqq: 1 }, more: text }, ['name']),
    ui: { fields: createTitledFields({ name: 'Nombre', more: 'Más' }), visible: { more: { var: 'name' } } },
  });
  const project = await writeProject(files);
  await rm(join(project.folder, 'plugins'));
  const wrong = String(await compile({ root: project.folder, baseLanguage: 'es' }).catch((error: unknown) => error));
  expect(wrong).toContain('Plugins define none.');
  expect(wrong).toContain('Did you mean "form.name"? Known: form.<field>, context.<name>.');
  await project.remove();
});

test('[ENG-11] compiled form tells the maximum size of a file in megabytes', async () => {
  const { 'schemas/_shared/messages.json': _, ...files } = createFormFiles({
    schema: createObjectSchema({ recibo: { type: 'string', maxLength: 2_000_000 } }),
    ui: { fields: createTitledFields({ recibo: 'Recibo' }) },
  });
  const project = await writeProject(files);
  const { screens } = await compile({ root: project.options.root, baseLanguage: 'es' });
  const bytes = Buffer.from(screens['sample'] ?? '').toString('base64');
  const form = createForm(await openScreen(await import(/* @vite-ignore */ `data:text/javascript;base64,${bytes}`)));
  form.set('recibo', `data:a/b;name=a.pdf;base64,${'A'.repeat(2_000_000)}`);
  await form.submit();
  expect(form.errors).toEqual({ recibo: 'El archivo es demasiado grande: puede tener hasta 1,5 MB.' });
  await project.remove();
});

describe('[ENG-11] form without a flow and without a view', () => {
  const open = async () =>
    createForm(await openScreen(await import(/* @vite-ignore */ join(folder, 'message.screen.js'))), { name: 'Ada' });

  test('takes values, lists its errors and returns the values to send', async () => {
    const form = await open();
    expect([form.ready, await form.submit(), form.errors]).toEqual([false, null, { text: 'Fill this in.' }]);
    form.set('text', 'Hello, engine');
    expect([form.ready, form.errors, await form.submit()]).toEqual([true, {}, { name: 'Ada', text: 'Hello, engine' }]);
  });

  test('resets to its initial values', async () => {
    const form = await open();
    form.set('name', 'Grace');
    await form.submit();
    const seen: unknown[] = [];
    const stop = autorun(() => seen.push(form.errors['text']));
    form.reset();
    stop();
    expect([form.values, form.errors, seen]).toEqual([
      { name: 'Ada', text: undefined, urgent: undefined },
      {},
      ['Fill this in.', undefined],
    ]);
  });

  test('waits for beforeSubmit, and is not sent if it refuses', async () => {
    const form = await open();
    form.set('text', 'Hello, engine');
    const verdicts = [{ refused: 'Not now' }, undefined];
    form.model.field('text')?.beforeSubmit(async () => verdicts.shift());
    expect([await form.submit(), form.errors]).toEqual([null, { text: 'Not now' }]);
    expect(await form.submit()).toEqual({ name: 'Ada', text: 'Hello, engine' });
  });
});
