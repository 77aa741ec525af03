import { beforeAll, describe, expect, test } from 'vitest';
import { listScreensByFlow, createDefinitionSearch } from '../../src/studio/editor/definition-search.ts';
import { describeTextPlace } from '../../src/studio/editor/titles.ts';
import { openStudio } from './support/open-studio.ts';

let search: ReturnType<typeof createDefinitionSearch>;
let journeys: ReturnType<typeof listScreensByFlow>;

beforeAll(async () => {
  const { set } = await openStudio();
  search = createDefinitionSearch(set);
  journeys = listScreensByFlow(set);
});

test.each<[by: string, wanted: string, name: string, line: object | null]>([
  ['a title', 'REESTABLECE TU CONTRASENA', 'contrasena-restablecer', null],
  ['a flow by the title of its first screen', 'reestablece tu contrasena', 'contrasena', null],
  ['the name of a screen', 'contrasena-restablecer-exito', 'contrasena-restablecer-exito', null],
  ['a text in Spanish', 'que mensaje viste', 'contacto', { place: 'Campo «Motivo solicitud», ayuda' }],
  [
    'a text in Portuguese',
    'selecione um assunto',
    'contacto',
    { place: 'Campo «Asunto», ejemplo dentro del campo (Portugués)', text: 'Selecione um assunto' },
  ],
  ['an address', '/contrasena/restablecer/link-enviado', 'contrasena', { place: 'path' }],
  ['an error code', 'vinculo_invalido', 'contrasena', { place: 'error.code', text: 'vinculo_invalido' }],
  ['the key of a field', 'nombre_completo', 'contacto', { place: 'fields', text: 'nombre_completo' }],
  ['an operation', 'confirmPasswordReset', 'contrasena', { place: 'src' }],
  ['a shared message', 'ingrese un email valido', 'person', { place: 'Campo «address», mensaje si no tiene la forma' }],
  [
    'a text of a shared field in Portuguese',
    'sem pontos nem',
    'document',
    { place: 'Campo «number», ayuda (Portugués)' },
  ],
  ['a message of the catalogue', 'este es un dato requerido', 'messages', { place: 'required' }],
  ['a shared notice', 'seguis donde dejaste: lo que', 'notices', { place: 'Aviso «retomado»' }],
  ['a text of the page frame', 'saltar al contenido', 'portal', { place: 'skip' }],
])('[EST-19] the studio search finds %s without accents or case', (_by, wanted, name, line) => {
  const found = search(wanted).find((entry) => entry.name === name);
  expect(found?.line).toEqual(line && (expect.objectContaining(line) as object));
});

test('[EST-19] the studio search lists everything for an empty query, and shows the words around a match in a long text', () => {
  expect(search(' ').length).toBeGreaterThan(100);
  expect(search('no hay nada de esto')).toEqual([]);
  expect(search('si no lo encontras, revisa')[0]?.line?.text).toMatch(/^….{0,20}Si no lo encontrás, revisá/);
});

describe('[EST-19] describeTextPlace', () => {
  const ui = {
    actions: [{ event: 'submit', text: 'Continuar' }],
    aside: { parts: [{ links: [{ to: '/ayuda', text: 'Ayuda' }] }] },
  };
  test.each([
    ['/title', 'Título'],
    ['/title/1/text', 'Título, 2'],
    ['/intro/0/link/text', 'Texto debajo del título, 1, enlace'],
    ['/fields/doc/ui:help', 'Campo «Documento», ayuda'],
    ['/fields/doc/ui:enumNames/1', 'Campo «Documento», opción 2'],
    ['/fields/otro/calle/ui:title', 'Campo «otro», calle, nombre'],
    ['/messages/doc/pattern', 'Campo «Documento», mensaje si no tiene la forma'],
    ['/messages/doc/ci', 'Campo «Documento», mensaje de la regla ci'],
    ['/actions/0/text', 'Botón «submit»'],
    ['/actions/submit', 'Botón «submit»'],
    ['/sections/1/title', 'Sección 2, título'],
    ['/aside/parts/0/links/0/text', 'Al costado, parte 1, enlace a /ayuda'],
    ['/notices/vencido/text', 'Aviso «vencido»'],
  ])('describes %s as %s', (pointer, place) => {
    expect(describeTextPlace(pointer, ui, { doc: { title: 'Documento' } })).toBe(place);
  });
});

test('[EST-19] the studio search lists matching names before matching texts', () => {
  const found = search('contacto').filter(({ kind }) => kind === 'screen');
  expect(found[0]?.name).toBe('contacto');
  expect(found.map(({ line }) => line !== null).lastIndexOf(false)).toBeLessThan(
    found.findIndex(({ line }) => line !== null),
  );
});

test('[EST-19] the studio search lists the steps of a flow in their order', () => {
  const names = search('').flatMap(({ kind, name }) => (kind === 'screen' ? [name] : []));
  const steps = ['registro', 'registro-nombre', 'registro-correo', 'registro-contrasena'];
  const start = names.indexOf('registro');
  expect(names.slice(start, start + steps.length)).toEqual(steps);
  expect(new Set(names).size).toBe(names.length);
});

test('[EST-19] listJourneys lists the screens of each flow in order, omits none, and repeats those in two flows', () => {
  const of = (flow: string) => journeys.find((one) => one.flow?.name === flow);
  expect(of('contacto')).toEqual({
    area: 'Ayuda y contacto',
    flow: { kind: 'flow', name: 'contacto', title: 'Contacto' },
    screens: [
      { kind: 'screen', name: 'contacto', title: 'Contacto' },
      { kind: 'screen', name: 'contacto-mensaje-enviado', title: 'Tu mensaje se ha enviado' },
    ],
  });
  const shown = journeys.flatMap(({ screens }) => screens.map(({ name }) => name));
  const all = search('').flatMap(({ kind, name }) => (kind === 'screen' ? [name] : []));
  expect([...new Set(shown)]).toEqual(all);
  expect(shown.length).toBeGreaterThan(all.length);
});
