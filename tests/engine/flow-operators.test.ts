import { expect, test } from 'vitest';
import { registerPluginOperator } from '../../src/engine/core/json-logic.ts';
import { compileLanguageNeutralScreen } from '../../src/engine/compiler/screen/compile-screen.ts';
import { DefinitionLoadCache } from '../../src/engine/compiler/sources/load-cache.ts';
import { loadProject, type Files } from './support/project.ts';

registerPluginOperator('shout', (text) => String(text).toUpperCase());

/** A project whose flow assigns the value of `assigned`, and whose field is shown if `visible` is true. */
const project = (assigned: object, visible: object): Files => ({
  'schemas/_shared/messages.json': {
    required: 'Falta',
    type: 'Tipo',
    additionalProperties: 'Sobra',
    maxLength: 'Largo',
  },
  'schemas/form/schema.json': { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
  'schemas/form/ui.json': {
    title: 'Formulario',
    fields: { name: { 'ui:title': 'Nombre' } },
    visible: { name: visible },
    actions: [{ event: 'submit', text: 'Seguir', primary: true }],
  },
  'schemas/form/ui.pt.json': {
    title: 'Formulário',
    fields: { name: { 'ui:title': 'Nome' } },
    actions: { submit: 'Seguir' },
  },
  'flows/flow.json': {
    id: 'flow',
    initial: 'one',
    states: { one: { path: '/one', screen: 'form', on: { submit: { assign: { said: assigned }, target: 'one' } } } },
  },
});
const listProblems = async (files: Files) =>
  (await loadProject(files)).problems
    .filter(({ message }) => message.includes('shout'))
    .map(({ file, message }) => ({ file, message }));

test('compiler rejects a plugin operator in a flow', async () => {
  expect(await listProblems(project({ shout: [{ var: 'form.name' }] }, { '==': [1, 1] }))).toEqual([
    { file: 'flows/flow.json', message: 'The operator "shout" belongs to a plugin, and flows cannot use plugins.' },
  ]);
  expect(
    await listProblems(project({ cat: [{ shout: ['a'] }, '!'] }, { '==': [1, 1] })),
    'nested in another operator',
  ).toHaveLength(1);
});

test('compiler accepts a plugin operator in the rules of a screen', async () => {
  expect(await listProblems(project({ cat: ['a'] }, { '==': [{ shout: ['a'] }, 'A'] }))).toEqual([]);
});

test.each([
  ['a visibility rule', {}, { visible: { name: { '==': [{ shout: ['a'] }, 'A'] } } }],
  ['a computed field', { computed: { name: { cat: [{ shout: ['a'] }, '!'] } } }, {}],
  ['a rule in a list of actions', {}, { actions: [{ event: 'go', text: 'Ir', visible: { shout: [''] } }] }],
])('[ENG-02] compiled screen lists the plugin of an operator in %s', (_, more, ui) => {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, ...more };
  const plugins = { byName: new Map(), rules: new Map(), formats: new Map(), operators: new Map([['shout', 'loud']]) };
  const conditions = { requiredWhen: {}, offeredWhen: {}, decidedBy: {} };
  const { rulePlugins } = compileLanguageNeutralScreen(
    { id: 'form', schema, ui, conditions } as never,
    plugins,
    new DefinitionLoadCache(),
  ); // cast: only the parts of a screen that have rules
  expect(rulePlugins).toEqual(['loud']);
});
