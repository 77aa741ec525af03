import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ValuesByName } from '../../../engine/core/json.ts';
import type { StudioReferenceData } from '../../dev-page-data.ts';
import type { StudioDefinitions } from '../../studio-api-types.ts';
import { findJsonCompletions, listCompletionNames } from './completions.ts';

const formatsFolder = join(import.meta.dirname, '../../../engine/compiler/formats');
const format = (name: string) =>
  JSON.parse(readFileSync(join(formatsFolder, `${name}.schema.json`), 'utf8')) as ValuesByName;
const formats = {
  flow: format('flow.4'),
  ui: format('ui'),
  translation: format('translation'),
  schema: format('screen'),
};
const referenceData: StudioReferenceData = {
  operations: { signUp: [], getCountries: [] },
  commonErrors: [],
  flags: ['sms'],
  personas: [],
  levels: [],
  samples: {},
  widgets: ['text', 'phone'],
  widgetTitles: {},
  keywords: ['matches', 'phone'],
  rules: {},
  formats,
  contentValues: {},
};
const createFileReference = (file: string, content: object) =>
  [file, { file, version: '1', text: JSON.stringify(content) }] as const;
const set: StudioDefinitions = {
  version: '1',
  files: Object.fromEntries([
    createFileReference('schemas/hola/schema.json', {
      properties: { nombre: { type: 'string' }, casa: { properties: { calle: { type: 'string' } } } },
    }),
    createFileReference('schemas/hola/ui.json', {
      title: 'Hola',
      actions: [{ event: 'submit' }],
      links: [{ to: '/ayuda' }, { event: 'help' }],
      notices: { otra: {} },
    }),
  ]),
  texts: { hola: [], chau: [] },
  commonTexts: {},
  documents: [],
  fields: {},
  flows: {
    main: { id: 'main', initial: 'a', states: { a: { screen: 'hola', on: { submit: 'a', help: 'a' } } } },
  } as unknown as StudioDefinitions['flows'], // a partial fake: completions read only these properties
  descriptions: {},
  guards: {},
  shared: { notices: ['retomado'], definitions: ['../_shared/person.json#/$defs/email'] },
  problems: [],
  history: { undo: null, redo: null },
};

/** Returns the completions at the `|` in a text. */
function offered(file: string, kind: keyof typeof formats, written: string): readonly string[] {
  const caret = written.indexOf('|');
  const text = written.replace('|', '');
  const names = (place: Parameters<typeof listCompletionNames>[0]) => listCompletionNames(place, set, referenceData);
  return (findJsonCompletions(text, caret, { file, format: formats[kind], names })?.offers ?? []).map(
    ({ insert }) => insert,
  );
}
const inFlow = (written: string) => offered('flows/main.json', 'flow', written);
const inUi = (written: string) => offered('schemas/hola/ui.json', 'ui', written);
const inSchema = (written: string) => offered('schemas/hola/schema.json', 'schema', written);
const flowAround = (state: string) =>
  `{ "context": { "query": ["token"] }, "states": { "dos": {}, "uno": { "screen": "hola", ${state} } } }`;

describe('[EST-06] completions at the caret', () => {
  test('are the keys of the format with a colon, without keys that the object already has', () => {
    expect(inFlow('{ "initial": "uno", | }')).toEqual(expect.arrayContaining(['"states": ', '"guards": ']));
    expect(inFlow('{ "initial": "uno", | }')).not.toContain('"initial": ');
    expect(inFlow('{ "sta|": {} }'), 'its colon is there').toContain('"states"');
    expect(inUi('{ "title": "Hola", "actions": [{ "| }] }')).toEqual([
      '"event": ',
      '"text": ',
      '"primary": ',
      '"danger": ',
      '"quiet": ',
      '"visible": ',
    ]);
    expect(inSchema('{ "properties": { "nombre": { | } } }')).toEqual(
      expect.arrayContaining(['"maxLength": ', '"matches": ']),
    );
  });

  test('are the values that the format lists', () => {
    expect(inUi('{ "tone": "|" }')).toEqual(['"plain"', '"success"', '"waiting"', '"error"']);
    expect(inUi('{ "fields": { "nombre": { "ui:readonly": | } } }')).toEqual(['true', 'false']);
  });

  test('are the states, operations, screens and notices of the definitions', () => {
    expect(inFlow(flowAround('"on": { "submit": "|" }'))).toEqual(['"dos"', '"uno"']);
    expect(inFlow(flowAround('"on": { "submit": [{ "target": "|" }] }'))).toEqual(['"dos"', '"uno"']);
    expect(inFlow(flowAround('"invoke": { "src": "|" }'))).toEqual(['"signUp"', '"getCountries"']);
    expect(inFlow('{ "states": { "uno": { "screen": | } } }')).toEqual(['"hola"', '"chau"']);
    expect(inFlow(flowAround('"always": { "notice": "|" }'))).toEqual(['"otra"', '"retomado"']);
  });

  test('are the events of the screen, its fields, widgets, definitions and the variables', () => {
    expect(inFlow(flowAround('"on": { | }'))).toContain('"submit": ');
    expect(inFlow(flowAround('"requires": { "guard": { "var": "|" } }'))).toEqual(
      expect.arrayContaining(['"context.token"', '"form.nombre"', '"form.casa.calle"', '"flags.sms"']),
    );
    expect(inUi('{ "visible": { "|" } }')).toEqual(['"nombre": ', '"casa.calle": ']);
    expect(inUi('{ "actions": [{ "event": "|" }] }')).toEqual(['"submit"', '"help"', '"back"']);
    expect(inUi('{ "fields": { "nombre": { "ui:widget": "|" } } }')).toEqual(['"text"', '"phone"']);
    expect(inSchema('{ "properties": { "nombre": { "$ref": "|" } } }')).toEqual([
      '"../_shared/person.json#/$defs/email"',
    ]);
    expect(inSchema('{ "required": ["|"], "properties": { "nombre": {} } }')).toEqual(['"nombre"']);
  });

  test('[ANA-01] are in a translation the keys of its format, and the buttons, links and fields that it translates', () => {
    const inTranslation = (written: string) => offered('schemas/hola/ui.pt.json', 'translation', written);
    expect(inTranslation('{ | }')).toEqual(expect.arrayContaining(['"title": ', '"actions": ']));
    expect(inTranslation('{ | }')).not.toContain('"visible": ');
    expect(inTranslation('{ "actions": { | } }')).toEqual(['"submit": ']);
    expect(inTranslation('{ "links": { | } }')).toEqual(['"/ayuda": ', '"help": ']);
    expect(inTranslation('{ "fields": { | } }')).toContain('"nombre": ');
  });

  test('are empty after the end of a string, in a free text, and in a file without an object', () => {
    expect(inFlow('{ "initial": "uno"| }')).toEqual([]);
    expect(inUi('{ "title": "Ho|" }')).toEqual([]);
    expect(inFlow('|')).toEqual([]);
  });

  test('replace the whole string at the caret, also without a closing quote', () => {
    const at = (text: string, caret: number) =>
      findJsonCompletions(text, caret, { file: 'flows/main.json', format: formats.flow, names: () => [] });
    expect(at('{ "ini": 1 }', 6)).toMatchObject({ from: 2, to: 7 });
    expect(at('{ "ini', 6)).toMatchObject({ from: 2, to: 6 });
  });
});
