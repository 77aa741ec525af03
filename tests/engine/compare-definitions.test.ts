import { expect, test } from 'vitest';
import { formatDefinitionChanges, formatDefinitionChange } from '../../src/cli/definitions/definition-changes.ts';
import { compareDefinitions } from '../../src/engine/compiler/compare/compare-definitions.ts';
import { DefinitionLoadCache } from '../../src/engine/compiler/sources/load-cache.ts';
import { changeSample, loadUncheckedProject, sampleProject, sampleOptions, type Files } from './support/project.ts';
import { savedBookingFlow, createSavedWizard } from './support/saved-wizard.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Change = (content: any) => void;
const schema = (change: Change) => changeSample('schemas/form/schema.json', change);
const ui = (change: Change) => changeSample('schemas/form/ui.json', change);
const pt = (change: Change) => changeSample('schemas/form/ui.pt.json', change);
const flow = (change: Change) => changeSample('flows/main.json', change);

/** The sample project with its field `extra` inside an object. */
function createNestedField(change: Change = () => undefined): Files {
  const files: Record<string, any> = structuredClone(sampleProject);
  const [form, own, twin] = ['schema', 'ui', 'ui.pt'].map((name) => files[`schemas/form/${name}.json`]);
  const { extra, ...properties } = form.properties;
  form.properties = { ...properties, more: { type: 'object', properties: { extra } } };
  change(form.properties.more);
  delete own.visible;
  for (const { fields } of [own, twin]) {
    fields.more = { 'ui:title': 'Lo demás', extra: fields.extra };
    delete fields.extra;
  }
  return files;
}

const common = (bye: string): Files => ({ ...sampleProject, 'schemas/_shared/texts/portal.json': { bye } });

/** The sample project with a list of people and a list of numbers. */
function createLists(change: Change = () => undefined): Files {
  const files: Record<string, any> = structuredClone(sampleProject);
  const [form, own, twin] = ['schema', 'ui', 'ui.pt'].map((name) => files[`schemas/form/${name}.json`]);
  const name = { type: 'string', minLength: 2, maxLength: 20 };
  const person = { type: 'object', required: ['name'], properties: { name, nick: { type: 'string', maxLength: 9 } } };
  form.properties.people = { type: 'array', maxItems: 3, items: person };
  form.properties.numbers = { type: 'array', maxItems: 3, items: { type: 'integer', minimum: 1 } };
  change(form.properties);
  for (const { fields } of [own, twin]) {
    const items = { 'ui:title': 'Persona', name: { 'ui:title': 'Nombre' }, nick: { 'ui:title': 'Apodo' } };
    fields.people = { 'ui:title': 'Personas', items };
    fields.numbers = { 'ui:title': 'Números', items: { 'ui:title': 'Número' } };
  }
  return files;
}

const access = sampleOptions.access!;
const open = (word: string) => flow((c) => (c.states.done.access = word));

/** The wizard with saved progress that expires after a number of days. */
function createExpiringWizard(days: number | null, without?: readonly string[]): Files {
  const { save, ...rest } = savedBookingFlow;
  const own = days === null ? {} : { save: { ...save, days, ...(without && { without }) } };
  return { ...createSavedWizard(), 'flows/main.json': { ...rest, ...own } };
}

const cache = new DefinitionLoadCache();

const read = (files: Files) => loadUncheckedProject(files, cache);

