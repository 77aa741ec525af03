// @vitest-environment happy-dom
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { act, cleanup, fireEvent, render, screen as page } from '@testing-library/react';
import { autorun } from 'mobx';
import type { ComponentType } from 'react';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createForm, openScreen } from '../../src/engine/index.ts';

const root = resolve(import.meta.dirname, '../..');
const engine = join(root, 'src/engine');

/** Each block of code in the engine's README that stands under the name of a file. */
async function blocks(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(engine, 'README.md'), 'utf8');
  const found = text.matchAll(/^`([\w./-]+)`\n\n```\w+\n(.*?)^```$/gms);
  return new Map([...found].map(([, name = '', code = '']) => [name, code]));
}

let folder: string;
beforeAll(async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache/engine-'));
  for (const [name, code] of await blocks()) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), code.replaceAll("'engine/", `'${engine}/`));
  }
  await import(/* @vite-ignore */ pathToFileURL(join(folder, 'build.ts')).href);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(cleanup);

const button = () => page.getByRole('button', { name: 'Send' });
const type = (name: string, value: string) =>
  act(async () => void fireEvent.change(page.getByLabelText(new RegExp(`^${name}`)), { target: { value } }));

describe('[ENG-11] the page in the README of the engine', () => {
  test('has its schema, ui and flow in files, and about 40 lines of code', async () => {
    const code = await blocks();
    expect([...code.keys()]).toEqual([
      'schemas/message/schema.json',
      'schemas/message/ui.json',
      'schemas/thanks/ui.json',
      'schemas/_shared/messages.json',
      'flows/contact.json',
      'build.ts',
      'page.tsx',
    ]);
    const lines = ['build.ts', 'page.tsx'].flatMap((name) => code.get(name)?.split('\n').filter(Boolean) ?? []);
    expect(lines.length).toBeLessThanOrEqual(45);
  });

  test('is right by its types', () => {
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
      config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, incremental: false }, root);
    const files = ['build.ts', 'page.tsx'].map((name) => join(folder, name));
    const program = ts.createProgram(files, options);
    const wrong = files
      .map((file) => program.getSourceFile(file))
      .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(wrong).toEqual([]);
  }, 20_000);

  test('draws the form with a widget of its own, tells what is refused, sends what counts and goes on', async () => {
    const { openPage } = (await import(/* @vite-ignore */ join(folder, 'page.tsx'))) as {
      openPage: (send: (message: unknown) => Promise<void>) => ComponentType;
    };
    const send = vi.fn(async () => undefined);
    const Page = openPage(send);
    render(<Page />);
    expect((await page.findByRole('heading', { level: 1 })).textContent).toBe('Write to us');
    expect(page.getByLabelText('Name').className).toBe('line');
    expect(page.queryByLabelText(/^Urgent/)).toBeNull();
    await type('Name', 'Ada');
    await type('Message', 'Hello');
    expect(page.getByLabelText(/^Urgent/).tagName).toBe('SELECT');
    await act(async () => void fireEvent.click(button()));
    expect(send).not.toHaveBeenCalled();
    expect(page.getByRole('alert').textContent).toContain('Message: At least 10 characters');
    await type('Message', 'Hello, engine');
    await act(async () => void fireEvent.click(button()));
    expect((await page.findByRole('heading', { name: 'Thank you, Ada' })).tagName).toBe('H1');
    expect(send).toHaveBeenCalledExactlyOnceWith({ name: 'Ada', text: 'Hello, engine' });
  });
});

describe('[ENG-11] a form without a flow and without a view', () => {
  const open = async () =>
    createForm(await openScreen(await import(/* @vite-ignore */ join(folder, 'message.screen.js'))), { name: 'Ada' });

  test('takes values, tells its errors, and answers what is to be sent', async () => {
    const form = await open();
    expect([form.ready, await form.submit(), form.errors]).toEqual([false, null, { text: 'Fill this in' }]);
    form.set('text', 'Hello, engine');
    expect([form.ready, form.errors, await form.submit()]).toEqual([true, {}, { name: 'Ada', text: 'Hello, engine' }]);
  });

  test('is taken back to what it was opened with', async () => {
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
      ['Fill this in', undefined],
    ]);
  });

  test('waits for what a widget does before, and is not sent where that refuses', async () => {
    const form = await open();
    form.set('text', 'Hello, engine');
    const verdicts = [{ refused: 'Not now' }, undefined];
    form.draft.field('text')?.beforeSubmit(async () => verdicts.shift());
    expect([await form.submit(), form.errors]).toEqual([null, { text: 'Not now' }]);
    expect(await form.submit()).toEqual({ name: 'Ada', text: 'Hello, engine' });
  });
});
