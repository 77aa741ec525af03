import { expect, test } from 'vitest';
import { errorRedirectBranch } from '../../src/engine/compiler/flow/expand-flow.ts';
import { changeSample, sampleProject, loadProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
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
const inSchema = (change: (content: Content) => void) => changeSample(schema, change);
const inUi = (change: (content: Content) => void) => changeSample(ui, change);
const inFlow = (change: (content: Content) => void) => changeSample(flow, change);
/** Creates a test case from a change that breaks one file. */
const createWrongCase =
  (file: string) =>
  (note: string, change: (content: Content) => void, pointer: string, message: RegExp, line?: number): Case => ({
    note,
    files: changeSample(file, change),
    file,
    pointer,
    message,
    ...(line !== undefined && { line }),
  });
const [wrongSchema, wrongUi, wrongFlow] = [createWrongCase(schema), createWrongCase(ui), createWrongCase(flow)];

const cases: readonly Case[] = [
  {
    note: 'a file that is not JSON',
    files: { ...sampleProject, [ui]: '{\n  "title": "A",,\n}' },
    file: ui,
    pointer: '',
    message: /not valid JSON/,
    line: 2,
  },
  {
    note: 'an empty file',
    files: { ...sampleProject, [flow]: '' },
    file: flow,
    pointer: '',
    message: /file is empty/,
  },
  {
    note: 'a duplicate key',
    files: { ...sampleProject, [ui]: '{\n  "title": "A",\n  "title": "B"\n}' },
    file: ui,
    pointer: '/title',
    message: /appears twice/,
    line: 3,
  },
  wrongUi('a misspelt key of a UI schema', (c) => (c.titulo = 'x'), '/titulo', /Unknown key "titulo"/),
  wrongSchema(
    'a rule that reads an unknown fact',
    (c) => (c.properties.email.notSimilarTo = { fields: [], context: 'persn', threshold: 0.7 }),
    '/properties/email/notSimilarTo',
    /reads the fact "persn", which does not exist/,
  ),
  wrongSchema(
    'an unknown plugin keyword',
    (c) => (c.properties.email.matchez = 'x'),
    '/properties/email/matchez',
    /Unknown keyword "matchez"/,
  ),
  wrongSchema(
    'a rule for fields of another type',
    (c) => (c.properties.age = { type: 'integer', uruguayanId: true }),
    '/properties/age/uruguayanId',
    /"uruguayanId" does not fit a field of the type "integer"/,
  ),
  wrongSchema(
    'a keyword named like an object method',
    (c) => Object.assign(c.properties.email, { toString: 'x' }),
    '/properties/email/toString',
    /Unknown keyword "toString"/,
  ),
  wrongSchema(
    'wrong parameters of a keyword',
    (c) => (c.properties.repeat.matches = 7),
    '/properties/repeat/matches',
    /"matches"/,
  ),
  wrongSchema(
    'a rule on an unknown field',
    (c) => (c.properties.repeat.matches = 'mail'),
    '/properties/repeat/matches',
    /names the field "mail"/,
  ),
  wrongSchema(
    'a form rule in a field',
    (c) => (c.properties.email.documentNumber = {}),
    '/properties/email/documentNumber',
    /wrong place/,
  ),
  wrongSchema(
    'an unknown reference',
    (c) => (c.properties.email.$ref = '../_shared/person.json#/$defs/mail'),
    '/properties/email/$ref',
    /has no target/,
  ),
  wrongSchema(
    'a circular reference',
    (c) => {
      c.$defs = { a: { $ref: '#/$defs/a' } };
      c.properties.email = { $ref: '#/$defs/a' };
    },
    '/$defs/a/$ref',
    /refers to itself/,
  ),
  wrongSchema(
    'an unknown required field',
    (c) => c.required.push('age'),
    '/required/2',
    /"age" is required but is not a field/,
  ),
  wrongSchema(
    'a text for citizens in a schema',
    (c) => (c.properties.email.examples = ['Correo']),
    '/properties/email/examples',
    /is not allowed/,
  ),
  wrongSchema(
    'an unsupported keyword in a condition',
    (c) => (c.if = { properties: { email: { pattern: 'x' } } }),
    '/if/properties/email/pattern',
    /A condition cannot use/,
  ),
  wrongSchema(
    'a condition over an unknown field',
    (c) => Object.assign(c, { if: { required: ['mail'] }, then: { required: ['repeat'] } }),
    '',
    /condition reads "mail", which is not a field/,
  ),
  wrongSchema(
    'an unsupported keyword in "then"',
    (c) => Object.assign(c, { if: { required: ['email'] }, then: { maxProperties: 1 } }),
    '/then/maxProperties',
    /not allowed in a conditional part/,
  ),
  wrongSchema(
    'a field rule changed by a condition',
    (c) => Object.assign(c, { if: { required: ['email'] }, then: { properties: { repeat: { minLength: 9 } } } }),
    '/then/properties/repeat',
    /"repeat" has different rules here/,
  ),
  wrongSchema(
    'alternatives without a deciding field',
    (c) => (c.oneOf = [{ required: ['email'] }, { required: ['repeat'] }]),
    '/oneOf',
    /No field determines which alternative/,
  ),
  wrongSchema(
    'contradictory parts of allOf',
    (c) => (c.properties.email.allOf = [{ type: 'boolean' }]),
    '/properties/email/allOf',
    /"allOf" is not allowed/,
  ),
  wrongSchema(
    'prefixItems with an array',
    (c) => (c.properties.kind = { type: 'array', prefixItems: [{ type: 'array' }] }),
    '/properties/kind/prefixItems',
    /is not allowed/,
  ),
  wrongSchema(
    'an unknown field in dependentRequired',
    (c) => (c.dependentRequired = { email: ['mail'] }),
    '/dependentRequired/email/0',
    /"mail" is required but is not a field/,
  ),
  wrongSchema(
    'a nested object without properties',
    (c) => (c.properties.kind = { type: 'object' }),
    '/properties/kind/type',
    /without "properties" cannot be displayed/,
  ),
  wrongSchema('a field without a type', (c) => (c.properties.extra = {}), '/properties/extra', /no "type"/),
  wrongSchema(
    'an invalid pattern',
    (c) => (c.properties.extra.pattern = '('),
    '/properties/extra/pattern',
    /not a valid regular expression/,
  ),
  wrongSchema(
    'an unknown format',
    (c) => (c.properties.extra.format = 'correo'),
    '/properties/extra/format',
    /Unknown format "correo"/,
  ),
  wrongSchema(
    'a consent that is ticked by default',
    (c) => (c.properties.terms.default = true),
    '/properties/terms/default',
    /A checkbox that must be ticked.* cannot have a "default"/,
  ),
  wrongSchema(
    'a schema that allows unknown fields',
    (c) => (c.additionalProperties = true),
    '/additionalProperties',
    /must be false|never accepts unknown/,
  ),
  wrongUi(
    'an unknown widget',
    (c) => (c.fields.email['ui:widget'] = 'mail'),
    '/fields/email/ui:widget',
    /Unknown widget "mail"/,
    12,
  ),
  wrongUi(
    'an unknown source',
    (c) => (c.fields.kind['ui:options'] = { source: 'lista' }),
    '/fields/kind/ui:options/source',
    /Unknown operation "lista"/,
  ),
  wrongUi(
    'the ui of an unknown field',
    (c) => (c.fields.age = { 'ui:title': 'Edad' }),
    '/fields/age',
    /no field "age"/,
  ),
  wrongUi(
    'an unknown field in the order',
    (c) => c.fields['ui:order'].unshift('age'),
    '/fields/ui:order/0',
    /no field "age"/,
  ),
  wrongUi(
    'a link of a field to an unknown path',
    (c) => (c.fields.terms['ui:links'] = [{ to: '/otra', text: 'Leer' }]),
    '/fields/terms/ui:links/0/to',
    /No flow has the path "\/otra"/,
  ),
  wrongUi(
    'a link of a field to a script',
    (c) => (c.fields.terms['ui:links'] = [{ to: 'javascript:x', text: 'Leer' }]),
    '/fields/terms/ui:links/0/to',
    /pattern/,
  ),
  {
    note: 'an untranslated link of a field',
    files: inUi((c) => (c.fields.terms['ui:links'] = [{ to: '/done', text: 'Leer' }])),
    file: 'schemas/form/ui.pt.json',
    pointer: '/fields/terms/ui:links/~1done',
    message: /is missing/,
  },
  wrongUi(
    'a refused copy without a message',
    (c) => (c.fields.extra['ui:options'] = { copy: false }),
    '/fields/extra',
    /"noCopy" has no message in "es"/,
  ),
  wrongUi(
    'a copy option that is not a boolean',
    (c) => (c.fields.extra['ui:options'] = { copy: 'no' }),
    '/fields/extra/ui:options/copy',
    /must be boolean/,
  ),
  wrongUi('a field without a label', (c) => delete c.fields.extra['ui:title'], '/fields/extra', /no "ui:title"/),
  wrongUi('a choice without a text', (c) => c.fields.kind['ui:enumNames'].pop(), '/fields/kind', /2 choices/),
  {
    note: 'a secret that would be stored',
    files: inSchema((c) => delete c.properties.secret.writeOnly),
    file: ui,
    pointer: '/fields/secret/ui:autocomplete',
    message: /secret "secret" would be stored/,
  },
  wrongUi(
    'a visibility rule on an unknown field',
    (c) => (c.visible.extra = { var: 'form.age' }),
    '/visible/extra',
    /"form.age" does not exist/,
  ),
  wrongUi(
    'a visibility rule on an unknown flag',
    (c) => (c.visible.extra = { var: 'flags.off' }),
    '/visible/extra',
    /"flags.off" does not exist/,
  ),
  wrongUi(
    'an unknown operator',
    (c) => (c.visible.extra = { equals: [1, 1] }),
    '/visible/extra',
    /Unknown operator "equals"/,
  ),
  wrongUi('the operator log', (c) => (c.visible.extra = { log: 'x' }), '/visible/extra', /"log" is not allowed/),
  wrongUi('a form without a submit button', (c) => (c.actions = []), '/actions', /no button with the event "submit"/),
  wrongUi('a text with an unknown variable', (c) => (c.title = 'Hola {nombre}'), '/title', /\{nombre\}/),
  {
    note: 'a link to an unknown path',
    files: changeSample('schemas/done/ui.json', (c: Content) => (c.links[0].to = '/otra')),
    file: 'schemas/done/ui.json',
    pointer: '/links/0/to',
    message: /No flow has the path "\/otra"/,
  },
  {
    note: 'a missing translation file',
    files: Object.fromEntries(Object.entries(sampleProject).filter(([path]) => path !== 'schemas/done/ui.pt.json')),
    file: 'schemas/done/ui.json',
    pointer: '',
    message: /no ui\.pt\.json/,
  },
  {
    note: 'a missing translated text',
    files: changeSample('schemas/form/ui.pt.json', (c: Content) => delete c.fields.extra),
    file: 'schemas/form/ui.pt.json',
    pointer: '/fields/extra/ui:title',
    message: /is missing/,
  },
  {
    note: 'a translation that changes an event',
    files: changeSample('schemas/form/ui.pt.json', (c: Content) => (c.actions = { send: 'Enviar' })),
    file: 'schemas/form/ui.pt.json',
    pointer: '/actions/send',
    message: /is "send" here, and "submit" in/,
  },
  {
    note: 'a rule without a message',
    files: changeSample('schemas/_shared/messages.json', (c: Content) => delete c.maxLength),
    file: 'schemas/form/ui.json',
    pointer: '/fields/email',
    message: /"maxLength" has no message in "es"/,
  },
  {
    note: 'a screen that no flow shows',
    files: {
      ...sampleProject,
      'schemas/alone/ui.json': { title: 'Sola' },
      'schemas/alone/ui.pt.json': { title: 'Só' },
    },
    file: 'schemas/alone/ui.json',
    pointer: '',
    message: /No flow shows/,
  },
  {
    note: 'a screen without a UI schema',
    files: { ...sampleProject, 'schemas/alone/schema.json': sampleProject[schema] },
    file: 'schemas/alone/ui.json',
    pointer: '',
    message: /no ui\.json/,
  },
  wrongFlow('a flow id unlike its file name', (c) => (c.id = 'other'), '/id', /differs from the name of the file/, 2),
  wrongFlow('an unknown initial state', (c) => (c.initial = 'start'), '/initial', /no state "start"/),
  wrongFlow('an unknown screen', (c) => (c.states.done.screen = 'fin'), '/states/done/screen', /no screen "fin"/),
  wrongFlow(
    'an unknown block',
    (c) => (c.states.done = { path: '/done', block: 'panels' }),
    '/states/done/block',
    /no block "panels"/,
  ),
  wrongFlow(
    'an unknown access value of a state',
    (c) => (c.states.done.access = 'citizens'),
    '/states/done/access',
    /"citizens" is not a known value/,
  ),
  wrongFlow(
    'an unknown access value of a flow',
    (c) => (c.access = 'citzen'),
    '/access',
    /"citzen" is not a known value/,
  ),
  wrongFlow(
    'a secret in the fields to clear',
    (c) => (c.states.form.clear = ['/email', '/secret']),
    '/states/form/clear/1',
    /"secret" is a secret/,
  ),
  wrongFlow(
    'permissions on a state for guests',
    (c) => Object.assign(c.states.done, { access: 'guest', permissions: [['form', 'read']] }),
    '/states/done/permissions',
    /Permissions require a signed-in user/,
  ),
  wrongFlow(
    'an unknown operation',
    (c) => (c.states.form.on.submit.src = 'safe'),
    '/states/form/on/submit/src',
    /no operation "safe"/,
  ),
  wrongFlow(
    'an unknown target',
    (c) => (c.states.form.on.submit.onDone[0].target = 'fin'),
    '/states/form/on/submit/onDone/0/target',
    /no state "fin"/,
  ),
  wrongFlow(
    'an unknown context variable',
    (c) => (c.states.done.requires.guard = { var: 'context.mail' }),
    '/states/done/requires/guard',
    /"context.mail" does not exist/,
  ),
  wrongFlow(
    'an error branch that reads the result',
    (c) => (c.states.form.on.submit.onError[0].guard = { var: 'result.x' }),
    '/states/form/on/submit/onError/0/guard',
    /"result.x" does not exist/,
  ),
  wrongFlow(
    'an unreachable state',
    (c) => {
      delete c.states.done.path;
      c.states.form.on.submit.onDone[0] = { target: 'form' };
    },
    '/states/done',
    /Nothing leads to the state "done"/,
  ),
  {
    note: 'a dead end',
    files: {
      ...sampleProject,
      'schemas/done/ui.json': { title: 'Listo' },
      'schemas/done/ui.pt.json': { title: 'Pronto' },
    },
    file: flow,
    pointer: '/states/done',
    message: /dead end/,
  },
  wrongFlow(
    'a last branch with a guard',
    (c) => (c.states.form.on.submit.onDone[0].guard = { var: 'result.ok' }),
    '/states/form/on/submit/onDone/0',
    /last branch has a condition/,
  ),
  wrongFlow(
    'a branch after an unconditional one',
    (c) => c.states.form.on.submit.onDone.push({ target: 'form' }),
    '/states/form/on/submit/onDone/1',
    /never taken/,
  ),
  wrongFlow(
    'an invoke without onError',
    (c) => (c.states.done.invoke = { src: 'list', onDone: 'form' }),
    '/states/done/invoke',
    /no "onError"/,
  ),
  wrongFlow(
    'an onError with only guarded branches',
    (c) => (c.states.done.invoke = { src: 'list', onDone: 'form', onError: { guard: 'error.code', target: 'form' } }),
    '/states/done/invoke/onError',
    /last branch has a condition/,
  ),
  wrongFlow(
    'an unknown notice',
    (c) => (c.states.form.on.submit.onError[0].notice = 'otra'),
    '/states/form/on/submit/onError/0/notice',
    /no notice "otra"/,
  ),
  wrongFlow(
    'an event that nothing raises',
    (c) => (c.states.form.on.help = { target: 'done' }),
    '/states/form/on/help',
    /Nothing on the screen/,
  ),
  wrongFlow(
    'a delay on an unknown variable',
    (c) => {
      c.delays = { late: { at: { var: 'context.nobody' } } };
      c.states.form.after = { late: 'done' };
    },
    '/delays/late/at',
    /nobody/,
  ),
  wrongFlow(
    'a delay named like an event',
    (c) => {
      c.delays = { late: { at: { var: 'context.email' } } };
      c.states.form.after = { late: 'done' };
      c.states.form.on.late = 'done';
    },
    '/states/form/on/late',
    /is also in "after"/,
  ),
  wrongFlow(
    'an explicit leave to error.next',
    (c) => c.states.form.on.submit.onError.unshift({ guard: { var: 'error.next' }, leave: { var: 'error.next' } }),
    '/states/form/on/submit/onError/0',
    /always leads there/,
  ),
  {
    note: 'an unhandled event',
    files: inUi((c) => c.actions.push({ event: 'help', text: 'Ayuda' })),
    file: flow,
    pointer: '/states/form/on',
    message: /raises "help"/,
  },
  wrongFlow(
    'a secret assigned to a stored variable',
    (c) => (c.states.form.on.submit.onDone[0].assign.email = { var: 'form.secret' }),
    '/states/form/on/submit/onDone/0/assign/email',
    /"form.secret" would be stored/,
  ),
  wrongFlow('a duplicate path', (c) => (c.states.done.path = '/form'), '/states/done/path', /belongs to main.form/),
  wrongFlow(
    'an unknown field to clear',
    (c) => (c.states.form.on.submit.onError[1].clear = ['/clave']),
    '/states/form/on/submit/onError/1/clear/0',
    /no field "clave"/,
  ),
  wrongFlow(
    'a challenge without "challenges"',
    (c) => (c.states.form.on.submit.onDone = [{ challenge: { var: 'result.challenge' } }]),
    '/states/form/on/submit/onDone/0/challenge',
    /no "challenges"/,
  ),
];

const shared = 'schemas/_shared/person.json';
const withoutFile = (path: string): Files =>
  Object.fromEntries(Object.entries(sampleProject).filter(([name]) => name !== path));
const field = (extra: unknown, more: Files = {}): Files => ({
  ...inSchema((c) => (c.properties.extra = extra)),
  ...more,
});
const createExtraField = (widget: string, extra: unknown): Files => ({
  ...field(extra),
  [ui]: inUi((c) => (c.fields.extra = { 'ui:title': 'Más', 'ui:widget': widget }))[ui],
});
const at = '/properties/extra';
const nestDeeply = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Mistakes that a compiler easily overlooks, or crashes on. */
const closed: readonly Case[] = [
  wrongSchema(
    'a reference without its slash',
    (c) => (c.properties.email.$ref = '../_shared/person.json#email'),
    '/properties/email/$ref',
    /has no target/,
  ),
  wrongSchema(
    'a reference to an entire file',
    (c) => (c.properties.email.$ref = '../_shared/person.json'),
    '/properties/email/$ref',
    /has no target/,
  ),
  wrongUi(
    'an unknown operator inside some',
    (c) => (c.visible.extra = { some: [{ var: 'user.roles' }, { equals: [1, 1] }] }),
    '/visible/extra/some/1',
    /Unknown operator "equals"/,
  ),
  wrongUi(
    'the operator log inside reduce',
    (c) => (c.visible.extra = { reduce: [{ var: 'user.roles' }, { log: 'x' }, 0] }),
    '/visible/extra/reduce/1',
    /"log" is not allowed/,
  ),
  wrongFlow(
    'an unknown operator inside a template',
    (c) => (c.states.form.on.submit.input = { email: { cat: [{ equals: 1 }] } }),
    '/states/form/on/submit/input/email/cat/0',
    /Unknown operator "equals"/,
  ),
  wrongUi(
    '"missing" with an unknown field',
    (c) => (c.visible.extra = { missing: ['form.age'] }),
    '/visible/extra',
    /"form.age" does not exist/,
  ),
  wrongUi(
    'a computed variable name',
    (c) => (c.visible.extra = { var: { cat: ['form.', 'kind'] } }),
    '/visible/extra',
    /that the rule does not name/,
  ),
  wrongUi(
    'a computed name in "missing"',
    (c) => (c.visible.extra = { missing: [{ var: 'form.kind' }] }),
    '/visible/extra',
    /that the rule does not name/,
  ),
  wrongUi(
    'an empty variable name',
    (c) => (c.visible.extra = { '!': [{ var: '' }] }),
    '/visible/extra/!/0',
    /that the rule does not name/,
  ),
  {
    note: 'a file that is not UTF-8',
    files: { ...sampleProject, [ui]: Buffer.from('{\n  "title": "A\u00f1o"\n}', 'latin1') },
    file: ui,
    pointer: '',
    message: /UTF-8/,
    line: 2,
  },
  {
    note: 'a folder instead of a file',
    files: { ...withoutFile(ui), [`${ui}/x`]: '' },
    file: ui,
    pointer: '',
    message: /cannot be read/,
  },
  {
    note: 'a text as a choice of a boolean',
    files: field({ type: 'boolean', enum: [true, 'no'] }),
    file: schema,
    pointer: `${at}/enum/1`,
    message: /is not of type boolean/,
  },
  {
    note: 'a choice of another type',
    files: field({ type: 'string', enum: ['a', 1] }),
    file: schema,
    pointer: `${at}/enum/1`,
    message: /The choice 1 is not of type string/,
  },
  {
    note: 'a choice that is a list',
    files: field({ type: 'string', enum: [['a']] }),
    file: schema,
    pointer: `${at}/enum/0`,
    message: /is not of type string/,
  },
  {
    note: 'an object as a choice of an array',
    files: field({ type: 'array', items: { enum: [{ a: 1 }] } }),
    file: schema,
    pointer: `${at}/items/enum/0`,
    message: /is not of type string/,
  },
  {
    note: 'an empty choice',
    files: field({ type: 'string', enum: ['', 'a'] }),
    file: schema,
    pointer: `${at}/enum/0`,
    message: /cannot be chosen/,
  },
  {
    note: 'a duplicate choice',
    files: field({ type: 'string', enum: ['a', 'a'] }),
    file: schema,
    pointer: `${at}/enum/1`,
    message: /appears twice/,
  },
  {
    note: 'a constant that is an object',
    files: field({ type: 'string', const: { a: 1 } }),
    file: schema,
    pointer: `${at}/const`,
    message: /is not of type string/,
  },
  {
    note: 'a constant of an array field',
    files: field({ type: 'array', items: { enum: ['a'] }, const: ['a'] }),
    file: schema,
    pointer: `${at}/const`,
    message: /whole array/,
  },
  {
    note: 'a rule inside items',
    files: field({ type: 'array', items: { enum: ['a'], pattern: '(' } }),
    file: schema,
    pointer: `${at}/items/pattern`,
    message: /is not allowed in "items"/,
  },
  {
    note: 'a wrong type inside items',
    files: field({ type: 'array', items: { type: 'number', enum: ['a'] } }),
    file: schema,
    pointer: `${at}/items/type`,
    message: /must be texts/,
  },
  {
    note: 'a select without choices',
    files: createExtraField('select', { type: 'string' }),
    file: ui,
    pointer: '/fields/extra/ui:widget',
    message: /has no choices/,
  },
  {
    note: 'a widget for another type',
    files: createExtraField('text', { type: 'number' }),
    file: ui,
    pointer: '/fields/extra/ui:widget',
    message: /does not support fields of type number/,
  },
  wrongSchema(
    'a field named like an object method',
    (c) => (c.properties.toString = { type: 'string' }),
    '/properties/toString',
    /A key cannot be called "toString"/,
  ),
  wrongFlow(
    'a variable named like an object method',
    (c) => (c.context.defaults = { constructor: 1 }),
    '/context/defaults/constructor',
    /A key cannot be called "constructor"/,
  ),
  {
    note: 'an unhandled event of an aside',
    files: inUi(
      (c) => (c.aside = { title: 'Al lado', parts: [{ title: 'Parte', links: [{ event: 'other', text: 'Otra' }] }] }),
    ),
    file: flow,
    pointer: '/states/form/on',
    message: /raises "other"/,
  },
  {
    note: 'an unhandled event of a paragraph',
    files: inUi((c) => (c.intro = [{ text: 'Antes', link: { event: 'other', text: 'Otra' } }])),
    file: flow,
    pointer: '/states/form/on',
    message: /raises "other"/,
  },
  wrongUi(
    'a link to an unknown path in the intro',
    (c) => (c.intro = [{ text: 'Antes', link: { to: '/otra', text: 'Otra' } }]),
    '/intro/0/link/to',
    /No flow has the path "\/otra"/,
  ),
  wrongUi(
    'an unknown variable in an address',
    (c) => (c.intro = [{ text: 'Antes', link: { to: 'mailto:{mailbx}', text: 'Otra' } }]),
    '/intro/0/link/to',
    /The address uses \{mailbx\}, which is not a variable of the flow "main"/,
  ),
  {
    note: 'an unhandled event of a notice',
    files: inUi((c) => (c.notices.again.link = { event: 'other', text: 'Otra' })),
    file: flow,
    pointer: '/states/form/on',
    message: /raises "other"/,
  },
  wrongFlow(
    'a leave to an unknown path',
    (c) => (c.states.form.on.submit.onDone = [{ leave: '/nada?x=1' }]),
    '/states/form/on/submit/onDone/0/leave',
    /No flow has the path "\/nada/,
  ),
  wrongFlow(
    'a leave rule with an unknown path',
    (c) =>
      (c.states.form.on.submit.onDone = [
        { leave: { if: [{ var: 'result.a' }, '/form', { or: [{ var: 'result.b' }, '/nada'] }] } },
      ]),
    '/states/form/on/submit/onDone/0/leave',
    /"\/nada"/,
  ),
  wrongFlow(
    'transient states in a cycle',
    (c) =>
      Object.assign(c.states, {
        one: { path: '/one', always: [{ target: 'two' }] },
        two: { always: [{ target: 'one' }] },
      }),
    '/states/one',
    /loops without end: one → two → one/,
  ),
  wrongFlow(
    'an "else" that is its own state',
    (c) => (c.states.done.requires.else = 'done'),
    '/states/done',
    /loops without end: done → done/,
  ),
  {
    note: 'an unknown variable in a translation',
    files: changeSample('schemas/done/ui.pt.json', (c: Content) => (c.title = 'Pronto {nome}')),
    file: 'schemas/done/ui.pt.json',
    pointer: '/title',
    message: /\{nome\}/,
  },
  {
    note: 'a minLength above maxLength',
    files: field({ type: 'string', minLength: 5, maxLength: 4 }),
    file: schema,
    pointer: `${at}/minLength`,
    message: /No value satisfies both/,
  },
  {
    note: 'an exclusiveMinimum equal to maximum',
    files: field({ type: 'number', exclusiveMinimum: 4, maximum: 4 }),
    file: schema,
    pointer: `${at}/exclusiveMinimum`,
    message: /No value satisfies both/,
  },
  {
    note: 'a limit for another type',
    files: field({ type: 'string', minimum: 4 }),
    file: schema,
    pointer: `${at}/minimum`,
    message: /has no effect on a field of type string/,
  },
  wrongUi(
    'the prototype as a variable',
    (c) => (c.visible.extra = { var: '__proto__.x' }),
    '/visible/extra',
    /"__proto__.x" does not exist/,
  ),
  wrongUi(
    'a method as a variable',
    (c) => (c.visible.extra = { var: 'hasOwnProperty' }),
    '/visible/extra',
    /"hasOwnProperty" does not exist/,
  ),
  {
    note: 'a number that is too large',
    files: {
      ...sampleProject,
      [schema]: JSON.stringify(inSchema((c) => (c.properties.extra.maxLength = 7))[schema]).replace(':7', ':1e400'),
    },
    file: schema,
    pointer: `${at}/maxLength`,
    message: /too large/,
  },
  {
    note: 'a translation that is null',
    files: { ...sampleProject, 'schemas/done/ui.pt.json': 'null' },
    file: 'schemas/done/ui.pt.json',
    pointer: '',
    message: /A translation is an object of texts/,
  },
  {
    note: 'an empty translation of a text',
    files: changeSample('schemas/done/ui.pt.json', (c: Content) => (c.title = '')),
    file: 'schemas/done/ui.pt.json',
    pointer: '/title',
    message: /The text of \/title is missing/,
  },
  {
    note: 'a translation without messages',
    files: withoutFile('schemas/_shared/messages.pt.json'),
    file: 'schemas/done/ui.pt.json',
    pointer: '',
    message: /no messages in "pt"/,
  },
  {
    note: 'a missing message catalogue',
    files: withoutFile('schemas/_shared/messages.json'),
    file: 'schemas/_shared/messages.json',
    pointer: '',
    message: /no catalogue/,
  },
  {
    note: 'a message that is not a string',
    files: changeSample('schemas/_shared/messages.json', (c: Content) => (c.required = 7)),
    file: 'schemas/_shared/messages.json',
    pointer: '/required',
    message: /must be string/,
  },
  {
    note: 'JSON that is nested too deeply',
    files: { ...sampleProject, [ui]: nestDeeply(3_000) },
    file: ui,
    pointer: '',
    message: /nested deeper/,
  },
  {
    note: 'a default of another type',
    files: field({ type: 'string', default: 1 }),
    file: schema,
    pointer: `${at}/default`,
    message: /"default" is not of type string/,
  },
  {
    note: 'a readOnly that is not a boolean',
    files: field({ type: 'string', readOnly: 'yes' }),
    file: schema,
    pointer: `${at}/readOnly`,
    message: /must be boolean/,
  },
  {
    note: 'a format without a widget',
    files: field({ type: 'string', format: 'duration' }),
    file: schema,
    pointer: `${at}/format`,
    message: /cannot be displayed/,
  },
  wrongSchema(
    'a field name with an accent',
    (c) => (c.properties.teléfono = { type: 'string' }),
    '/properties/teléfono',
    /is not a valid field name/,
  ),
  wrongSchema(
    'a field name with ñ',
    (c) => (c.properties.año = { type: 'string' }),
    '/properties/año',
    /is not a valid field name/,
  ),
  wrongUi(
    'a duplicate field in the order',
    (c) => c.fields['ui:order'].push('email'),
    '/fields/ui:order/4',
    /appears twice/,
  ),
  wrongUi(
    'an unknown transform',
    (c) => (c.fields.extra['ui:options'] = { transform: 'constructor' }),
    '/fields/extra/ui:options/transform',
    /Unknown transform/,
  ),
  wrongUi(
    'an option with an unknown field',
    (c) => (c.fields.extra['ui:options'] = { countryField: 'emial' }),
    '/fields/extra/ui:options/countryField',
    /"countryField" does not refer to a field: "emial"/,
  ),
  {
    note: 'a number as a shared definition',
    files: changeSample(shared, (c: Content) => (c.$defs.email = 7)),
    file: shared,
    pointer: '/$defs/email',
    message: /must be object/,
  },
];

const sharing: Files = {
  ...inUi((c) => delete c.notices),
  'schemas/_shared/notices.json': {
    $defs: {
      again: { intent: 'warning', text: 'De nuevo {email}', link: { to: '/form', text: 'Ir' } },
      other: { intent: 'info', text: 'Nadie la muestra' },
    },
  },
  'schemas/_shared/notices.pt.json': {
    $defs: { again: { text: 'Outra vez {email}', link: { text: 'Vá' } }, other: { text: 'Ninguém' } },
  },
  'schemas/form/ui.pt.json': changeSample('schemas/form/ui.pt.json', (c: Content) => delete c.notices)[
    'schemas/form/ui.pt.json'
  ],
};

test('[ENG-01] shared notice is defined once and reaches its screens in each language', async () => {
  const { definitions, problems } = await loadProject(sharing);
  expect(problems).toEqual([]);
  expect(definitions?.ui('form', 'es').notices).toEqual({
    again: { intent: 'warning', text: 'De nuevo {email}', link: { to: '/form', text: 'Ir' } },
  });
  expect(definitions?.ui('form', 'pt').notices).toEqual({
    again: { intent: 'warning', text: 'Outra vez {email}', link: { to: '/form', text: 'Vá' } },
  });
});

test('[ENG-01] notice of a screen overrides a shared notice of the same name', async () => {
  const { definitions } = await loadProject({
    ...sharing,
    [ui]: sampleProject[ui],
    'schemas/form/ui.pt.json': sampleProject['schemas/form/ui.pt.json'],
  });
  expect(definitions?.ui('form', 'pt').notices).toEqual({ again: { intent: 'warning', text: 'De novo' } });
});

test.each([
  [
    'an unknown field',
    { [ui]: changeSample(ui, (c: Content) => (c.notices.again.field = 'nada'))[ui] },
    flow,
    '/states/form/on/submit/onError/0/notice',
    /rejects "nada", which is not a field of the screen "form"/,
  ],
  [
    'a missing notice',
    { 'schemas/_shared/notices.json': { $defs: {} }, 'schemas/_shared/notices.pt.json': { $defs: {} } },
    flow,
    '/states/form/on/submit/onError/0/notice',
    /has no notice "again"/,
  ],
  [
    'a $ref to a notice',
    {
      [ui]: changeSample(ui, (c: Content) => (c.notices.again = { $ref: '../_shared/notices.json#/$defs/again' }))[ui],
    },
    ui,
    '/notices/again',
    /referenced by its name/,
  ],
  [
    'a missing translation file for notices',
    { 'schemas/_shared/notices.pt.json': undefined },
    'schemas/_shared/notices.json',
    '',
    /no notices\.pt\.json/,
  ],
  [
    'a missing translation of a text',
    { 'schemas/_shared/notices.pt.json': { $defs: { again: { text: 'Outra vez' } } } },
    'schemas/_shared/notices.pt.json',
    '/$defs/again/link/text',
    /is missing/,
  ],
  [
    'a translation that changes the intent',
    {
      'schemas/_shared/notices.pt.json': {
        $defs: { again: { intent: 'error', text: 'Outra vez', link: { text: 'Vá' } } },
      },
    },
    'schemas/_shared/notices.pt.json',
    '/$defs/again/intent',
    /"intent" is not a text to translate/,
  ],
  [
    'a missing intent',
    { 'schemas/_shared/notices.json': { $defs: { again: { text: 'De nuevo' } } } },
    'schemas/_shared/notices.json',
    '/$defs/again',
    /intent/,
  ],
  [
    'an unknown variable',
    {
      'schemas/_shared/notices.json': {
        $defs: { again: { intent: 'info', text: '{nadie}', link: { to: '/form', text: 'Ir' } } },
      },
    },
    'schemas/_shared/notices.json',
    '/$defs/again/text',
    /\{nadie\}/,
  ],
  [
    'a link to an unknown path in a notice',
    {
      'schemas/_shared/notices.json': {
        $defs: { again: { intent: 'info', text: 'x', link: { to: '/otra', text: 'Ir' } } },
      },
    },
    'schemas/_shared/notices.json',
    '/$defs/again/link/to',
    /No flow has the path/,
  ],
] as const)('[ANA-02] compiler reports a problem of a shared notice: %s', async (_, change, file, pointer, message) => {
  const files = Object.fromEntries(
    Object.entries({ ...sharing, ...change }).filter(([, content]) => content !== undefined),
  );
  const { problems } = await loadProject(files);
  expect(problems).toContainEqual(expect.objectContaining({ file, pointer, message: expect.stringMatching(message) }));
});

test.each([...cases, ...closed])(
  '[ANA-02] compiler reports $note: $pointer',
  async ({ files, file, pointer, message, line }) => {
    const { problems } = await loadProject(files);
    const found = problems.find(
      (problem) => problem.file === file && problem.pointer === pointer && message.test(problem.message),
    );
    expect(found, JSON.stringify(problems, null, 1)).toBeDefined();
    expect(found?.hint).not.toBe('');
    if (line !== undefined) expect(found?.line).toBe(line);
  },
);

/** Typical mistakes: the change, its file and pointer, and all expected problems. */
test.each([
  [
    'a type name of another programming language',
    inSchema((c) => (c.properties.extra.type = 'int')),
    schema,
    '/properties/extra/type',
    /Escribí "integer"\./,
  ],
  [
    'a widget as a type',
    inSchema((c) => (c.properties.extra.type = 'fecha')),
    schema,
    '/properties/extra/type',
    /"string", "format": "date"/,
  ],
  [
    'a limit in quotes',
    inSchema((c) => (c.properties.extra.maxLength = '20')),
    schema,
    '/properties/extra/maxLength',
    /Escribilo sin comillas: 20\./,
  ],
  [
    'a limit written in words',
    inSchema((c) => (c.properties.extra.maxLength = 'veinte')),
    schema,
    '/properties/extra/maxLength',
    /Escribí un número entero, sin comillas/,
  ],
  [
    'a path without a slash',
    inFlow((c) => (c.states.form.path = 'form')),
    flow,
    '/states/form/path',
    /"form" no empieza con barra.*escribí "\/form"/,
  ],
  [
    'true in quotes',
    inUi((c) => (c.actions[0].primary = 'true')),
    ui,
    '/actions/0/primary',
    /Escribilo sin comillas: true\./,
  ],
  [
    'a visibility rule inside a field',
    inUi((c) => (c.fields.extra.visible = { var: 'form.kind' })),
    ui,
    '/fields/extra/visible',
    /"visible" no va adentro de un campo.*\{ "extra": … \}/,
  ],
  [
    'an order without one of the fields',
    inUi((c) => (c.fields['ui:order'] = ['email', 'repeat', 'secret', 'kind', 'terms'])),
    ui,
    '/fields/ui:order',
    /Al orden le falta "extra"/,
  ],
  [
    'a text in the wrong encoding',
    inUi((c) => (c.title = 'InformaciÃ³n')),
    ui,
    '/title',
    /tiene "Ã³": se guardó con otra codificación/,
  ],
  [
    'a date limit that begins with the day',
    field({ type: 'string', calendarDate: { from: '01/01/2027' } }),
    schema,
    `${at}/calendarDate/from`,
    /"from" tiene que ser como "2027-12-31"\. Escribí "2027-01-01"\./,
  ],
  [
    'a date limit that does not exist',
    field({ type: 'string', calendarDate: { to: '2027-06-31' } }),
    schema,
    `${at}/calendarDate/to`,
    /"to" tiene que ser una fecha que exista/,
  ],
  [
    'a number limit of a date',
    field({ type: 'string', format: 'date', minimum: '2027-01-01' }),
    schema,
    `${at}/minimum`,
    /El límite de una fecha se escribe así: "calendarDate": \{ "from": "2027-01-01" \}/,
  ],
  [
    'a link with "href"',
    inUi((c) => (c.intro = [{ text: 'Mirá esto.', link: { href: '/listo', text: 'Listo' } }])),
    ui,
    '/intro/0/link/href',
    /¿Quisiste decir "to"\?/,
  ],
  [
    'an event renamed in only one language',
    inUi((c) => (c.actions[0].event = 'submitt')),
    ui,
    '/actions/0/event',
    /Escribí "submit" en lugar de "submitt"/,
  ],
])('[ANA-02] compiler reports %s once and says what to write', async (_, files, file, pointer, says) => {
  const { problems } = await loadProject(files, { language: 'es' });
  const own = problems.filter((problem) => problem.file === file);
  expect(own.map((problem) => `${problem.pointer} ${problem.message} ${problem.hint}`)).toEqual([
    expect.stringMatching(new RegExp(`^${pointer} .*${says.source}`)),
  ]);
});

test('[ANA-02] compiler accepts an order that names every field or has a wildcard', async () => {
  for (const rest of [['kind', 'extra'], ['*']])
    expect(
      (await loadProject(inUi((c) => (c.fields['ui:order'] = ['email', 'repeat', 'secret', 'terms', ...rest]))))
        .problems,
    ).toEqual([]);
});

test('[ANA-02] compiler suggests the known key that resembles a misspelt one', async () => {
  const { problems } = await loadProject(
    changeSample('schemas/form/ui.json', (c: Content) => (c.fields.email['ui:titel'] = 'x')),
  );
  expect(problems.map(({ pointer, hint }) => [pointer, hint])).toContainEqual([
    '/fields/email/ui:titel',
    'Did you mean "ui:title"? Check the spelling of the key, or remove it.',
  ]);
});

test.each([
  [
    'integer',
    { minLength: 1, maxLength: 9 },
    'minLength',
    'Its limits are "minimum" and "maximum". "minLength" applies to string.',
  ],
  [
    'string',
    { minimum: 4, maxItems: 5 },
    'minimum',
    'Its limits are "minLength" and "maxLength". "minimum" applies to number or integer.',
  ],
  [
    'array',
    { items: { type: 'string', enum: ['a'] }, minLength: 4 },
    'minLength',
    'Its limits are "minItems" and "maxItems". "minLength" applies to string.',
  ],
  ['boolean', { minimum: 4 }, 'minimum', 'It applies to number or integer.'],
])(
  '[ANA-02] compiler names the limits of a field of type %s once, if it has those of another',
  async (type, own, keyword, hint) => {
    const { problems } = await loadProject(field({ type, ...own }));
    const found = problems.filter(({ message }) => /has no effect on a field of type/.test(message));
    expect(found.map((problem) => [problem.pointer, problem.hint])).toEqual([[`${at}/${keyword}`, hint]]);
  },
);

test('[ANA-02] compiler names the list of an item of the wrong type, and the keys that the item must have', async () => {
  const { problems } = await loadProject(inUi((c) => (c.intro = ['Antes'])));
  expect(problems.map(({ pointer, message, hint }) => [pointer, message, hint])).toContainEqual([
    '/intro/0',
    'Item 1 of "intro" must be object.',
    'Write an object: { "text": … }.',
  ]);
});

test('[ANA-02] compiler finds no problem in the sample project', async () => {
  expect((await loadProject(sampleProject)).problems).toEqual([]);
});

test('[ANA-02] compiler ignores a README beside the definitions, and reports any other stray file', async () => {
  const { definitions } = await loadProject(sampleProject);
  const documented = await loadProject({
    ...sampleProject,
    'schemas/README.md': '# Pantallas',
    'flows/README.md': '# Flujos',
  });
  expect(documented.problems).toEqual([]);
  expect(documented.definitions?.version).toBe(definitions?.version);
  const { problems } = await loadProject({ ...sampleProject, 'schemas/stray.json': {} });
  expect(problems.map(({ file }) => file)).toEqual(['schemas/stray.json/ui.json']);
});

test('[ANA-02] compiler reports all problems of a flow together', async () => {
  const { problems } = await loadProject(
    inFlow((c) => {
      c.initial = 'x';
      c.states.form.screen = 'y';
      c.states.done.path = '/form';
    }),
  );
  expect(problems.length).toBeGreaterThanOrEqual(3);
});

test('[ENG-02] compiler adds a transition to error.next before the onError branches, unless followNext is false', async () => {
  const errors = async (files: Files) => {
    const submit = (await loadProject(files)).definitions?.flows.main?.states.form?.on?.submit;
    return submit && 'src' in submit ? submit.onError : null;
  };
  const [own, rest] = (await errors(sampleProject))?.slice(1) ?? [];
  expect(await errors(sampleProject)).toEqual([errorRedirectBranch, own, rest]);
  expect(await errors(inFlow((c) => (c.states.form.on.submit.followNext = false)))).toEqual([own, rest]);
});

test('[ENG-02] compiler appends the onError branches of the flow to those of an operation', async () => {
  const { definitions } = await loadProject(
    inFlow((c) => {
      c.onError = [{ field: true }];
      c.states.form.on.submit.onError.pop();
    }),
  );
  const submit = definitions?.flows.main?.states.form?.on?.submit;
  expect(submit).toMatchObject({ onError: [errorRedirectBranch, { notice: 'again' }, { field: true }] });
});

test('[ANA-02] compiler reports a page of the server that no flow has', async () => {
  expect((await loadProject(sampleProject, { pages: ['/form', '/done'] })).problems).toEqual([]);
  const { problems } = await loadProject(sampleProject, { pages: ['/form', '/elsewhere'] });
  expect(problems).toMatchObject([
    { file: 'flows', message: 'No flow has the path "/elsewhere", to which the server links.' },
  ]);
});

test('[ANA-02] compiler does not report the page that a repeated path replaced', async () => {
  const repeated = inFlow((c) => (c.states.done.path = '/form'));
  const { problems } = await loadProject(repeated, { pages: ['/form', '/done'] });
  expect(problems).toMatchObject([{ pointer: '/states/done/path', message: /already belongs to/ }]);
});

test('[ANA-02] compiler reports a problem of a shared definition once, at the definition', async () => {
  const twice = inSchema((c) => (c.properties.repeat = { $ref: '../_shared/person.json#/$defs/email', maxLength: 9 }));
  const { problems } = await loadProject({
    ...twice,
    ...{
      [shared]: changeSample(shared, (c: Content) =>
        Object.assign(c.$defs.email, { pattern: '(', minimum: 3, matchez: 'x' }),
      )[shared],
    },
  });
  expect(problems.map(({ file, pointer }) => [file, pointer]).sort()).toEqual([
    [shared, '/$defs/email/matchez'],
    [shared, '/$defs/email/minimum'],
    [shared, '/$defs/email/pattern'],
  ]);
});

test('[ANA-02] compiler suggests a field name without accents, but none for a name with ñ', async () => {
  const { problems } = await loadProject(
    inSchema((c) => Object.assign(c.properties, { teléfono: { type: 'string' }, año: { type: 'string' } })),
  );
  const hint = (name: string) => problems.find(({ pointer }) => pointer === `/properties/${name}`)?.hint;
  expect(hint('teléfono')).toMatch(/e\.g\. "telefono"/);
  expect(hint('año')).toMatch(/without accents and tildes/);
  expect(hint('año')).not.toMatch(/ano/);
});

test('[ANA-02] compiler accepts annotations in a schema, and they do not change the version of the rules', async () => {
  const { definitions, problems } = await loadProject(
    inSchema((c) => {
      Object.assign(c, { title: 'Formulario', description: 'De prueba', $comment: 'x', deprecated: true });
      Object.assign(c.properties.extra, { title: 'Extra', description: 'De prueba', $comment: 'x', deprecated: true });
    }),
  );
  expect(problems).toEqual([]);
  expect(definitions?.screenVersion('form')).toBe(
    (await loadProject(sampleProject)).definitions?.screenVersion('form'),
  );
});

test('[ANA-02] compiler ignores a byte order mark and reports positions without it', async () => {
  const marked = { ...sampleProject, [ui]: `\uFEFF${JSON.stringify(sampleProject[ui])}` };
  expect((await loadProject(marked)).problems).toEqual([]);
  const { problems } = await loadProject({ ...sampleProject, [ui]: '\uFEFF{ "title": "A",, }' });
  expect(problems).toMatchObject([{ file: ui, line: 1, column: 16 }]);
});

test.each([
  ['a missing field', '/properties', /The operation "save" reads the field "emial"/, { field: 'emial' }],
  ['a field of another type', '/properties/email', /reads "email" as a number/, { type: 'number' }],
])(
  '[ANA-02] compiler compares a screen with the fields that an operation reads, and reports %s',
  async (_note, pointer, message, change) => {
    const reads = [{ operation: 'save', screens: ['form'], field: 'email', type: 'string', ...change }];
    const { problems } = await loadProject(sampleProject, { reads });
    expect(problems).toMatchObject([{ file: schema, pointer, message: expect.stringMatching(message) }]);
    expect(
      (
        await loadProject(sampleProject, {
          reads: [{ operation: 'save', screens: ['form'], field: 'email', type: 'string' }],
        })
      ).problems,
    ).toEqual([]);
  },
);

test('[ANA-02] compiler accepts an integer field that an operation reads as a number', async () => {
  const files = inSchema((c) => (c.properties.email = { type: 'integer' }));
  const found = async (type: 'number' | 'boolean') =>
    (
      await loadProject(files, { reads: [{ operation: 'save', screens: ['form'], field: 'email', type }] })
    ).problems.filter(({ message }) => message.includes('The operation "save"'));
  expect(await found('number')).toEqual([]);
  expect(await found('boolean')).toHaveLength(1);
});

test('[ANA-02] compiler reports a visibility rule on a fact that the validating server does not know', async () => {
  const files = inUi((c) => (c.visible = { email: { and: [{ var: 'context.email' }, { var: 'user' }] } }));
  const own = { screens: ['form'], facts: ['user'] };
  const found = async (validated: typeof own) =>
    (await loadProject(files, { validated })).problems.filter(({ message }) =>
      message.startsWith('The server does not know'),
    );
  expect(await found(own)).toMatchObject([
    { file: ui, pointer: '/visible/email', message: expect.stringMatching(/"context.email"/) },
  ]);
  expect(await found({ ...own, screens: [] })).toEqual([]);
});

test.each([
  ['a label', '/fields/email/ui:title', (c: Content) => (c.fields.email['ui:title'] = 'Correo de {email}')],
  ['a help', '/fields/email/ui:help', (c: Content) => (c.fields.email['ui:help'] = 'Ahora {email}')],
  ['a section', '/sections/0/title', (c: Content) => (c.sections = [{ title: 'De {email}', fields: ['email'] }])],
])('[ANA-02] compiler rejects a variable in %s, where nothing fills it', async (_note, pointer, change) => {
  const { problems } = await loadProject(inUi(change));
  expect(problems.filter(({ file, message }) => file === ui && message.includes('{email}'))).toMatchObject([
    { file: ui, pointer, message: expect.stringMatching(/displayed as written: \{email\}/) },
  ]);
});

test('[ENG-02] the compiler reports a screen with fields but without schema.json once', async () => {
  const { [schema]: _, ...files } = sampleProject;
  const { problems } = await loadProject(files);
  expect(problems.map(({ file, message }) => `${file} ${message}`)).toEqual([
    `${ui} The screen has fields but no schema.json.`,
  ]);
});
