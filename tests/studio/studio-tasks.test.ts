import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import { readStudioCases } from '../../src/studio/server/read-studio-definitions.ts';
import type { LiveDefinitions } from '../../src/engine/compiler/definitions.ts';
import { createNewEventChanges, createErrorBranchChanges } from '../../src/studio/editor/tasks/new-event-form.tsx';
import {
  removeWrittenEdits,
  rebaseEdits,
  listEditConflicts,
  emptyUnsavedEditHistory,
  stageEdit,
} from '../../src/studio/editor/pending-edits.ts';
import { createRequiredEdits } from '../../src/studio/editor/fields/field-pointers.ts';
import { createNewFieldChanges } from '../../src/studio/editor/fields/new-field-changes.ts';
import { emptyNewField, type NewField, listSharedFieldKinds } from '../../src/studio/editor/fields/new-field.ts';
import { createVisibilityChange } from '../../src/studio/editor/tasks/editable-rules.ts';
import type {
  FileChange,
  StudioDefinitions,
  DefinitionWriteResult,
  DefinitionWriteChecks,
} from '../../src/studio/studio-api-types.ts';
import { parseScreenCases } from '../../src/cli/definitions/cases/screen-cases.ts';
import { root } from '../definitions/support/fixtures.ts';
import { openStudio } from './support/open-studio.ts';
import { ProjectCopy } from './support/project-copy.ts';

let definitions: LiveDefinitions;
let writer: DefinitionWriter;
let set: StudioDefinitions;
/** For changes of the screen `contacto`, which compile much faster in a small project. */
let small: ProjectCopy;
const both = (es: string, pt: string) => ({ es, pt });
const field: NewField = {
  ...emptyNewField,
  name: 'canal',
  kind: 'choice',
  label: both('Canal', 'Canal'),
  help: both('Por dónde te respondemos.', 'Por onde respondemos.'),
  required: true,
  rule: 'none',
  choices: [
    { value: 'correo', es: 'Correo', pt: 'E-mail' },
    { value: 'telefono', es: 'Teléfono', pt: 'Telefone' },
  ],
  good: 'correo',
};

beforeAll(async () => {
  ({ definitions, set, writer } = await openStudio());
  small = await ProjectCopy.make();
});
afterAll(() => small.remove());

function dryRunChanges(
  changes: readonly FileChange[],
  checks: DefinitionWriteChecks = {},
  by = writer,
): Promise<DefinitionWriteResult> {
  const request = { changes, dryRun: true, ...checks };
  return by.writeChanges(request);
}

/** Compiles the changes without writing them. Returns the resulting texts. */
async function compileChanges(
  changes: readonly FileChange[],
  checks?: DefinitionWriteChecks,
  by?: DefinitionWriter,
): Promise<Readonly<Record<string, string>>> {
  const answer = await dryRunChanges(changes, checks, by);
  if (answer.outcome !== 'fine') throw new Error(JSON.stringify(answer));
  return Object.fromEntries(answer.files.map(({ file, text }) => [file, text]));
}

test('[EST-10] createNewFieldChanges adds a required choice before the captcha, in every case and in both languages', async () => {
  const cases = await small.cases('contacto');
  const changes = createNewFieldChanges(small.set, 'contacto', field, cases);
  const texts = await compileChanges(changes, { field: field.name }, small.writer);
  const schema = JSON.parse(texts['schemas/contacto/schema.json'] ?? '') as { required: string[]; properties: object };
  expect(schema.required.slice(-2)).toEqual(['canal', 'captcha_response']);
  expect(Object.keys(schema.properties).slice(-2)).toEqual(['canal', 'captcha_response']);
  expect(texts['schemas/contacto/ui.pt.json']).toContain('"ui:enumNames": ["E-mail", "Telefone"]');
  const changed = parseScreenCases(texts[cases.file] ?? '{}').cases;
  expect(changed.map(({ data }) => data)).toEqual(cases.list.map(({ data }) => ({ ...data, canal: 'correo' })));
});

