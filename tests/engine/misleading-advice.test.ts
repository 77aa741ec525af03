import { expect, test } from 'vitest';
import type { LintOptions } from '../../src/engine/compiler/lint/lint-options.ts';
import { contract, findFindings, samplePaths, type Changes } from './support/find-findings.ts';
import { sampleProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
const { schema, ui, pt, flow } = samplePaths;
const [doneUi, donePt] = ['schemas/done/ui.json', 'schemas/done/ui.pt.json'];
const [portal, portalPt] = ['schemas/_shared/texts/portal.json', 'schemas/_shared/texts/portal.pt.json'];
const person = 'schemas/_shared/person.json';

/** The sample project with changes. */
function files(...changes: readonly Changes[]): Files {
  const all = structuredClone({ ...sampleProject, [portal]: {}, [portalPt]: {} }) as Record<string, any>;
  const links = [{ to: '/form', text: 'Leer' }];
  all[ui].fields.terms['ui:links'] = links;
  all[pt].fields.terms['ui:links'] = { '/form': 'Ler' };
  for (const change of changes) for (const [path, apply] of Object.entries(change)) apply(all[path]);
  return all;
}
const inFlow = (change: (content: any) => void): Changes => ({ [flow]: change });
const texts = (own: object, other: object): Changes => ({
  [portal]: (c) => Object.assign(c, own),
  [portalPt]: (c) => Object.assign(c, other),
});
const repeated = (text: string) =>
  Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`text${'abcdefghi'.charAt(index)}`, text]));
/** A second button of the form, with the event `remove` and its notice. */
const removing = (notice: string): Changes => ({
  [ui]: (c) => {
    c.actions.push({ event: 'remove', text: 'Quitar' });
    c.notices.removed = { intent: 'success', text: 'Quitamos el dato.' };
  },
  [pt]: (c) => {
    c.actions.remove = 'Remover';
    c.notices.removed = { text: 'Removemos o dado.' };
  },
  [flow]: (c) => {
    c.states.form.on.remove = { src: 'save', onDone: { notice }, onError: [{ field: true }] };
  },
});
/** A journey of three steps, of which `progress` lists some. */
const journey = (...progress: readonly string[]): Changes => ({
  [flow]: (c) => {
    const next = (target: string) => ({ screen: 'form', on: { submit: target } });
    c.progress = progress;
    c.states.form.on.submit.onDone[0].target = 'second';
    c.states.second = next('third');
    c.states.third = { ...next('done'), path: '/third', requires: c.states.done.requires };
  },
});
/** The variable `reason` of the flow, from a fact, in a rule of the last screen. */
const compared = (value: string): Changes => ({
  [flow]: (c) => (c.states.form.on.submit.onDone[0].assign.reason = { var: 'user.reason' }),
  [doneUi]: (c) => (c.intro = [{ text: 'Falta algo.', visible: { '==': [{ var: 'context.reason' }, value] } }]),
  [donePt]: (c) => (c.intro = ['Falta alguma coisa.']),
});
const reason: Partial<LintOptions> = {
  factShapes: { user: { type: 'object', properties: { reason: { enum: ['mobile', 'email'] } } } },
};
const introduced = (text: string): Changes => ({
  [doneUi]: (c) => (c.intro = text),
  [donePt]: (c) => (c.intro = 'Algo mais.'),
});
const pressing: Partial<LintOptions> = {
  wording: { es: { ...contract.wording!['es']!, press: ['tocá'], optional: ['si dejás el campo vacío'] } },
};
const alone = (required: readonly string[]): Changes => ({
  [schema]: (c) => Object.assign(c, { required, properties: { email: c.properties.email } }),
  [ui]: (c) => {
    c.fields = { email: c.fields.email };
    c.intro = 'Si dejás el campo vacío, lo borramos.';
    delete c.visible;
  },
  [pt]: (c) => {
    c.fields = { email: c.fields.email };
    c.intro = 'Se você deixar o campo vazio, apagamos.';
  },
});

type Row = readonly [what: string, wrong: Files, says: RegExp, right: Files, options?: Partial<LintOptions>];

