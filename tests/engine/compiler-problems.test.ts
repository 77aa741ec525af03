import { expect, test } from 'vitest';
import { changed, good, load, type Files } from './support/project.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- a broken file is broken in any place */
type Content = any;

interface Case {
  readonly note: string;
  readonly files: Files;
  readonly file: string;
  readonly pointer: string;
  readonly message: RegExp;
  readonly line?: number;
}

const schema = 'schemas/form/schema.json';
const ui = 'schemas/form/ui.json';
const flow = 'flows/main.json';
const inSchema = (change: (content: Content) => void) => changed(schema, change);
const inUi = (change: (content: Content) => void) => changed(ui, change);
const inFlow = (change: (content: Content) => void) => changed(flow, change);

const cases: readonly Case[] = [
  { note: 'no JSON', files: { ...good, [ui]: '{\n  "title": "A",,\n}' }, file: ui, pointer: '', message: /no JSON/, line: 2 },
  { note: 'empty file', files: { ...good, [flow]: '' }, file: flow, pointer: '', message: /no JSON/ },
  { note: 'key twice', files: { ...good, [ui]: '{\n  "title": "A",\n  "title": "B"\n}' }, file: ui, pointer: '/title', message: /stands twice/, line: 3 },
  { note: 'misspelt key of a ui', files: inUi((c) => (c.titulo = 'x')), file: ui, pointer: '/titulo', message: /Unknown key "titulo"/ },
  { note: 'unknown plugin keyword', files: inSchema((c) => (c.properties.email.matchez = 'x')), file: schema, pointer: '/properties/email/matchez', message: /Unknown keyword "matchez"/ },
  { note: 'wrong parameters of a keyword', files: inSchema((c) => (c.properties.repeat.matches = 7)), file: schema, pointer: '/properties/repeat/matches', message: /"matches"/ },
  { note: 'rule names no field', files: inSchema((c) => (c.properties.repeat.matches = 'mail')), file: schema, pointer: '/properties/repeat/matches', message: /names the field "mail"/ },
  { note: 'form rule in a field', files: inSchema((c) => (c.properties.email.documentNumber = {})), file: schema, pointer: '/properties/email/documentNumber', message: /wrong place/ },
  { note: 'unknown reference', files: inSchema((c) => (c.properties.email.$ref = '../_shared/person.json#/$defs/mail')), file: schema, pointer: '/properties/email/$ref', message: /names nothing/ },
  { note: 'circular reference', files: inSchema((c) => { c.$defs = { a: { $ref: '#/$defs/a' } }; c.properties.email = { $ref: '#/$defs/a' }; }), file: schema, pointer: '/$defs/a/$ref', message: /refers to itself/ },
  { note: 'required is no field', files: inSchema((c) => c.required.push('age')), file: schema, pointer: '/required/2', message: /"age" is required but is no field/ },
  { note: 'text in a schema', files: inSchema((c) => (c.properties.email.title = 'Correo')), file: schema, pointer: '/properties/email/title', message: /cannot stand/ },
  { note: 'if/then', files: inSchema((c) => (c.if = {})), file: schema, pointer: '/if', message: /cannot stand/ },
  { note: 'prefixItems cannot be drawn', files: inSchema((c) => (c.properties.kind = { type: 'array', prefixItems: [{}] })), file: schema, pointer: '/properties/kind/prefixItems', message: /cannot stand/ },
  { note: 'dependentRequired cannot be drawn', files: inSchema((c) => (c.dependentRequired = { email: ['repeat'] })), file: schema, pointer: '/dependentRequired', message: /cannot stand/ },
  { note: 'nested object', files: inSchema((c) => (c.properties.kind = { type: 'object' })), file: schema, pointer: '/properties/kind/type', message: /must be equal|cannot be an object/ },
  { note: 'field without a type', files: inSchema((c) => (c.properties.extra = {})), file: schema, pointer: '/properties/extra', message: /no "type"/ },
  { note: 'pattern is no expression', files: inSchema((c) => (c.properties.extra.pattern = '(')), file: schema, pointer: '/properties/extra/pattern', message: /no regular expression/ },
  { note: 'unknown format', files: inSchema((c) => (c.properties.extra.format = 'correo')), file: schema, pointer: '/properties/extra/format', message: /Unknown format "correo"/ },
  { note: 'consent would arrive ticked', files: inSchema((c) => (c.properties.terms.default = true)), file: schema, pointer: '/properties/terms/default', message: /arrive ticked/ },
  { note: 'unknown fields allowed', files: inSchema((c) => (c.additionalProperties = true)), file: schema, pointer: '/additionalProperties', message: /equal to constant|never takes unknown/ },
  { note: 'unknown widget', files: inUi((c) => (c.fields.email['ui:widget'] = 'mail')), file: ui, pointer: '/fields/email/ui:widget', message: /Unknown widget "mail"/, line: 12 },
  { note: 'unknown source', files: inUi((c) => (c.fields.kind['ui:options'] = { source: 'lista' })), file: ui, pointer: '/fields/kind/ui:options/source', message: /Unknown call "lista"/ },
  { note: 'ui of no field', files: inUi((c) => (c.fields.age = { 'ui:title': 'Edad' })), file: ui, pointer: '/fields/age', message: /no field "age"/ },
  { note: 'order names no field', files: inUi((c) => c.fields['ui:order'].unshift('age')), file: ui, pointer: '/fields/ui:order/0', message: /no field "age"/ },
  { note: 'field without a label', files: inUi((c) => delete c.fields.extra['ui:title']), file: ui, pointer: '/fields/extra', message: /no "ui:title"/ },
  { note: 'choices without texts', files: inUi((c) => c.fields.kind['ui:enumNames'].pop()), file: ui, pointer: '/fields/kind', message: /2 choices/ },
  { note: 'secret that would be stored', files: inSchema((c) => delete c.properties.secret.writeOnly), file: ui, pointer: '/fields/secret/ui:autocomplete', message: /secret "secret" would be stored/ },
  { note: 'visibility reads no field', files: inUi((c) => (c.visible.extra = { var: 'form.age' })), file: ui, pointer: '/visible/extra', message: /"form.age" does not exist/ },
  { note: 'visibility reads an unknown flag', files: inUi((c) => (c.visible.extra = { var: 'flags.off' })), file: ui, pointer: '/visible/extra', message: /"flags.off" does not exist/ },
  { note: 'unknown operator', files: inUi((c) => (c.visible.extra = { equals: [1, 1] })), file: ui, pointer: '/visible/extra', message: /Unknown operator "equals"/ },
  { note: 'operator that writes logs', files: inUi((c) => (c.visible.extra = { log: 'x' })), file: ui, pointer: '/visible/extra', message: /"log" is not allowed/ },
  { note: 'form without a submit button', files: inUi((c) => (c.actions = [])), file: ui, pointer: '/actions', message: /no button with the event "submit"/ },
  { note: 'text names no variable', files: inUi((c) => (c.title = 'Hola {nombre}')), file: ui, pointer: '/title', message: /\{nombre\}/ },
  { note: 'link to no path', files: changed('schemas/done/ui.json', (c: Content) => (c.links[0].to = '/otra')), file: 'schemas/done/ui.json', pointer: '/links/0/to', message: /No flow has the path "\/otra"/ },
  { note: 'missing translation file', files: Object.fromEntries(Object.entries(good).filter(([path]) => path !== 'schemas/done/ui.pt.json')), file: 'schemas/done/ui.json', pointer: '', message: /no ui\.pt\.json/ },
  { note: 'missing translated text', files: changed('schemas/form/ui.pt.json', (c: Content) => delete c.fields.extra), file: 'schemas/form/ui.pt.json', pointer: '/fields/extra/ui:title', message: /is missing/ },
  { note: 'translation changes an event', files: changed('schemas/form/ui.pt.json', (c: Content) => (c.actions[0].event = 'send')), file: 'schemas/form/ui.pt.json', pointer: '/actions', message: /more than texts/ },
  { note: 'rule without a message', files: changed('schemas/_shared/messages.pt.json', (c: Content) => delete c.maxLength), file: 'schemas/form/ui.pt.json', pointer: '/fields/email', message: /"maxLength" has no message in "pt"/ },
  { note: 'screen of no flow', files: { ...good, 'schemas/alone/ui.json': { title: 'Sola' }, 'schemas/alone/ui.pt.json': { title: 'Só' } }, file: 'schemas/alone/ui.json', pointer: '', message: /No flow shows/ },
  { note: 'screen without a ui', files: { ...good, 'schemas/alone/schema.json': good[schema] }, file: 'schemas/alone/ui.json', pointer: '', message: /no ui\.json/ },
  { note: 'id is not the file', files: inFlow((c) => (c.id = 'other')), file: flow, pointer: '/id', message: /not the file's name/, line: 2 },
  { note: 'unknown initial state', files: inFlow((c) => (c.initial = 'start')), file: flow, pointer: '/initial', message: /no state "start"/ },
  { note: 'unknown screen', files: inFlow((c) => (c.states.done.screen = 'fin')), file: flow, pointer: '/states/done/screen', message: /no screen "fin"/ },
  { note: 'unknown block', files: inFlow((c) => (c.states.done = { path: '/done', block: 'panels' })), file: flow, pointer: '/states/done/block', message: /no block "panels"/ },
  { note: 'unknown call', files: inFlow((c) => (c.states.form.on.submit.invoke = 'safe')), file: flow, pointer: '/states/form/on/submit/invoke', message: /no call "safe"/ },
  { note: 'unknown target', files: inFlow((c) => (c.states.form.on.submit.onDone[0].target = 'fin')), file: flow, pointer: '/states/form/on/submit/onDone/0/target', message: /no state "fin"/ },
  { note: 'unknown context variable', files: inFlow((c) => (c.states.done.entry.guard = { var: 'context.mail' })), file: flow, pointer: '/states/done/entry/guard', message: /"context.mail" does not exist/ },
  { note: 'assigns an undeclared variable', files: inFlow((c) => (c.states.form.on.submit.onDone[0].assign = { mail: 1 })), file: flow, pointer: '/states/form/on/submit/onDone/0/assign/mail', message: /no variable "mail"/ },
  { note: 'reads the result in an error', files: inFlow((c) => (c.states.form.on.submit.onError[0].guard = { var: 'result.x' })), file: flow, pointer: '/states/form/on/submit/onError/0/guard', message: /"result.x" does not exist/ },
  { note: 'unreachable state', files: inFlow((c) => { delete c.states.done.path; c.states.form.on.submit.onDone[0] = { target: 'form' }; }), file: flow, pointer: '/states/done', message: /No way leads to the state "done"/ },
  { note: 'dead end', files: { ...good, 'schemas/done/ui.json': { title: 'Listo' }, 'schemas/done/ui.pt.json': { title: 'Pronto' } }, file: flow, pointer: '/states/done', message: /dead end/ },
  { note: 'last branch with a guard', files: inFlow((c) => (c.states.form.on.submit.onDone[0].guard = { var: 'result.ok' })), file: flow, pointer: '/states/form/on/submit/onDone/0', message: /last branch is not unconditional/ },
  { note: 'branch behind an unconditional one', files: inFlow((c) => c.states.form.on.submit.onDone.push({ target: 'form' })), file: flow, pointer: '/states/form/on/submit/onDone/1', message: /never taken/ },
  { note: 'effect without errors', files: inFlow((c) => delete c.states.form.on.submit.onError), file: flow, pointer: '/states/form/on/submit', message: /no "onError"/ },
  { note: 'errors without a default', files: inFlow((c) => c.states.form.on.submit.onError.pop()), file: flow, pointer: '/states/form/on/submit/onError/0', message: /last branch is not unconditional/ },
  { note: 'unknown notice', files: inFlow((c) => (c.states.form.on.submit.onError[0].notice = 'otra')), file: flow, pointer: '/states/form/on/submit/onError/0/notice', message: /no notice "otra"/ },
  { note: 'event that nobody raises', files: inFlow((c) => (c.states.form.on.help = { target: 'done' })), file: flow, pointer: '/states/form/on/help', message: /Nothing on the screen/ },
  { note: 'event that nobody answers', files: inUi((c) => c.actions.push({ event: 'help', text: 'Ayuda' })), file: flow, pointer: '/states/form/on', message: /raises "help"/ },
  { note: 'secret assigned to a stored variable', files: inFlow((c) => (c.states.form.on.submit.onDone[0].assign.email = { var: 'form.secret' })), file: flow, pointer: '/states/form/on/submit/onDone/0/assign/email', message: /"form.secret" would be stored/ },
  { note: 'path twice', files: inFlow((c) => (c.states.done.path = '/form')), file: flow, pointer: '/states/done/path', message: /belongs to main.form/ },
  { note: 'clears no field', files: inFlow((c) => (c.states.form.on.submit.onError[1].clear = ['/clave'])), file: flow, pointer: '/states/form/on/submit/onError/1/clear/0', message: /no field "clave"/ },
  { note: 'step without a map', files: inFlow((c) => (c.states.form.on.submit.onDone = [{ step: { var: 'result.challenge' } }])), file: flow, pointer: '/states/form/on/submit/onDone/0/step', message: /no "steps"/ },
];

test.each(cases)('[ANA-02] $note: $pointer', async ({ files, file, pointer, message, line }) => {
  const { problems } = await load(files);
  const found = problems.find((problem) => problem.file === file && problem.pointer === pointer && message.test(problem.message));
  expect(found, JSON.stringify(problems, null, 1)).toBeDefined();
  expect(found?.hint).not.toBe('');
  if (line !== undefined) expect(found?.line).toBe(line);
});

test('[ANA-02] the right set has no problem', async () => {
  expect((await load(good)).problems).toEqual([]);
});

test('[ANA-02] everything wrong is said at once, not only the first', async () => {
  const { problems } = await load(inFlow((c) => { c.initial = 'x'; c.states.form.screen = 'y'; c.states.done.path = '/form'; }));
  expect(problems.length).toBeGreaterThanOrEqual(3);
});

test('[ENG-02] an effect may leave its errors to the flow', async () => {
  const { definitions } = await load(inFlow((c) => { c.onError = [{ field: true }]; c.states.form.on.submit.onError.pop(); }));
  const submit = definitions?.flows.main?.states.form?.on?.submit;
  expect(submit).toMatchObject({ onError: [{ notice: 'again' }, { field: true }] });
});