test('[EST-06] createNewFieldChanges writes a valid field of each kind, and a shared definition as a reference', async () => {
  const cases = await small.cases('contacto');
  const own: NewField = { ...field, name: 'otro', required: false, choices: [], good: '' };
  const shared =
    listSharedFieldKinds(small.set).find(({ reference }) => reference.endsWith('person.json#/$defs/email')) ?? null;
  expect(shared?.label).toEqual(both('Correo electrónico', 'E-mail'));
  const fields: readonly (readonly [NewField, schema: object])[] = [
    [
      { ...own, kind: 'date' },
      { type: 'string', format: 'date' },
    ],
    [
      { ...own, kind: 'datetime' },
      { type: 'string', format: 'date-time' },
    ],
    [
      { ...own, kind: 'time' },
      { type: 'string', format: 'time' },
    ],
    [{ ...own, kind: 'decimal' }, { type: 'number' }],
    [
      { ...own, kind: 'file' },
      { type: 'string', writeOnly: true, file: { maxKb: 2048 } },
    ],
    [
      { ...own, kind: 'choices', choices: field.choices },
      { type: 'array', uniqueItems: true, items: { type: 'string', enum: ['correo', 'telefono'] } },
    ],
    [{ ...own, shared }, { $ref: shared?.reference }],
  ];
  for (const [one, expected] of fields) {
    const changes = createNewFieldChanges(small.set, 'contacto', one, cases);
    const texts = await compileChanges(changes, { field: one.name }, small.writer);
    const schema = JSON.parse(texts['schemas/contacto/schema.json'] ?? '') as { properties: Record<string, object> };
    expect(schema.properties['otro']).toEqual(expected);
    const ui = JSON.parse(texts['schemas/contacto/ui.json'] ?? '') as { fields: Record<string, object> };
    expect(Object.hasOwn(ui.fields['otro'] ?? {}, 'ui:enumNames')).toBe(one.kind === 'choices' && one.shared === null);
  }
  const alike = createNewFieldChanges(
    small.set,
    'contacto',
    { ...own, shared, label: shared?.label ?? both('', ''), help: both('', '') },
    cases,
  );
  expect(alike.map(({ file }) => file)).toEqual(['schemas/contacto/schema.json']);
});

test('[EST-06 EST-10] createNewFieldChanges adds a field to its section, with texts in both languages and a case with its message', async () => {
  const own: NewField = {
    ...field,
    kind: 'text',
    required: false,
    rule: 'digits',
    good: '7',
    message: both('Solo cifras.', 'Somente dígitos.'),
    section: 0,
  };
  const texts = await compileChanges(
    createNewFieldChanges(set, 'feedback', own, await readStudioCases(root, definitions, 'feedback')),
    { field: own.name, propose: { screen: 'feedback', fields: [own.name] } },
  );
  expect(JSON.parse(texts['schemas/feedback/ui.json'] ?? '')).toMatchObject({
    sections: { 0: { fields: expect.arrayContaining(['pregunta_3_checkbox_6', 'canal']) as string[] } },
  });
  expect(JSON.parse(texts['schemas/feedback/ui.pt.json'] ?? '')).toMatchObject({
    fields: { canal: { 'ui:title': 'Canal' } },
    messages: { canal: { pattern: 'Somente dígitos.' } },
  });
  expect(JSON.parse(texts['tests/fixtures/feedback.json'] ?? '')).toMatchObject({
    cases: {
      'con-canal': { note: 'Con «Canal».', with: { canal: '7' } },
      'propuesta-canal-pattern': { with: { canal: 'x' }, errors: { canal: 'Solo cifras.' } },
      'propuesta-canal-pattern-2': { with: { canal: '-7' }, errors: { canal: 'Solo cifras.' } },
      'propuesta-canal-pattern-3': { with: { canal: '7-' }, errors: { canal: 'Solo cifras.' } },
      'propuesta-canal-maxLength-1': {
        with: { canal: 'a'.repeat(201) },
        errors: { canal: 'Asegúrese de que este campo no tenga más de 200 caracteres.' },
      },
    },
  });
});

test('[EST-10] a rule that rejects its valid value is reported as mismatched cases', async () => {
  const { list, ...file } = await small.cases('contacto');
  const cases = { ...file, list: list.slice(0, 1) };
  const own: NewField = { ...field, kind: 'text', rule: 'digits', good: 'abc' };
  const checks = { field: own.name, propose: { screen: 'contacto', fields: [own.name] } };
  const changes = createNewFieldChanges(small.set, 'contacto', own, cases);
  expect(await dryRunChanges(changes, checks, small.writer)).toMatchObject({
    outcome: 'mismatched',
    cases: expect.arrayContaining([
      expect.objectContaining({
        name: list[0]?.name,
        fault: expect.objectContaining({ field: 'canal', expected: '' }) as object,
      }),
    ]) as object[],
  });
});

