import { expect, test } from 'vitest';
import { findFindings } from './support/find-findings.ts';
import { loadProject, sampleProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
const notices = 'schemas/_shared/notices.json';
const noticesPt = 'schemas/_shared/notices.pt.json';
const person = 'schemas/_shared/person.json';
const personPt = 'schemas/_shared/person.pt.json';
const messages = 'schemas/_shared/messages.json';
const messagesPt = 'schemas/_shared/messages.pt.json';

/** A project with three screens that use the same notice and the same definition, each in its own flow. */
const project = ((): Record<string, any> => {
  const copies = ['one', 'two', 'three'].flatMap((id) =>
    Object.entries(sampleProject).flatMap(([path, content]) => {
      const own = path.replace('schemas/form/', `schemas/${id}/`).replace('flows/main', `flows/${id}`);
      if (own === path) return [];
      const text = JSON.stringify(content).replaceAll('"/form"', `"/${id}"`).replaceAll('"/done"', `"/${id}/done"`);
      return [[own, JSON.parse(text.replaceAll('"screen":"form"', `"screen":"${id}"`))] as const];
    }),
  );
  const all: Record<string, any> = structuredClone({ ...sampleProject, ...Object.fromEntries(copies) });
  for (const [path, content] of Object.entries(all)) {
    if (path.startsWith('flows/')) {
      content.id = /\/(\w+)\./.exec(path)?.[1];
    }
    if (/schemas\/\w+\/ui/.test(path) && content.fields) {
      delete content.notices;
      delete content.fields.email;
    }
  }
  all[person].$defs.email.ui = { 'ui:title': 'Correo' };
  all[personPt] = { $defs: { email: { ui: { 'ui:title': 'E-mail' } } } };
  all[notices] = {
    $defs: { again: { intent: 'warning', text: 'De nuevo {email}', link: { to: '/form', text: 'Probá' } } },
  };
  all[noticesPt] = { $defs: { again: { text: 'De novo {email}', link: { text: 'Tente' } } } };
  return all;
})();

const after = (path: string, change: (content: any) => unknown): Files => {
  const files = structuredClone(project);
  change(files[path]);
  return files;
};
const withoutComma = (path: string): Files => ({
  ...project,
  [path]: JSON.stringify(project[path], null, 2).replace(',\n', '\n'),
});
const findProblems = async (files: Files) => (await loadProject(files, { language: 'es' })).problems;
const rename = (table: any, from: string, to: string): void => {
  table[to] = table[from];
  delete table[from];
};

test('[ANA-02] shared sample project has no problems', async () => {
  expect(await findProblems(project)).toEqual([]);
});

const mistakes: readonly (readonly [what: string, files: Files, says: RegExp])[] = [
  [
    'a wrong intent of a shared notice',
    after(notices, (c) => (c.$defs.again.intent = 'eror')),
    /^_shared\/notices\.json \/\$defs\/again\/intent .*"error"/,
  ],
  [
    'an unknown key of a shared notice',
    after(notices, (c) => rename(c.$defs.again, 'text', 'tetx')),
    /^_shared\/notices\.json \/\$defs\/again\/tetx .*"text"/,
  ],
  [
    'a renamed shared notice',
    after(notices, (c) => rename(c.$defs, 'again', 'otraVez')),
    /^_shared\/notices\.json \/\$defs\/otraVez .*"again", que no existe/,
  ],
  [
    'a shared notice with an unknown link',
    after(notices, (c) => (c.$defs.again.link.to = '/from')),
    /^_shared\/notices\.json \/\$defs\/again\/link\/to .*"\/form"/,
  ],
  [
    'a shared notice with an unknown variable',
    after(notices, (c) => (c.$defs.again.text = 'De nuevo {emial}')),
    /^_shared\/notices\.json \/\$defs\/again\/text .*\{emial\}.*"email"/,
  ],
  [
    'an unknown variable in the translation of a shared notice',
    after(noticesPt, (c) => (c.$defs.again.text = 'De novo {emial}')),
    /^_shared\/notices\.pt\.json \/\$defs\/again\/text .*\{emial\}.*\{email\}/,
  ],
  [
    'an unknown widget of a shared definition',
    after(person, (c) => (c.$defs.email.ui['ui:widget'] = 'texto')),
    /^_shared\/person\.json \/\$defs\/email\/ui\/ui:widget .*"text"/,
  ],
  [
    'an unknown type of a shared definition',
    after(person, (c) => (c.$defs.email.type = 'texto')),
    /^_shared\/person\.json \/\$defs\/email\/type .*"string"/,
  ],
  [
    'a renamed shared definition',
    after(person, (c) => rename(c.$defs, 'email', 'direccion')),
    /^_shared\/person\.json \/\$defs\/direccion .*"email", que no existe/,
  ],
  ['shared definitions that are no JSON', withoutComma(person), /^_shared\/person\.json {2}.*Falta una coma/],
  [
    'translated definitions that are no JSON',
    { ...project, [personPt]: '{ "$defs": ' },
    /^_shared\/person\.pt\.json {2}.*JSON/,
  ],
  ['translated notices that are no JSON', withoutComma(noticesPt), /^_shared\/notices\.pt\.json {2}.*Falta una coma/],
  ['a schema that is no JSON', withoutComma('schemas/one/schema.json'), /^one\/schema\.json {2}.*Falta una coma/],
  ['a translation that is no JSON', withoutComma('schemas/one/ui.pt.json'), /^one\/ui\.pt\.json {2}.*Falta una coma/],
  ['shared notices that are no JSON', withoutComma(notices), /^_shared\/notices\.json {2}.*Falta una coma/],
  ['messages that are no JSON', withoutComma(messages), /^_shared\/messages\.json {2}.*Falta una coma/],
  [
    'translated messages that are no JSON',
    withoutComma(messagesPt),
    /^_shared\/messages\.pt\.json {2}.*Falta una coma/,
  ],
];

test.each(mistakes)('[ANA-02] compiler reports %s once, in the file with the mistake', async (_, files, says) => {
  const found = await findProblems(files);
  const lines = found.map(
    ({ file, pointer, message, hint }) => `${file.replace('schemas/', '')} ${pointer} ${message} ${hint}`,
  );
  expect(lines).toEqual([expect.stringMatching(says)]);
});

test('[ANA-02] compiler reports the variable that one flow lacks at its screen, if other flows declare it', async () => {
  const files = after('flows/one.json', (c) => {
    c.context = { storage: ['other'] };
    c.states.form.on.submit.onDone[0].assign = { other: { var: 'form.email' } };
    c.states.done.requires.guard = { var: 'context.other' };
    c.states.done.screen = 'one-done';
  });
  const found = await findProblems({
    ...files,
    'schemas/one-done/ui.json': { title: 'Listo {other}', links: [{ to: '/one', text: 'Otra vez' }] },
    'schemas/one-done/ui.pt.json': { title: 'Pronto {other}', links: { '/one': 'De novo' } },
  });
  expect(found.map(({ file }) => file)).toEqual(['schemas/one/ui.json']);
});

test('[ANA-02] compiler reports a renamed path to which the server links at its state, without the links to it', async () => {
  const files = structuredClone(sampleProject) as Record<string, any>;
  files['flows/main.json'].states.form.path = '/forms';
  const { problems } = await loadProject(files, { pages: ['/form'] });
  expect(problems).toMatchObject([{ file: 'flows/main.json', pointer: '/states/form/path' }]);
});

test('[ANA-02] ui/twice and ui/autocomplete report a shared field that a screen uses twice at its second use', async () => {
  const twice = after('schemas/one/schema.json', (c) => (c.properties.other = c.properties.email));
  const files = { ...twice, [person]: structuredClone(twice[person]) as any };
  files[person].$defs.email.ui['ui:autocomplete'] = 'email';
  const found = (await findFindings(files)).filter(({ rule = '' }) => /^ui\/(?:twice|autocomplete)$/.test(rule));
  expect(found.map(({ rule, file, pointer, hint }) => [rule, file, pointer, hint])).toEqual(
    ['ui:autocomplete', 'ui:title'].map((key) => [
      key === 'ui:title' ? 'ui/twice' : 'ui/autocomplete',
      'schemas/one/schema.json',
      '/properties/other',
      expect.stringContaining(`Dale a "other" su propio "${key}" en ui.json`),
    ]),
  );
});