const rows: readonly Row[] = [
  [
    'a stored variable whose name is misspelt',
    files(inFlow((c) => (c.context.storage = ['emial']))),
    /data\/unread .*"emial"\. ¿Quisiste decir "email"\?/,
    files(inFlow((c) => (c.context.storage = ['email']))),
  ],
  [
    'a reference to the definition of another field',
    files({
      [person]: (c) => (c.$defs.repeatEmail = { type: 'string', matches: 'email' }),
      [schema]: (c) => (c.properties.repeat = { $ref: '../_shared/person.json#/$defs/email' }),
    }),
    /ui\/unused "repeat" usa la definición "email", y nada usa "repeatEmail".*person\.json#\/\$defs\/repeatEmail"/,
    files({
      [person]: (c) => (c.$defs.repeatEmail = { type: 'string', matches: 'email' }),
      [schema]: (c) => (c.properties.repeat = { $ref: '../_shared/person.json#/$defs/repeatEmail' }),
    }),
  ],
  [
    'a copied notice at the branch that resembles the unused one',
    files(removing('again')),
    /ui\/unused Dos ramas muestran el aviso "again", y ninguna el aviso "removed"/,
    files(removing('removed')),
  ],
  [
    'a state between two steps that is not a step',
    files(journey('form', 'third', 'done')),
    /"second" está entre "form" y "third", y no es un paso\. Agregá "second" a "progress"/,
    files(journey('form', 'second', 'third', 'done')),
  ],
  [
    'a key of a text that has another name in the translation',
    files(texts({ 'missing.one': 'Falta uno.' }, { 'missing.un': 'Falta um.' })),
    /La clave de este texto es acá "missing\.un", y en .* es "missing\.one"/,
    files(texts({ 'missing.one': 'Falta uno.' }, { 'missing.one': 'Falta um.' })),
  ],
  [
    'a misspelt text beside the usual translation, in its own file',
    files(texts({ ...repeated('Volver'), last: 'Volvor' }, { ...repeated('Voltar'), last: 'Voltar' })),
    /portal\.json text\/pair Acá dice "Volvor".*Escribí "Volver"/,
    files(texts({ ...repeated('Volver'), last: 'Volver' }, { ...repeated('Voltar'), last: 'Voltar' })),
  ],
  [
    'the short name of a button of another screen',
    files(introduced('Tocá «Enviar formulario».')),
    /text\/button .*"Enviar formulario"\. ¿Quisiste decir "Enviar"\?/,
    files(introduced('Tocá «Enviar».')),
    pressing,
  ],
  [
    'a required field whose introduction says that it may be empty',
    files(alone(['email'])),
    /ui\/optional Acá dice "Si dejás el campo vacío", pero la pantalla pide todos sus campos: "email"/,
    files(alone([])),
    pressing,
  ],
  [
    'a value that a variable never gets from a fact',
    files(compared('movil')),
    /rule\/choice "context\.reason" no es nunca "movil"\. ¿Quisiste decir "mobile"\?/,
    files(compared('mobile')),
    reason,
  ],
  [
    'a state with an address that nothing opens',
    files(inFlow((c) => (c.states.thanks = { path: '/thanks', screen: 'done', requires: c.states.done.requires }))),
    /nav\/orphan Nada lleva a la dirección "\/thanks"/,
    files(
      inFlow((c) => {
        c.states.thanks = { path: '/thanks', screen: 'done', requires: c.states.done.requires };
        c.states.form.on.submit.onDone[0].target = 'thanks';
        c.states.done = { ...c.states.done, path: '/form/done' };
      }),
      {
        [doneUi]: (c) => c.links.push({ to: '/form/done', text: 'Terminar' }),
        [donePt]: (c) => (c.links['/form/done'] = 'Fim'),
      },
    ),
    { pages: ['/form'] },
  ],
  [
    'an address of the portal in a text',
    files(
      inFlow((c) => (c.states.form.path = '/form/start')),
      {
        [doneUi]: (c) => (c.links = [{ to: '/form/start', text: 'Otra vez' }]),
        [donePt]: (c) => (c.links = { '/form/start': 'De novo' }),
      },
      {
        [ui]: (c) => (c.fields.terms['ui:links'][0].to = '/form/start'),
        [pt]: (c) => (c.fields.terms['ui:links'] = { '/form/start': 'Ler' }),
      },
      introduced('Entrá en https://mi.portal.gub.uy/form/start y seguí.'),
    ),
    /text\/link "https:\/\/mi\.portal\.gub\.uy\/form\/start" es la dirección de una sola instalación/,
    files(introduced('Entrá en https://www.gub.uy/tramites y seguí.')),
  ],
  [
    'a field that was renamed only in schema.json',
    files(
      {
        [schema]: (c) => {
          c.properties.extraText = c.properties.extra;
          delete c.properties.extra;
        },
      },
      inFlow((c) => (c.states.form.prefill = { extra: 'Algo' })),
    ),
    /schema\.json {2}Este campo se llama "extraText" acá, y "extra" en schemas\/form\/ui\.json, flows\/main\.json\. Escribí "extra"/,
    files(inFlow((c) => (c.states.form.prefill = { extra: 'Algo' }))),
  ],
  [
    'a misspelt target, but not that nothing leads to its state',
    files(
      inFlow((c) => {
        c.states.last = { screen: 'done' };
        c.states.form.on.submit.onDone[0].target = 'lst';
      }),
    ),
    /No hay ningún estado "lst"\. ¿Quisiste decir "last"\?/,
    files(),
  ],
  [
    'a misspelt parameter of a path, but not that no path has its variable',
    files(
      inFlow((c) => {
        c.context.path = ['number'];
        c.states.done.path = '/done/:nunber';
      }),
    ),
    /":nunber".*¿Quisiste decir "number"\?/,
    files(),
  ],
];

test.each(rows.map(([what, wrong, says, right, more = {}]) => [what, wrong, says, right, more] as const))(
  '[ANA-02 QA-02] compiler names the likely mistake, with one message: %s',
  async (_, wrong, says, right, more) => {
    const find = async (project: Files) =>
      (await findFindings(project, more))
        .filter(({ rule }) => rule !== 'walk/entry') // some of the mistakes also change which variables are stored
        .map(({ file, rule = '', message, hint }) => `${file.split('/').at(-1) ?? ''} ${rule} ${message} ${hint}`);
    const usual = await find(right);
    const found = (await find(wrong)).filter((own) => !usual.includes(own));
    expect(found).toEqual([expect.stringMatching(says)]);
    expect(usual.filter((own) => says.test(own))).toEqual([]);
  },
);
