import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expandGuardCondition } from '../../src/engine/compiler/flow/unexpanded-flow-types.ts';
import type { LiveDefinitions } from '../../src/engine/compiler/definitions.ts';
import { loadDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import type { JsonLogic } from '../../src/engine/core/flow-and-screen-types.ts';
import { createDefinitionOptions } from '../../src/server/app/definition-options.ts';
import type { StudioReferenceData } from '../../src/studio/dev-page-data.ts';
import {
  parseRuleConditions,
  buildConditionGroupLogic,
  listConditionOperators,
} from '../../src/studio/editor/tasks/rule-conditions.ts';
import { describeJsonLogic } from '../../src/studio/editor/tasks/describe-json-logic.ts';
import {
  describeGuardPlace,
  listFlowGuards,
  findVisibilityRule,
  findRequiredRule,
  listScreenRules,
  type EditableRule,
} from '../../src/studio/editor/tasks/editable-rules.ts';
import { createRequiredConditionEdits } from '../../src/studio/editor/fields/required-condition.ts';
import { isRequiredField, listSchemaFields } from '../../src/studio/editor/fields/field-pointers.ts';
import { createFlowLabelFormatter } from '../../src/studio/editor/titles.ts';
import type { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import type { StudioDefinitions } from '../../src/studio/studio-api-types.ts';
import { root } from '../definitions/support/fixtures.ts';
import { openStudio } from './support/open-studio.ts';
import { ProjectCopy } from './support/project-copy.ts';

let definitions: LiveDefinitions;
let set: StudioDefinitions;
let referenceData: StudioReferenceData;
let writer: DefinitionWriter;
let rules: readonly EditableRule[];

beforeAll(async () => {
  ({ definitions, set, referenceData, writer } = await openStudio());
  rules = [
    ...Object.keys(set.texts).flatMap((screen) => [
      ...listScreenRules(set, referenceData, screen),
      ...Object.keys(listSchemaFields(set, screen)).map((field) =>
        findVisibilityRule(set, referenceData, screen, field),
      ),
    ]),
    ...Object.keys(set.guards).flatMap((flow) => listFlowGuards(set, referenceData, flow)),
  ];
});

const guardOf = (flow: string, place: string) => {
  const found = listFlowGuards(set, referenceData, flow).find((rule) => rule.place === place);
  if (!found) throw new Error(`${flow} has no guard ${place}`);
  return found;
};
const sentenceOf = ({ logic, names }: EditableRule) => describeJsonLogic(logic ?? true, names);

test('[EST-16] the condition editor reads every rule of the product except `substr`, and writes it back equivalent', () => {
  const written = rules.flatMap(({ logic }) => (logic === undefined ? [] : [logic]));
  expect(written.length).toBeGreaterThan(350);
  const unsaid = written.filter((logic) => parseRuleConditions(logic) === null);
  expect(unsaid.map((logic) => JSON.stringify(logic)).filter((text) => !text.includes('"substr"'))).toEqual([]);
  for (const logic of written) {
    const group = parseRuleConditions(logic);
    if (group) expect(bare(buildConditionGroupLogic(group) ?? true)).toEqual(bare(logic));
  }
});

test('[EST-16] describeJsonLogic describes every rule of the product except `substr` in a sentence without operators', () => {
  const sentences = rules.filter(({ logic }) => !JSON.stringify(logic ?? true).includes('"substr"')).map(sentenceOf);
  expect(sentences.filter((sentence) => /[{}[\]]|==|!|"|\b(?:and|or|var)\b/.test(sentence))).toEqual([]);
});

test('[EST-16] the condition editor offers the choices of a field by label, and not the field of the rule itself', () => {
  const { kinds, list } = findVisibilityRule(set, referenceData, 'feedback', 'pregunta_2').subjects;
  expect(kinds['form.pregunta_1']).toEqual({
    kind: 'number',
    choices: [
      [1, 'Nada útil'],
      [2, 'Poco útil'],
      [3, 'Útil'],
      [4, 'Muy útil'],
    ],
  });
  expect(
    list.map(([path]) => path),
    'a field cannot depend on itself',
  ).not.toContain('form.pregunta_2');
});

describe('[EST-16] condition under which a field is required', () => {
  const screen = 'contacto';
  const subject = { var: 'form.asunto' };
  const cases: readonly JsonLogic[] = [
    subject,
    { '!': subject },
    { var: 'form.logueado' },
    { '==': [subject, 'otro'] },
    { '!=': [subject, 'otro'] },
    { in: [subject, ['otro', 'queja']] },
    { '!': { in: [subject, ['otro', 'queja']] } },
    { and: [{ var: 'form.logueado' }, { or: [{ '==': [subject, 'otro'] }, { '!': { var: 'form.mensaje' } }] }] },
  ];

  let project: ProjectCopy;
  beforeAll(async () => {
    project = await ProjectCopy.make();
  });
  afterAll(() => project.remove());

  const compile = async (logic: JsonLogic | undefined, from = project.set) => {
    const change = findRequiredRule(from, screen, 'telefono')?.change(logic);
    const answer = await project.writer.writeChanges({ changes: change ? [change] : [], dryRun: true });
    if (answer.outcome !== 'fine') throw new Error(JSON.stringify(answer));
    const files = { ...from.files, ...Object.fromEntries(answer.files.map((file) => [file.file, file])) };
    return { files: { ...from, files }, text: answer.files[0]?.text ?? '' };
  };

  test.each(cases)('%j is written as an "if" of the schema, and read back unchanged', async (logic) => {
    const { files } = await compile(logic);
    expect(findRequiredRule(files, screen, 'telefono')?.logic).toEqual(logic);
    expect(isRequiredField(files, screen, 'telefono'), 'not unconditionally required any more').toBe(false);
  });

  test('the validator requires the field exactly under its condition', async () => {
    const { text } = await compile({ '==': [subject, 'otro'] });
    const texts = new Map([['schemas/contacto/schema.json', text]]);
    const { check } = await loadDefinitions({ ...createDefinitionOptions(root), texts }, definitions.cache);
    const errorOf = (asunto: string) => check(screen, { asunto }, { language: 'es', context: {} }).errors['telefono'];
    expect([errorOf('otro'), errorOf('queja')]).toEqual(['Este es un dato requerido', undefined]);
  });

  test('a changed condition replaces its "if", and a removed one leaves no empty "allOf"', () => {
    const file = 'schemas/contacto/schema.json';
    const otherwise = { if: { required: ['mensaje'] }, then: { properties: { asunto: { enum: ['otro'] } } } };
    const own = { if: { required: ['mensaje'] }, then: { required: ['telefono'] } };
    const withParts = (...allOf: readonly object[]): StudioDefinitions => ({
      ...set,
      files: { [file]: { file, version: '1', text: JSON.stringify({ properties: { telefono: {} }, allOf }) } },
    });
    const edit = (from: StudioDefinitions, logic?: JsonLogic) =>
      createRequiredConditionEdits(from, screen, 'telefono', logic);
    expect(edit(withParts(otherwise, own), subject)).toEqual([
      { pointer: '/allOf/1', value: { if: { required: ['asunto'] }, then: { required: ['telefono'] } } },
    ]);
    expect(edit(withParts(otherwise), subject)).toMatchObject([{ pointer: '/allOf/-' }]);
    expect(edit(withParts(otherwise, own))).toEqual([{ pointer: '/allOf/1' }]);
    expect(edit(withParts(own))).toEqual([{ pointer: '/allOf' }]);
    const byHand = { if: { required: ['mensaje'] }, then: { required: ['telefono', 'asunto'] } };
    expect(findRequiredRule(withParts(byHand), screen, 'telefono'), 'not representable in the form').toBeNull();
  });

  test('the editor offers only comparisons that an "if" can contain', () => {
    const subjects = findRequiredRule(set, screen, 'telefono')?.subjects;
    if (!subjects) throw new Error('the screen has no other field');
    expect(subjects.list.map(([path]) => path).filter((path) => !path.startsWith('form.'))).toEqual([]);
    expect(listConditionOperators(subjects, 'form.asunto')).toEqual(['set', 'unset', '==', '!=', 'in', 'notIn']);
  });
});

describe('[EST-16] guard in the condition editor', () => {
  test('is named by its position, and offers the values it can read by name', () => {
    const code = guardOf('contrasena', 'ramas «vencido», rama 1');
    expect(sentenceOf(code)).toBe('el código del error es «invalid_token» o «vinculo_invalido»');
    const entry = guardOf('contrasena', 'Elegí una nueva contraseña, para entrar');
    expect(sentenceOf(entry)).toBe(
      'la variable token tiene valor y la opción «Cambiar y recuperar la contraseña» está encendida',
    );
    const offered = Object.fromEntries(entry.subjects.list);
    expect(offered).toMatchObject({
      'context.email': 'la variable email',
      'flags.ayuda': 'la opción «Enlaces a la ayuda»',
    });
    const named = guardOf('seguridad-correo', 'condición «sinVerificar»');
    expect(sentenceOf(named)).toContain(
      'la opción «Pedir la contraseña antes de cambiarla o de cambiar el correo» está encendida',
    );
    expect(sentenceOf(guardOf('registro', 'paso «Tu contraseña (completar)»'))).toBe('la persona inició sesión');
    const behind = listFlowGuards(set, referenceData, 'elevacion').find(({ pointer }) => pointer.includes('/onError/'));
    expect(behind?.subjects.kinds['error.code']?.choices).toEqual(
      expect.arrayContaining([
        ['usuario_con_videollamada', 'usuario_con_videollamada'],
        ['demasiados_intentos', 'demasiados_intentos'],
      ]),
    );
  });

  test('is written in the short form of the file with the same meaning', async () => {
    const rule = guardOf('contrasena', 'Elegí una nueva contraseña, para entrar');
    const next: JsonLogic = {
      and: [
        { var: 'context.token' },
        { '!': { or: [{ '==': [{ var: 'error.code' }, 'x'] }, { in: [{ var: 'context.email' }, ['a', 'b']] }] } },
        { '>=': [{ var: 'context.minutos' }, 5] },
      ],
    };
    const change = rule.change(next);
    const [edit] = change.edits ?? [];
    expect(edit).toEqual({
      pointer: '/states/nueva/requires/guard',
      value: {
        and: [
          'context.token',
          { '!': { or: [{ 'error.code': 'x' }, { 'context.email': ['a', 'b'] }] } },
          { '>=': [{ var: 'context.minutos' }, 5] },
        ],
      },
    });
    expect(expandGuardCondition(edit?.value ?? null, '', (name) => ({ var: name }))).toEqual(next);
    const compiled = rule.change({ and: [{ var: 'context.token' }, { '>=': [{ var: 'context.minutos' }, 5] }] });
    expect(await writer.writeChanges({ changes: [compiled], dryRun: true })).toMatchObject({ outcome: 'fine' });
  });
});

test('[EST-16] the condition editor lists the rules of buttons, links and sections, and removes one completely', async () => {
  const places = listScreenRules(set, referenceData, 'contacto').map(({ place, logic }) => [
    place,
    logic !== undefined,
  ]);
  expect(places).toEqual(
    expect.arrayContaining([
      ['Botón «submit»', false],
      ['Enlace a /ayuda', true],
      ['Al costado, parte 3', true],
    ]),
  );
  const link = listScreenRules(set, referenceData, 'contacto').find(({ place }) => place === 'Enlace a /ayuda');
  const change = link?.change(undefined);
  expect(change?.edits).toEqual([{ pointer: '/links/0/visible' }]);
  expect(await writer.writeChanges({ changes: change ? [change] : [], dryRun: true })).toMatchObject({
    outcome: 'fine',
  });
});

test.each([
  ['/guards/listo', 'condición «listo»'],
  ['/branches/comienzo/1', 'ramas «comienzo», rama 2'],
  ['/operations/enviar/onDone/0', /^operación «enviar», .*, rama 1$/],
  ['/states/formulario/on/operations', 'Contacto (formulario), operations'],
  ['/states/formulario/on/submit/onError/1', 'Contacto (formulario), Continuar, si falla, rama 2'],
])('[EST-15] describeGuardPlace describes %s in words', (pointer, place) => {
  const said = describeGuardPlace(pointer, createFlowLabelFormatter(set, 'contacto'));
  expect(said).toEqual(typeof place === 'string' ? place : expect.stringMatching(place));
});

/** Normalises a rule: removes `!!`, and arrays around a single operand. */
function bare(logic: JsonLogic): JsonLogic {
  if (Array.isArray(logic)) return logic.map(bare);
  if (typeof logic !== 'object' || logic === null) return logic;
  const [[operator = '', operand = null] = []] = Object.entries(logic) as [string, JsonLogic][];
  const only = Array.isArray(operand) && operand.length === 1 ? (operand[0] as JsonLogic) : operand;
  if (operator === '!!') return bare(only);
  return { [operator]: bare(operator === '!' || operator === 'var' ? only : operand) };
}
