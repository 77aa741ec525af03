import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import messages from '../../schemas/_shared/messages.json' with { type: 'json' };
import { listScreenRenameTargets } from '../../src/studio/editor/tasks/rename-form.tsx';
import { FieldRename, renameFieldInDefinition } from '../../src/studio/server/rename/field-renaming.ts';
import { createRenaming, applyRenaming } from '../../src/studio/server/rename/plan-rename.ts';
import type { Json } from '../../src/engine/core/json.ts';
import type { FileChange, RenameRequest } from '../../src/studio/studio-api-types.ts';
import { ProjectCopy } from './support/project-copy.ts';

const street = new FieldRename('domicilio.calle', 'via');
const number = new FieldRename('telefonos.items.numero', 'cifras');

test('[EST-10] FieldRename renames a nested field wherever its full name occurs, and no other field', () => {
  expect(street.renameInName('domicilio.calle')).toBe('domicilio.via');
  expect(street.renameInName('domicilio.calle.0')).toBe('domicilio.via.0');
  expect(street.renameInName('calle', ['domicilio'])).toBe('via');
  for (const [name, within] of [
    ['calle', []],
    ['domicilio.calles', []],
    ['trabajo.calle', []],
    ['calle', ['trabajo']],
    ['domicilio', []],
    ['x', ['domicilio', 'calle']],
  ] as const)
    expect(street.renameInName(name, within)).toBe(name);
  expect(number.renameInName('telefonos.2.numero')).toBe('telefonos.2.cifras');
  expect(number.renameInName('numero', ['telefonos', 0])).toBe('cifras');
  expect(number.renameInVariable('item.numero', true)).toBe('item.cifras');
  expect(number.renameInVariable('item.numero'), 'a field outside the list').toBe('item.numero');
  expect(street.renameInVariable('form.domicilio.calle')).toBe('form.domicilio.via');
  expect(
    street.renameInHtml('<p data-field="domicilio.calle" id="field-domicilio-calle-error" for="field-calle">'),
  ).toBe('<p data-field="domicilio.via" id="field-domicilio-via-error" for="field-calle">');
  expect(number.renameInHtml('<input id="field-telefonos-1-numero" name="telefonos.1.numero">')).toBe(
    '<input id="field-telefonos-1-cifras" name="telefonos.1.cifras">',
  );
});