test.each<[string, boolean, Files, Files]>([
  ['main: la dirección /done ya no existe', true, sampleProject, flow((c) => delete c.states.done.path)],
  ['main: dirección nueva: /done', false, flow((c) => delete c.states.done.path), sampleProject],
  ['main: /done: el acceso pasó de "anyone" a "citizen"', true, sampleProject, open('citizen')],
  ['main: /done: el acceso pasó de "citizen" a "anyone"', false, open('citizen'), sampleProject],
  ['main: /done: el acceso pasó de "citizen" a "account"', true, open('citizen'), open('account')],
  ['main: /done: el acceso pasó de "account" a "citizen"', false, open('account'), open('citizen')],
  ['main: /done: el acceso pasó de "guest" a "anyone"', false, open('guest'), sampleProject],
  ['main: /done: el acceso pasó de "citizen" a "guest"', true, open('citizen'), open('guest')],
  ['main: ya no lee "ref" de la dirección', true, flow((c) => (c.context.query = ['ref'])), sampleProject],
  ['main: ya no guarda los pasos de quien ingresó', true, createExpiringWizard(7), createExpiringWizard(null)],
  ['main: guarda los pasos de quien ingresó, por 7 días', false, createExpiringWizard(null), createExpiringWizard(7)],
  ['main: guarda los pasos 3 días, antes 7', true, createExpiringWizard(7), createExpiringWizard(3)],
  ['main: guarda los pasos 7 días, antes 3', false, createExpiringWizard(3), createExpiringWizard(7)],
  ['main: ya no guarda «/hour»', false, createExpiringWizard(7), createExpiringWizard(7, ['/hour'])],
  ['form: «Más» pasó a ser obligatorio', true, sampleProject, schema((c) => c.required.push('extra'))],
  ['form: «Más» dejó de ser obligatorio', false, schema((c) => c.required.push('extra')), sampleProject],
  [
    'form: «Más» pasó a ser obligatorio',
    true,
    createNestedField(),
    createNestedField((group) => (group.required = ['extra'])),
  ],
  ['form: «Más» ya no está', true, sampleProject, schema((c) => delete c.properties.extra)],
  ['form: campo nuevo: «Más»', false, schema((c) => delete c.properties.extra), sampleProject],
  [
    'form: «Clave»: minLength es más estricto (8 → 10)',
    true,
    sampleProject,
    schema((c) => (c.properties.secret.minLength = 10)),
  ],
  [
    'form: «Clave»: minLength es más amplio (8 → 6)',
    false,
    sampleProject,
    schema((c) => (c.properties.secret.minLength = 6)),
  ],
  [
    'form: «Clave»: maxLength es más estricto (– → 30)',
    true,
    sampleProject,
    schema((c) => (c.properties.secret.maxLength = 30)),
  ],
  ['form: «Tipo»: ya no se puede elegir "b"', true, sampleProject, schema((c) => (c.properties.kind.enum = ['a']))],
  ['form: «Tipo»: se puede elegir "c"', false, sampleProject, schema((c) => c.properties.kind.enum.push('c'))],
  ['form: «Más»: cambió pattern (– → "^a")', true, sampleProject, schema((c) => (c.properties.extra.pattern = '^a'))],
  ['form: Título (es): "Formulario" → "Otro"', false, sampleProject, ui((c) => (c.title = 'Otro'))],
  [
    'form: Campo «Casilla», nombre (es): "Correo" → "Casilla"',
    false,
    sampleProject,
    ui((c) => (c.fields.email['ui:title'] = 'Casilla')),
  ],
  ['form: Botón «submit» (pt): "Enviar" → "Mandar"', false, sampleProject, pt((c) => (c.actions.submit = 'Mandar'))],
  ['schemas/_shared/texts/portal.json: bye: "Chau" → "Adiós"', false, common('Chau'), common('Adiós')],
  [
    'form: «Nombre»: minLength es más estricto (2 → 3)',
    true,
    createLists(),
    createLists((c) => (c.people.items.properties.name.minLength = 3)),
  ],
  [
    'form: «Apodo» pasó a ser obligatorio',
    true,
    createLists(),
    createLists((c) => c.people.items.required.push('nick')),
  ],
  [
    'form: «Número»: minimum es más amplio (1 → 0)',
    false,
    createLists(),
    createLists((c) => (c.numbers.items.minimum = 0)),
  ],
  ['form: «Apodo» ya no está', true, createLists(), createLists((c) => delete c.people.items.properties.nick)],
  [
    'form: «Personas»: maxItems es más estricto (3 → 2)',
    true,
    createLists(),
    createLists((c) => (c.people.maxItems = 2)),
  ],
  ['form: «Más»: cambió cuándo se muestra', false, sampleProject, ui((c) => delete c.visible)],
  [
    'form: «Más»: cambió cómo se calcula',
    false,
    sampleProject,
    schema((c) => (c.computed = { extra: { var: 'form.kind' } })),
  ],
])(
  '[EST-05] compareDefinitions reports the change "%s", breaking: %s (case %#)',
  async (line, breaking, before, after) => {
    const changes = compareDefinitions(await read(before), await read(after), access);
    expect(
      changes.map((change) => [`${change.where}: ${formatDefinitionChange(change, 'es')}`, change.breaking]),
    ).toContainEqual([line, breaking]);
  },
);

test('[EST-05] compareDefinitions reports a change inside a list once, at the changed field', async () => {
  const before = await read(createLists());
  const after = await read(createLists((c) => (c.people.items.properties.name.minLength = 3)));
  expect(compareDefinitions(before, after, access)).toHaveLength(1);
});

test('[EST-05] formatDefinitionChanges lists breaking changes first, and reports no change between equal definitions', async () => {
  const now = {
    ...schema((c) => c.required.push('extra')),
    'schemas/form/ui.json': ui((c) => (c.title = 'Otro'))['schemas/form/ui.json'],
  };
  const list = formatDefinitionChanges(compareDefinitions(await read(sampleProject), await read(now), access), 'es');
  expect(list.split('\n')).toEqual([
    'Rompe algo de lo que había:',
    '  form: «Más» pasó a ser obligatorio',
    'No rompe nada:',
    '  form: Título (es): "Formulario" → "Otro"',
    '',
  ]);
  expect(
    formatDefinitionChanges(compareDefinitions(await read(sampleProject), await read(sampleProject), access), 'es'),
  ).toBe('No cambió nada.\n');
});