test('[EST-06] createRequiredEdits adds and removes a requirement, and removing the last visibility rule removes `visible`', () => {
  expect(createRequiredEdits(set, 'contacto', 'email', false)).toEqual([{ pointer: '/required/4' }]);
  expect(createRequiredEdits(set, 'contacto', 'email', true)).toEqual([]);
  expect(createRequiredEdits(set, 'contacto', 'logueado', true)).toEqual([
    { pointer: '/required/-', value: 'logueado', before: '8' },
  ]);
  expect(createVisibilityChange(set, 'desk-acto', 'visto', undefined).edits).toEqual([{ pointer: '/visible' }]);
});

test('[EST-10] createNewEventChanges writes a button in both languages, next to one of the same event, and a new state with its screen', async () => {
  const added = {
    state: 'pedir',
    name: 'ayuda',
    text: both('Pedir ayuda', 'Pedir ajuda'),
    target: '',
    made: {
      name: 'ayuda',
      screen: 'cierre-ayuda',
      path: '/seguridad/cerrar-cuenta/ayuda',
      title: both('Ayuda', 'Ajuda'),
      intro: both('', ''),
    },
  };
  const texts = await compileChanges(createNewEventChanges(set, 'seguridad-cierre', added));
  const { states } = JSON.parse(texts['flows/seguridad-cierre.json'] ?? '{}') as { states: Record<string, object> };
  expect(states['ayuda'], 'the new state has the permissions of the first').toEqual({
    path: '/seguridad/cerrar-cuenta/ayuda',
    screen: 'cierre-ayuda',
    access: 'enrolment',
  });
  const at = (file: string) => JSON.parse(texts[file] ?? '{}') as Record<string, Record<string, unknown>>;
  expect(at('schemas/seguridad-cierre-pedir/ui.pt.json')['actions']).toMatchObject({ ayuda: 'Pedir ajuda' });
  expect(at('schemas/cierre-ayuda/ui.pt.json')).toEqual({
    $schema: '../_formats/translation.schema.json',
    title: 'Ajuda',
    actions: { back: 'Voltar' },
  });
  const again = createNewEventChanges(set, 'seguridad-cierre', { ...added, name: 'submit', target: 'pedir' });
  const twin = again.find(({ file }) => file.endsWith('/ui.pt.json'));
  expect(twin?.edits).toEqual([
    { pointer: '/actions/submit', value: [expect.any(String), 'Pedir ajuda'] as readonly string[] },
  ]);
});

test('[EST-10] createErrorBranchChanges inserts the branch before the existing ones, and keeps an existing notice', async () => {
  const branch = { state: 'datos', event: 'submit', code: 'demasiados_intentos', text: both('x', 'x'), target: '' };
  const [flow, ...others] = createErrorBranchChanges(set, 'elevacion', { ...branch, notice: 'fallo' });
  expect(flow?.edits).toEqual([
    {
      pointer: '/states/datos/on/submit/onError',
      value: [{ guard: { 'error.code': 'demasiados_intentos' }, notice: 'fallo' }, { notice: 'fallo' }],
    },
  ]);
  expect(others).toEqual([]);
});

test('[EST-09] removeWrittenEdits keeps input typed during a write, and listEditConflicts reports changes by others', () => {
  const file = 'flows/ayuda.json';
  const first = stageEdit({}, set, file, { pointer: '/context/path/0', value: 'x' });
  const second = stageEdit(first, set, file, { pointer: '/initial', value: 'y' });
  const typed = { ...emptyUnsavedEditHistory, now: { pending: second, drafts: {} } };
  const { now } = removeWrittenEdits(typed, first, [{ file, version: 'new', text: '' }]);
  expect(now.pending).toEqual({ [file]: { base: 'new', edits: [{ pointer: '/initial', value: 'y' }] } });
  expect(listEditConflicts(now, set).map((conflict) => conflict.file)).toEqual([file]);
  expect(listEditConflicts(rebaseEdits(now, set, new Set()), set)).toEqual([]);
  expect(stageEdit(first, set, file, { pointer: '/context/path/0', value: 'slug' })).toEqual({});
});