describe('[EST-10] renaming of a nested field', () => {
  const around = {
    set: { plugins: { rules: new Map([['matches', { rule: { keyword: 'matches', reads: () => [] } }]]) } },
    flows: [],
  };
  const of = (from: string, to: string) =>
    createRenaming(
      { kind: 'field', of: 'contacto', from, to },
      around as unknown as Parameters<typeof createRenaming>[1],
    ); // a partial fake: the renaming reads only these properties
  const both = (from: string, to: string, file: string, text: (name: string) => object) => {
    const [last = ''] = from.split('.').slice(-1);
    expect(JSON.parse(applyRenaming(file, JSON.stringify(text(last)), of(from, to)))).toEqual(text(to));
  };

  test('changes rules, requirements, conditions, references and formulas for a field of a group', () => {
    both('domicilio.calle', 'via', 'schemas/contacto/schema.json', (name) => ({
      required: ['calle'],
      properties: {
        calle: { type: 'string' },
        domicilio: {
          required: ['puerta', name],
          dependentRequired: { [name]: ['puerta'], puerta: [name] },
          properties: {
            [name]: {},
            otra: { matches: { field: `domicilio.${name}` } },
            dentro: { properties: { calle: {} } },
          },
        },
        trabajo: { properties: { calle: { $ref: `#/properties/domicilio/properties/${name}` } }, required: ['calle'] },
      },
      allOf: [
        {
          if: { properties: { domicilio: { properties: { [name]: { const: 'calle' } }, required: [name] } } },
          then: { required: ['calle'], properties: { domicilio: { required: [name] } } },
        },
      ],
      computed: { calle: { cat: [{ var: `form.domicilio.${name}` }, { var: 'form.calle' }] } },
    }));
  });

  test('changes rules that read the items of a list, and rules within the items', () => {
    both('telefonos.items.numero', 'cifras', 'schemas/contacto/schema.json', (name) => ({
      properties: {
        numero: {},
        telefonos: {
          items: { required: [name], properties: { [name]: {}, otro: { matches: { field: name } } } },
        },
        otros: { items: { properties: { numero: { matches: { field: 'numero' } } } } },
      },
      computed: {
        suma: { reduce: [{ var: 'form.telefonos' }, { '+': [{ var: 'accumulator' }, { var: `current.${name}` }] }, 0] },
        alguno: {
          some: [{ filter: [{ var: 'form.telefonos' }, { var: [name] }] }, { '==': [{ var: name }, 'numero'] }],
        },
        ajeno: { reduce: [{ var: 'form.otros' }, { '+': [{ var: 'accumulator' }, { var: 'current.numero' }] }, 0] },
      },
    }));
    both('telefonos.items.numero', 'cifras', 'schemas/contacto/ui.json', (name) => ({
      fields: { numero: {}, telefonos: { items: { 'ui:order': [name, 'tipo'], [name]: { 'ui:title': 'numero' } } } },
      visible: {
        'telefonos.items.tipo': { var: `item.${name}` },
        [`telefonos.items.${name}`]: { var: 'item.tipo' },
        'otros.items.numero': { var: 'item.numero' },
      },
      messages: { [`telefonos.items.${name}`]: { pattern: 'numero' }, numero: {} },
    }));
  });

  test('changes translations, cases, lint exceptions and reasons for uncovered rules', () => {
    both('domicilio.calle', 'via', 'schemas/contacto/ui.pt.json', (name) => ({
      fields: { calle: {}, domicilio: { 'ui:order': [name], [name]: { 'ui:title': 'calle' } } },
      visible: { [`domicilio.${name}`]: { var: 'form.calle' }, otro: { '!': { var: `form.domicilio.${name}` } } },
      messages: { [`domicilio.${name}`]: { required: 'x' } },
      sections: [{ fields: ['domicilio', 'calle'] }],
    }));
    both('telefonos.items.numero', 'cifras', 'tests/fixtures/contacto.json', (name) => ({
      data: { numero: 'x', telefonos: [{ [name]: '1', dentro: { numero: 2 } }] },
      cases: {
        uno: { with: { telefonos: [{}, { [name]: 'x' }] }, errors: { [`telefonos.1.${name}`]: 'numero' } },
        dos: {
          without: [`telefonos.0.${name}`, 'numero'],
          context: { numero: 1, earlier: { telefonos: [{ [name]: 1 }] } },
        },
      },
    }));
    both('domicilio.calle', 'via', 'schemas/_lint.json', (name) => [
      { file: 'schemas/contacto/schema.json', pointer: `/properties/domicilio/properties/${name}/maxLength` },
      { file: 'schemas/contacto/ui.json', pointer: `/fields/domicilio/${name}/ui:title` },
      { file: 'schemas/contacto/ui.json', pointer: `/messages/domicilio.${name}/required` },
      { file: 'schemas/otra/ui.json', pointer: '/messages/domicilio.calle/required' },
    ]);
    both('domicilio.calle', 'via', 'tests/definitions/uncovered-rules.json', (name) => [
      { screen: 'contacto', field: `domicilio.${name}`, pointer: `/properties/domicilio/properties/${name}/maxLength` },
      { screen: 'otra', field: 'domicilio.calle' },
    ]);
  });

  test('changes assignments, prefilled and cleared fields and error guards of a flow, and its scenarios', () => {
    const drawing = {
      ...around,
      flows: [
        {
          id: 'contacto',
          initial: 'formulario',
          states: { formulario: { screen: 'contacto' }, otro: { screen: 'otra' } },
        },
      ],
    };
    const flow = (name: string): Json => ({
      save: { without: [`/domicilio/${name}`] },
      states: {
        formulario: {
          screen: 'contacto',
          prefill: { domicilio: { [name]: 'context.calle' }, telefonos: [{ calle: '1' }] },
          on: {
            submit: {
              assign: { calle: `form.domicilio.${name}` },
              guard: { [`form.domicilio.${name}`]: 'calle' },
              onError: { guard: { 'error.field': `domicilio.${name}` }, clear: [`/domicilio/${name}`, '/calle'] },
            },
            otro: { guard: { '==': [{ var: 'error.field' }, `domicilio.${name}`] } },
          },
        },
        otro: { screen: 'otra', on: { submit: { assign: { x: 'form.domicilio.calle' } } } },
      },
    });
    const wish: RenameRequest = { kind: 'field', of: 'contacto', from: 'domicilio.calle', to: 'via' };
    const renaming = createRenaming(wish, drawing as unknown as Parameters<typeof createRenaming>[1]); // a partial fake: the renaming reads only these properties
    expect(JSON.parse(applyRenaming('flows/contacto.json', JSON.stringify(flow('calle')), renaming))).toEqual(
      flow('via'),
    );
    const walks = (name: string): Json => ({
      walks: [
        {
          name: 'calle',
          steps: [
            {
              fill: { domicilio: { [name]: 'calle' }, calle: 'x' },
              raise: 'submit',
              operations: [
                { operation: 'x', error: { field: `domicilio.${name}`, errors: { [`domicilio.${name}`]: 'x' } } },
              ],
              then: { state: 'formulario', errors: { [`domicilio.${name}`]: 'x' } },
            },
          ],
        },
      ],
    });
    expect(
      JSON.parse(applyRenaming('tests/definitions/walks/contacto.json', JSON.stringify(walks('calle')), renaming)),
    ).toEqual(walks('via'));
  });

  test('changes rules, order and texts of its shared definition, and no other definition', () => {
    const layer = { file: 'schemas/_shared/address.json', pointer: '/$defs/uy', holder: '' };
    const file = (name: string): Json => ({
      $defs: {
        uy: {
          type: 'object',
          required: [name],
          properties: { [name]: { $ref: '#/$defs/calle' } },
          ui: { 'ui:title': 'calle', 'ui:order': [name, '*'], [name]: { 'ui:title': 'calle' } },
        },
        calle: { type: 'string' },
        otra: { properties: { calle: {} }, required: ['calle'], ui: { calle: {} } },
      },
    });
    expect(JSON.parse(renameFieldInDefinition(JSON.stringify(file('calle')), street, layer))).toEqual(file('via'));
  });
});

