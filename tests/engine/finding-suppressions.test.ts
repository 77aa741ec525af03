import { expect, test } from 'vitest';
import { formatFindingsReport } from '../../src/cli/definitions/findings-report.ts';
import type { DefinitionProblem } from '../../src/engine/compiler/definitions.ts';
import { loadDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { DefinitionLoadCache } from '../../src/engine/compiler/sources/load-cache.ts';
import { replacePointerIndexesByNames } from '../../src/engine/compiler/sources/source-file.ts';
import { contract, findFindings } from './support/find-findings.ts';
import { changeSample, sampleProject, writeProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
const wrong = changeSample('flows/main.json', (c: any) => {
  c.context.query = ['spare'];
  c.states.form.on.submit.onDone[0].assign = { email: { var: 'result.mail' } };
});
const lint = (...entries: unknown[]): Files => ({ ...wrong, 'schemas/_lint.json': entries });
const unread = {
  rule: 'data/unread',
  file: 'flows/main.json',
  pointer: '/context/query/spare',
  because: 'Se lee pronto.',
};
const result = {
  rule: 'operation/result',
  file: 'flows/main.json',
  pointer: '/states/form/on/submit/onDone/done/assign/email',
  because: 'El contrato lo agrega hoy.',
};
const listRules = (found: readonly DefinitionProblem[]) =>
  found.map(({ rule, severity }) => `${rule ?? ''} ${severity ?? ''}`);

test('[EST-03] finding has a rule, a severity, a file, a pointer and a column, and all findings are reported', async () => {
  const found = await findFindings(wrong);
  expect(listRules(found).sort()).toEqual(['data/unread W', 'operation/result E']);
  expect(found.find(({ rule }) => rule === 'data/unread')).toMatchObject({
    file: 'flows/main.json',
    pointer: '/context/query/0',
    column: 7,
  });
});

test('[EST-03] entry of _lint.json suppresses a finding only at its rule, file and pointer', async () => {
  const left = listRules(await findFindings(lint(unread)));
  expect(left).toContain('operation/result E');
  expect(left).not.toContain('data/unread W');
  const elsewhere = listRules(await findFindings(lint({ ...unread, pointer: '/context/email' })));
  expect(elsewhere).toEqual(expect.arrayContaining(['data/unread W', 'lint/unused W']));
});

test('[EST-03] entry of _lint.json suppresses an error', async () => {
  const files = {
    ...changeSample('flows/main.json', (c: any) => {
      c.states.form.on.submit.onDone[0].assign = { email: { or: [{ var: 'result.mail' }, { var: 'form.email' }] } };
    }),
  };
  expect(listRules(await findFindings(files))).toEqual(['operation/result E']);
  expect(await findFindings({ ...files, 'schemas/_lint.json': [result] })).toEqual([]);
});

test('[EST-03] entry of _lint.json addresses list items by name, and a hint gives the name for an index', async () => {
  const more = { ...(wrong['flows/main.json'] as any) };
  more.context = { ...more.context, query: ['email', 'spare'] };
  const own = { ...lint(unread), 'flows/main.json': more };
  expect(listRules(await findFindings(own))).not.toContain('data/unread W');
  const byPlace = await findFindings(lint({ ...unread, pointer: '/context/query/0' }));
  expect(byPlace.find(({ rule }) => rule === 'lint/unused')?.hint).toContain('"pointer": "/context/query/spare"');
});

test.each([
  ['an entry without a reason', [{ ...unread, because: ' ' }], 'La razón " " no explica nada.'],
  ['an entry with a reason that says nothing', [{ ...unread, because: 'ok' }], 'La razón "ok" no explica nada.'],
  ['an entry without a key', [{ ...unread, file: undefined }], 'A la excepción le falta "file".'],
  ['an entry with an unknown key', [{ ...unread, until: '2027' }], 'Una excepción no lleva "until".'],
  ['an entry with an unknown rule', [{ ...unread, rule: 'data/unred' }], 'No hay ninguna regla "data/unred".'],
  ['an object instead of a list', { rule: 'data/unread' }, 'Esta excepción no es válida.'],
])('[EST-03] _lint.json with %s is reported as a mistake', async (_, content, message) => {
  const found = await findFindings({ ...wrong, 'schemas/_lint.json': content });
  expect(found).toMatchObject([{ file: 'schemas/_lint.json', message }]);
});

test('[EST-03] replacePointerIndexesByNames shortens a paragraph to its first words, unless another one begins alike', () => {
  const [first, second] = ['Firmá la declaración con tu certificado, sin abrirla.', 'Enviala.'];
  const name = (...texts: readonly string[]) =>
    replacePointerIndexesByNames({ intro: texts.map((text) => ({ text })) }, '/intro/0/text');
  expect(name(first, second)).toBe('/intro/Firmá la declaración con tu…/text');
  expect(name(second, first)).toBe('/intro/Enviala./text');
  expect(name(first, `${first} Y cerrala.`)).toBe('/intro/0/text');
  const address = `https://www.gub.uy/${'a'.repeat(40)}`;
  expect(replacePointerIndexesByNames([{ to: address }], '/0')).toBe(`/${address.replaceAll('/', '~1')}`);
});

test('[EST-03] formatFindingsReport writes findings in English as text, GitHub annotations and SARIF', async () => {
  const found = await findFindings(wrong, { language: 'en' });
  const text = formatFindingsReport(found, 'text');
  expect(text).toContain('/context/query/spare W data/unread: Nothing reads the variable "spare".');
  expect(text.indexOf('E operation/result')).toBeLessThan(text.indexOf('W data/unread'));
  const line = String(found.find(({ rule }) => rule === 'data/unread')?.line);
  expect(formatFindingsReport(found, 'github')).toContain(
    `::warning file=flows/main.json,line=${line},col=7,title=data/unread::Nothing reads the variable "spare".`,
  );
  const { version, runs } = JSON.parse(formatFindingsReport(found, 'sarif')) as any;
  expect(version).toBe('2.1.0');
  expect(runs[0].results).toContainEqual(
    expect.objectContaining({ ruleId: 'data/unread', level: 'warning', locations: [expect.anything()] }),
  );
});

test('[EST-03] second load in the same process has the same findings and suppressions', async () => {
  const notice = '/states/form/on/submit/onDone/0/notice';
  const lost = changeSample('flows/main.json', (c: any) => {
    c.states.form.on.submit.onDone[0].notice = 'hecho';
    c.states.done.requires = { guard: { var: 'flags.on' }, else: 'form' };
  });
  const project = await writeProject({
    ...lost,
    'schemas/done/ui.json': {
      ...(sampleProject['schemas/done/ui.json'] as object),
      notices: { hecho: { intent: 'info', text: 'Hecho' } },
    },
    'schemas/done/ui.pt.json': {
      ...(sampleProject['schemas/done/ui.pt.json'] as object),
      notices: { hecho: { text: 'Feito' } },
    },
    'schemas/_lint.json': [
      {
        rule: 'walk/notice',
        file: 'flows/main.json',
        pointer: notice.replace('/0/', '/done/'),
        because: 'Se ve después.',
      },
    ],
  });
  const cache = new DefinitionLoadCache();
  const options = { ...project.options, analysis: contract };
  const first = await loadDefinitions(options, cache);
  expect(listRules(first.findings)).not.toContain('lint/unused W');
  expect((await loadDefinitions(options, cache)).findings).toEqual(first.findings);
  await project.write({ 'schemas/_lint.json': [] });
  const { findings } = await loadDefinitions(options, cache);
  expect(findings).toContainEqual(expect.objectContaining({ rule: 'walk/notice', pointer: notice }));
  await project.remove();
});

test('[QA-02] rule data/dropped reports a field of list items that no operation stores', async () => {
  const items = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, phone: { type: 'string' } },
  };
  const drawn = { name: { 'ui:title': 'Nombre' }, phone: { 'ui:title': 'Teléfono' } };
  const files = structuredClone(sampleProject) as Record<string, any>;
  files['schemas/form/schema.json'].properties.witnesses = { type: 'array', maxItems: 2, items };
  for (const [path, title] of [
    ['ui', 'Testigos'],
    ['ui.pt', 'Testemunhas'],
  ] as const)
    files[`schemas/form/${path}.json`].fields.witnesses = { 'ui:title': title, items: { 'ui:title': title, ...drawn } };
  const words = 'add remove undo up down added removed restored moved'.split(' ').map((word) => [`list.${word}`, word]);
  for (const path of ['schemas/_shared/messages.json', 'schemas/_shared/messages.pt.json'])
    Object.assign(files[path], { maxItems: 'Hasta {limit}', ...Object.fromEntries(words) });
  const found = async (...names: readonly string[]) => {
    const known = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
    const body = { type: 'object', properties: { witnesses: { type: 'array', items: known } } };
    const operations = { ...contract.operations, save: { ...contract.operations['save']!, body } };
    const all = await findFindings(files, { operations });
    return all.filter(({ rule }) => rule === 'data/dropped').map(({ pointer, message }) => `${pointer} ${message}`);
  };
  expect(await found('name')).toEqual([
    '/properties/witnesses/items/properties/phone Ninguna operación guarda "witnesses.items.phone": lo que se completa se pierde.',
  ]);
  expect(await found('name', 'phone')).toEqual([]);
});

test('[QA-02] rule data/dropped reports a field once, even if several states lose its input', async () => {
  const files = structuredClone(sampleProject) as Record<string, any>;
  const { states } = files['flows/main.json'];
  states.form.on = { submit: 'again' };
  states.again = { ...states.form, path: '/again', on: { submit: 'done' } };
  const all = await findFindings(files);
  const found = all.filter(({ rule, pointer }) => rule === 'data/dropped' && pointer === '/properties/extra');
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('"form"')]);
});
