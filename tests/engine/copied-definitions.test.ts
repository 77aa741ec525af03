import { expect, test } from 'vitest';
import { contract, findFindings, samplePaths, type Changes } from './support/find-findings.ts';
import { sampleProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
const { schema, ui, pt, flow } = samplePaths;
const person = 'schemas/_shared/person.json';

function files(changes: Changes, added: Files = {}): Files {
  const all = structuredClone({ ...sampleProject, ...added }) as Record<string, any>;
  for (const [path, change] of Object.entries(changes)) change(all[path]);
  return all;
}

async function find(rule: string, all: Files): Promise<readonly string[]> {
  const found = await findFindings(all, { wording: { ...contract.wording } });
  return found.filter((own) => own.rule === rule).map(({ file, pointer, message }) => `${file} ${pointer} ${message}`);
}

const cities = ['Montevideo', 'Artigas', 'Rivera', 'Salto'] as const;
const listed = (...names: readonly string[]): Files =>
  files({
    [schema]: (c) => (c.properties.kind.enum = ['a', 'b', 'c', 'd']),
    [ui]: (c) => (c.fields.kind['ui:enumNames'] = cities.map((city) => `Oficina de ${city}`)),
    [pt]: (c) => (c.fields.kind['ui:enumNames'] = names.map((city) => `Escritório de ${city}`)),
  });

test('[ANA-02] text/exchanged reports once the names of options in another order', async () => {
  expect(await find('text/exchanged', listed(...cities))).toEqual([]);
  expect(await find('text/exchanged', listed('Artigas', 'Rivera', 'Salto', 'Montevideo'))).toEqual([
    expect.stringMatching(/enumNames\/0 Estos textos no están en el orden de schemas\/form\/ui\.json/),
  ]);
  expect(await find('text/exchanged', listed('Montevideo', 'Artigas', 'Salto', 'Rivera'))).toEqual([
    expect.stringMatching(/enumNames\/2 "Escritório de Salto" y "Escritório de Rivera" están al revés/),
  ]);
});

test('[ANA-02] text/exchanged reports two exchanged options of a scale, one of which contains the other', async () => {
  const scale = (...names: readonly string[]): Files =>
    files({
      [schema]: (c) => (c.properties.kind.enum = ['a', 'b', 'c']),
      [ui]: (c) => (c.fields.kind['ui:enumNames'] = ['Poco clara', 'Clara', 'Muy clara']),
      [pt]: (c) => (c.fields.kind['ui:enumNames'] = names),
    });
  expect(await find('text/exchanged', scale('Pouco clara', 'Clara', 'Muito clara'))).toEqual([]);
  expect(await find('text/exchanged', scale('Clara', 'Pouco clara', 'Muito clara'))).toEqual([
    expect.stringMatching(/enumNames\/0 "Clara" y "Pouco clara" están al revés/),
  ]);
});

const noRules = { longest: 25, plain: {}, voice: {}, names: [], blame: {}, advice: [], quoted: [] };

test('[EST-01] text/same reports the options of a list once, no names of places, and nothing else about a pasted label', async () => {
  const wording = { ...contract.wording, pt: { ...noRules, same: ['repetir', 'enviar'] } };
  const pasted = async (
    options: readonly string[],
    translated: readonly string[],
    titles: readonly [string, string],
  ) => {
    const all = files({
      [schema]: (c) => (c.properties.kind.enum = options.map((_, index) => `o${index}`)),
      [ui]: (c) => Object.assign(c.fields.kind, { 'ui:title': titles[0], 'ui:enumNames': options }),
      [pt]: (c) => {
        [c.title, c.notices.again.text, c.fields.extra['ui:title']] = ['Tudo bem?', 'De novo?', 'Mais?'];
        Object.assign(c.fields.kind, { 'ui:title': titles[1], 'ui:enumNames': translated });
      },
    });
    const found = (await findFindings(all, { wording })).filter(
      ({ file, pointer }) => file === pt && pointer.startsWith('/fields/kind'),
    );
    return found.map(
      ({ rule = '', pointer, message }) => `${rule} ${pointer.replace('/fields/kind/ui:', '')} ${message}`,
    );
  };
  const titles = ['Elegí otro lugar', 'Onde'] as const;
  const places = ['Salto', 'Norte', 'Treinta y Tres', 'Cerro Largo', 'Otro'];
  expect(await pasted(places, [...places.slice(0, 4), 'Outro'], titles)).toEqual([]);
  expect(await pasted(places, places, titles)).toEqual(['text/same enumNames/4 "Otro" está sin traducir.']);
  const reasons = ['Trabajo en casa', 'Estudio ahora', 'Salud'];
  const list = 'text/same enumNames/0 "Trabajo en casa" y otros textos de esta lista (2) están sin traducir.';
  const salud = ['Trabajo', 'Estudio', 'Salud'];
  expect(await pasted(salud, ['Trabajo', 'Estudo', 'Saúde'], titles)).toEqual([
    'text/same enumNames/0 "Trabajo" está sin traducir.',
  ]);
  const question = '¿Por qué querés cambiar tu contraseña?';
  expect(await pasted(reasons, reasons, [question, question])).toEqual([
    `text/same title "${question}" está sin traducir.`,
    list,
  ]);
});

const passed = (field: string, value: string): Files =>
  files({
    [person]: (c) => (c.$defs.phone = { type: 'string' }),
    [schema]: (c) => (c.properties.phone = { $ref: '../_shared/person.json#/$defs/phone' }),
    [ui]: (c) => (c.fields.phone = { 'ui:title': 'Teléfono' }),
    [pt]: (c) => (c.fields.phone = { 'ui:title': 'Telefone' }),
    [flow]: (c) => (c.states.form.prefill = { [field]: value }),
  });

test('[ANA-02] data/prefill reports an e-mail address passed to a phone number', async () => {
  expect(await find('data/prefill', passed('phone', 'context.email'))).toEqual([
    expect.stringMatching(
      /^flows\/main\.json \/states\/form\/prefill\/phone "phone" recibe "context\.email", que es otra clase de dato/,
    ),
  ]);
  expect(await find('data/prefill', passed('email', 'context.email'))).toEqual([]);
  expect(await find('data/prefill', passed('extra', 'context.email'))).toEqual([]);
});

const patterned = (messages: object): Files =>
  files({
    [schema]: (c) => (c.properties.extra.pattern = '^[A-Z]{3}$'),
    ...Object.fromEntries(
      Object.keys(messages).flatMap(() =>
        [ui, pt].map((path) => [path, (c: any) => (c.messages = { extra: messages })]),
      ),
    ),
  });

test('[ANA-02] text/message reports a pattern without a message, or with a message that shows it', async () => {
  expect(await find('text/message', patterned({}))).toEqual([
    'schemas/form/schema.json /properties/extra/pattern Este pattern no tiene mensaje: quien se equivoca solo lee "Forma".',
  ]);
  expect(await find('text/message', patterned({ pattern: 'Va así: {pattern}' }))).toEqual([
    `${ui} /messages/extra/pattern Este mensaje muestra la expresión regular.`,
  ]);
  expect(await find('text/message', patterned({ pattern: 'Tres letras' }))).toEqual([]);
});

const copied = (change: (copy: any) => void, ...ids: readonly string[]): Files => {
  const copy: any = structuredClone(sampleProject[ui]);
  change(copy);
  const all = ['form-copy', ...ids];
  const screens = all.map((id) => ({
    [`schemas/${id}/schema.json`]: sampleProject[schema],
    [`schemas/${id}/ui.json`]: copy,
    [`schemas/${id}/ui.pt.json`]: sampleProject[pt],
  }));
  const states = all.map((screen) => [screen, { path: `/${screen}`, screen, on: { submit: 'done' } }] as const);
  return files({ [flow]: (c) => Object.assign(c.states, Object.fromEntries(states)) }, Object.assign({}, ...screens));
};

test('[ANA-02] ui/copy reports a copied screen that still has the title of the original', async () => {
  const isCopy = expect.stringMatching(
    /^schemas\/form-copy\/ui\.json \/title Esta pantalla y "form" tienen el mismo título/,
  );
  const same = copied(() => undefined);
  expect(await find('ui/copy', same)).toEqual([isCopy]);
  const { 'form-copy': other, ...states } = (same[flow] as any).states;
  const ofOtherFlow: Files = {
    ...same,
    [flow]: { ...(same[flow] as object), states },
    'flows/other.json': { initial: 'other', states: { other: { ...other, on: { submit: { leave: '/form' } } } } },
  };
  expect(await find('ui/copy', ofOtherFlow)).toEqual([isCopy]);
  expect(
    await find(
      'ui/copy',
      copied((copy) => (copy.title = 'Otro formulario')),
    ),
  ).toEqual([]);
});

test('[ANA-02] text/again does not report the texts of copied screens, which ui/copy reports', async () => {
  const twice = copied(() => undefined, 'form-copy2');
  expect(await find('ui/copy', twice)).toHaveLength(2);
  expect(await find('text/again', twice)).toEqual([]);
  const changed = copied((copy) => (copy.title = 'Otro formulario'), 'form-copy2');
  const all = { ...changed, 'schemas/form-copy2/ui.json': { ...(changed[ui] as object), title: 'Un tercero' } };
  expect(await find('text/again', all)).not.toEqual([]);
});

test('[ANA-02] a copied flow with the same paths is reported once', async () => {
  const copy: any = { ...(sampleProject[flow] as object), id: 'zcopy' };
  const found = await findFindings({ ...sampleProject, 'flows/zcopy.json': copy });
  expect(found.map(({ file, pointer, message }) => `${file} ${pointer} ${message}`)).toEqual([
    'flows/zcopy.json /states/form/path 2 rutas de este flujo ya son del flujo "main", como "/form".',
  ]);
});

test('[ANA-02] text/spelling corrects a slip in a word that also lacks its accent', async () => {
  const said = (word: string): Files =>
    files(
      { [ui]: (c) => (c.title = `El ${word}`) },
      {
        'schemas/_shared/texts/portal.json': { a: 'Tu teléfono', b: 'Otro teléfono', c: 'El teléfono de casa' },
      },
    );
  expect(await find('text/spelling', said('telefno'))).toEqual([expect.stringMatching(/Acá dice "telefno"/)]);
  expect(await find('text/spelling', said('teléfono'))).toEqual([]);
});