describe('[EST-10] renaming of a nested field in the product', () => {
  let project: ProjectCopy;
  beforeEach(async () => {
    project = await ProjectCopy.make();
  });
  afterEach(() => project.remove());

  const edit = (file: string, edits: FileChange['edits'] & object): FileChange => ({
    file,
    base: project.set.files[file]?.version ?? null,
    edits,
  });
  const text = { type: 'string', maxLength: 9, pattern: '^[a-z]+$' };
  const titled = { 'ui:title': 'Uno' };

  async function prepare(): Promise<void> {
    const { file, version } = await project.cases('contacto');
    await project.write([
      edit('schemas/_shared/answers.json', [
        {
          pointer: '/$defs/lugar',
          value: { type: 'object', required: ['calle'], properties: { calle: text }, ui: { ...titled, calle: titled } },
        },
      ]),
      edit('schemas/_shared/answers.pt.json', [
        { pointer: '/$defs/lugar', value: { ui: { ...titled, calle: titled } } },
      ]),
      edit('schemas/contacto/schema.json', [
        { pointer: '/properties/domicilio', value: { $ref: '../_shared/answers.json#/$defs/lugar' } },
        { pointer: '/properties/trabajo', value: { $ref: '../_shared/answers.json#/$defs/lugar' } },
        {
          pointer: '/properties/telefonos',
          value: {
            type: 'array',
            maxItems: 3,
            items: { type: 'object', required: ['numero'], properties: { numero: { type: 'number' }, tipo: text } },
          },
        },
        { pointer: '/properties/total', value: { type: 'number' } },
        {
          pointer: '/computed',
          value: {
            total: {
              reduce: [{ var: 'form.telefonos' }, { '+': [{ var: 'accumulator' }, { var: 'current.numero' }] }, 0],
            },
          },
        },
      ]),
      ...['ui', 'ui.pt'].map((name) =>
        edit(`schemas/contacto/${name}.json`, [
          { pointer: '/fields/telefonos', value: { ...titled, items: { ...titled, numero: titled, tipo: titled } } },
          { pointer: '/fields/total', value: titled },
          ...(name === 'ui'
            ? [
                { pointer: '/visible', value: { 'telefonos.items.tipo': { '>': [{ var: 'item.numero' }, 1] } } },
                { pointer: '/messages/domicilio.calle', value: { pattern: 'Solo letras.' } },
              ]
            : [{ pointer: '/messages/domicilio.calle', value: { pattern: 'Somente letras.' } }]),
        ]),
      ),
      {
        file,
        base: version,
        edits: [
          {
            pointer: '/cases/numero',
            value: {
              note: 'Un teléfono sin número.',
              with: { telefonos: [{ tipo: 'a' }] },
              errors: { 'telefonos.0.numero': messages.required },
            },
          },
          {
            pointer: '/cases/calle',
            value: {
              note: 'Una calle con cifras.',
              with: { domicilio: { calle: '1' }, telefonos: [{ numero: 1 }] },
              errors: { 'domicilio.calle': 'Solo letras.' },
            },
          },
        ],
      },
    ]);
  }

  test('changes a field of a list in all files, which still compile', async () => {
    await prepare();
    const names = listScreenRenameTargets(project.set, 'contacto').map(({ from }) => from);
    expect(names).toEqual(expect.arrayContaining(['telefonos', 'telefonos.items.numero', 'domicilio.calle']));
    expect(names).not.toContain('telefonos.items');
    const wish: RenameRequest = { kind: 'field', of: 'contacto', from: 'telefonos.items.numero', to: 'cifras' };
    const { refused, answer, changes } = await project.rename(wish);
    expect([refused, answer?.outcome]).toEqual([null, 'fine']);
    const before = await project.text('tests/fixtures/contacto.json');
    const kept = changes.map((change) => (change.file.startsWith('tests/') ? { ...change, text: before } : change));
    const request = { changes: kept, dryRun: true, field: 'telefonos.items.cifras' };
    expect((await project.writer.writeChanges(request)).outcome, 'cases that name it as it was').toBe('mismatched');
    await project.write(changes, { field: 'telefonos.items.cifras' });
    for (const file of ['schema', 'ui', 'ui.pt']) {
      const own = await project.text(`schemas/contacto/${file}.json`);
      expect(own).toContain('cifras');
      expect(own.replaceAll('numero_documento', '')).not.toMatch(/numero"/);
    }
    expect(await project.text('schemas/contacto/ui.json')).toContain('"item.cifras"');
    expect((await project.rename({ ...wish, from: 'telefonos.items.cifras', to: 'tipo' })).refused).toBe('taken');
    expect((await project.rename({ ...wish, from: 'telefonos.items.nada' })).refused).toBe('unknown');
  });

  test('changes a field of a shared definition wherever the definition is used', async () => {
    await prepare();
    const wish: RenameRequest = { kind: 'field', of: 'contacto', from: 'trabajo.calle', to: 'via' };
    const { answer, changes } = await project.rename(wish);
    expect(answer?.outcome).toBe('fine');
    expect(changes.map(({ file }) => file)).toEqual([
      'schemas/contacto/ui.json',
      'schemas/contacto/ui.pt.json',
      'tests/fixtures/contacto.json',
      'schemas/_shared/answers.json',
      'schemas/_shared/answers.pt.json',
    ]);
    await project.write(changes, { field: 'trabajo.via' });
    expect(await project.text('tests/fixtures/contacto.json')).toMatch(/"domicilio": \{\s*"via": "1"\s*\}/);
    expect(await project.text('schemas/contacto/ui.json')).toContain('"domicilio.via"');
  });
});
