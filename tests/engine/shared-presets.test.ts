import { describe, expect, test } from 'vitest';
import { sampleProject, loadProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

const person = 'schemas/_shared/person.json';
const twin = 'schemas/_shared/person.pt.json';
const ui = 'schemas/form/ui.json';
const pt = 'schemas/form/ui.pt.json';
const schema = 'schemas/form/schema.json';

const preset = {
  [person]: {
    $defs: {
      text: {
        type: 'string',
        maxLength: 20,
        ui: { 'ui:title': 'Texto', 'ui:widget': 'email', 'ui:options': { transform: 'lowercase', rows: 2 } },
        messages: { maxLength: 'Muy largo', pattern: 'Mal' },
      },
      email: { $ref: '#/$defs/text', pattern: '@', ui: { 'ui:title': 'Correo', 'ui:help': 'Sin espacios' } },
    },
  },
  [twin]: {
    $defs: {
      text: { ui: { 'ui:title': 'Texto' }, messages: { maxLength: 'Longo demais', pattern: 'Errado' } },
      email: { ui: { 'ui:title': 'E-mail', 'ui:help': 'Sem espaços' } },
    },
  },
};

/** The sample project with a UI schema in its shared e-mail definition, and with changed files. */
function files(changes: Readonly<Record<string, ((content: Content) => unknown) | undefined>> = {}): Files {
  const all: Record<string, unknown> = structuredClone({ ...sampleProject, ...preset });
  for (const path of [ui, pt]) delete (all[path] as Content).fields.email;
  for (const [path, change] of Object.entries(changes)) change?.(all[path]);
  return all;
}

describe('[ENG-01] shared definition', () => {
  test('provides label, widget, help and messages to the field that refers to it, in each language', async () => {
    const { definitions, problems } = await loadProject(files());
    expect(problems).toEqual([]);
    const common = { 'ui:widget': 'email', 'ui:options': { transform: 'lowercase', rows: 2 } };
    expect(definitions?.ui('form', 'es').fields?.email).toEqual({
      ...common,
      'ui:title': 'Correo',
      'ui:help': 'Sin espacios',
    });
    expect(definitions?.ui('form', 'pt').fields?.email).toEqual({
      ...common,
      'ui:title': 'E-mail',
      'ui:help': 'Sem espaços',
    });
    expect(definitions?.ui('form', 'es').messages).toEqual({ email: { maxLength: 'Muy largo', pattern: 'Mal' } });
    expect(definitions?.ui('form', 'pt').messages).toEqual({ email: { maxLength: 'Longo demais', pattern: 'Errado' } });
    const checked = definitions?.check('form', { email: 'x', terms: true }, { language: 'pt', context: {} });
    expect(checked?.errors).toMatchObject({ email: 'Errado' });
  });

  test('adds none of its texts to the schema', async () => {
    const { definitions } = await loadProject(files());
    const { properties } = definitions!.schema('form') as Content;
    expect(properties.email).toEqual({ type: 'string', maxLength: 20, pattern: '@' });
  });

  test('is overridden key by key by the screen', async () => {
    const { definitions, problems } = await loadProject(
      files({
        [ui]: (c) => {
          c.fields.email = { 'ui:title': 'Tu correo', 'ui:options': { rows: 3 } };
          c.messages = { email: { pattern: 'Falta la arroba' } };
        },
        [pt]: (c) => {
          c.fields.email = { 'ui:title': 'Seu e-mail' };
          c.messages = { email: { pattern: 'Falta a arroba' } };
        },
      }),
    );
    expect(problems).toEqual([]);
    const [es, other] = ['es', 'pt'].map((language) => definitions?.ui('form', language));
    expect(es?.fields?.email).toMatchObject({ 'ui:title': 'Tu correo', 'ui:help': 'Sin espacios' });
    expect(es?.fields?.email).toMatchObject({ 'ui:options': { transform: 'lowercase', rows: 3 } });
    expect(other?.fields?.email).toMatchObject({ 'ui:title': 'Seu e-mail', 'ui:help': 'Sem espaços' });
    expect(other?.messages).toEqual({ email: { maxLength: 'Longo demais', pattern: 'Falta a arroba' } });
  });

  test.each([
    {
      note: 'a missing translation file',
      changes: { [twin]: (c: Content) => delete c.$defs },
      remove: twin,
      file: person,
      pointer: '',
      message: /no person\.pt\.json/,
    },
    {
      note: 'an untranslated text',
      changes: { [twin]: (c: Content) => delete c.$defs.email.ui['ui:help'] },
      file: twin,
      pointer: '/$defs/email/ui/ui:help',
      message: /is missing/,
    },
    {
      note: 'an untranslated message',
      changes: { [twin]: (c: Content) => delete c.$defs.text.messages.pattern },
      file: twin,
      pointer: '/$defs/text/messages/pattern',
      message: /is missing/,
    },
    {
      note: 'a translation that changes the widget',
      changes: { [twin]: (c: Content) => (c.$defs.text.ui['ui:widget'] = 'text') },
      file: twin,
      pointer: '/$defs/text/ui/ui:widget',
      message: /"ui:widget" is not a text to translate/,
    },
    {
      note: 'a translation without texts',
      changes: {
        [person]: (c: Content) => {
          for (const definition of Object.values<Content>(c.$defs)) {
            delete definition.ui;
            delete definition.messages;
          }
        },
        [ui]: (c: Content) => (c.fields.email = { 'ui:title': 'Correo' }),
        [pt]: (c: Content) => (c.fields.email = { 'ui:title': 'E-mail' }),
      },
      file: twin,
      pointer: '',
      message: /translates nothing/,
    },
    {
      note: 'an unknown key',
      changes: { [person]: (c: Content) => (c.$defs.email.ui['ui:titel'] = 'x') },
      file: person,
      pointer: '/$defs/email/ui/ui:titel',
      message: /Unknown key "ui:titel"/,
    },
    {
      note: 'a message that is not a string',
      changes: { [person]: (c: Content) => (c.$defs.text.messages.pattern = 7) },
      file: person,
      pointer: '/$defs/text/messages/pattern',
      message: /must be string/,
    },
    {
      note: 'an unknown widget in the ui of the definition',
      changes: { [person]: (c: Content) => (c.$defs.text.ui['ui:widget'] = 'emial') },
      file: person,
      pointer: '/$defs/text/ui/ui:widget',
      message: /Unknown widget "emial"/,
    },
    {
      note: 'a ui in a schema of a screen',
      changes: { [schema]: (c: Content) => (c.properties.email.ui = { 'ui:title': 'Correo' }) },
      file: schema,
      pointer: '/properties/email/ui',
      message: /"ui" is not allowed/,
    },
    {
      note: 'messages in a schema of a screen',
      changes: { [schema]: (c: Content) => (c.properties.email.messages = { pattern: 'x' }) },
      file: schema,
      pointer: '/properties/email/messages',
      message: /"messages" is not allowed/,
    },
    {
      note: 'a reference to a translation',
      changes: { [schema]: (c: Content) => (c.properties.email.$ref = '../_shared/person.pt.json#/$defs/email') },
      file: schema,
      pointer: '/properties/email/$ref',
      message: /has no target/,
    },
  ])(
    '[ANA-02] is checked by the compiler, which reports $note',
    async ({ changes, remove, file, pointer, message }) => {
      const all = { ...files(changes) };
      if (remove !== undefined) delete (all as Record<string, unknown>)[remove];
      const { problems } = await loadProject(all);
      expect(problems).toContainEqual(
        expect.objectContaining({ file, pointer, message: expect.stringMatching(message) as string }),
      );
    },
  );
});
