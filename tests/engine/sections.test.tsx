// @vitest-environment happy-dom
import { act, cleanup, screen as page } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { ScreenSection, ScreenUi } from '../../src/engine/core/flow-and-screen-types.ts';
import { draw } from '../definitions/support/draw.tsx';
import { importScreen } from './support/loaded-screens.ts';
import { changeSample, loadProject, type Files } from './support/project.ts';

afterEach(cleanup);

const [schemaPath, uiPath, ptPath] = ['schemas/form/schema.json', 'schemas/form/ui.json', 'schemas/form/ui.pt.json'];
type Change = (ui: { -readonly [Key in keyof ScreenUi]: ScreenUi[Key] }) => void;

const sections: readonly ScreenSection[] = [
  { title: 'Tus gustos', text: 'Lo que sepas.', fields: ['kind', 'extra'] },
  { title: 'Tu acceso', fields: ['secret', 'repeat'], visible: { '==': [{ var: 'form.kind' }, 'b'] } },
];
const translateSections = (all: readonly ScreenSection[] = []) =>
  all.map(({ title, text }) => {
    const own = `${title}, em português`;
    return text === undefined ? own : { title: own, text: 'O que souber.' };
  });

/**
 * The sample form in sections, in the order email, repeat, secret, kind, extra, terms. `secret` and `extra` are
 * required too.
 */
function form(change: Change = () => undefined, portuguese?: object): Files {
  const inSections = changeSample(uiPath, (ui) => {
    Object.assign(ui, { sections });
    change(ui as unknown as ScreenUi);
  })[uiPath] as ScreenUi;
  return {
    ...changeSample(schemaPath, (schema) => (schema.required as unknown as string[]).push('secret', 'extra')),
    [uiPath]: inSections,
    [ptPath]: changeSample(ptPath, (ui) =>
      Object.assign(ui, portuguese ?? { sections: translateSections(inSections.sections) }),
    )[ptPath],
  };
}

async function loadForm(change?: Change) {
  const { definitions, problems } = await loadProject(form(change));
  if (!definitions) throw new Error(JSON.stringify(problems));
  return definitions;
}

async function open(values: Readonly<Record<string, unknown>> = {}, change?: Change) {
  const screen = await importScreen(await loadForm(change), 'form');
  const draft = screen.open(values, {});
  if (!draft) throw new Error('The form has fields.');
  const { container } = await draw(screen, draft, {});
  const names = (within: Element = container) =>
    [...within.querySelectorAll('[data-field]')].map((field) => field.getAttribute('data-field'));
  return { draft, container, names };
}

describe('[ENG-04] sections of a form', () => {
  test('are drawn under their titles, at the position of their first field', async () => {
    const { names } = await open({ kind: 'b' });
    expect(names()).toEqual(['email', 'kind', 'extra', 'secret', 'repeat', 'terms']);
    const [first, second] = [
      page.getByRole('group', { name: 'Tus gustos' }),
      page.getByRole('group', { name: 'Tu acceso' }),
    ];
    expect([first.querySelector('legend')?.textContent, names(first)]).toEqual(['Tus gustos', ['kind', 'extra']]);
    expect(names(second)).toEqual(['secret', 'repeat']);
    expect(document.getElementById(first.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Lo que sepas.');
  });

  test.each([
    {
      note: 'with a later section first',
      order: ['secret', 'email', '*'],
      drawn: ['kind', 'extra', 'secret', 'repeat', 'email', 'terms'],
    },
    {
      note: 'with a field between them',
      order: ['kind', 'terms', '*'],
      drawn: ['kind', 'extra', 'terms', 'email', 'secret', 'repeat'],
    },
  ])('are drawn in their sequence $note', async ({ order, drawn }) => {
    const { names } = await open({ kind: 'b' }, (ui) => (ui.fields = { ...ui.fields, 'ui:order': order }));
    expect(names()).toEqual(drawn);
  });

  test('are drawn only while their rule is true', async () => {
    const { draft, names } = await open();
    expect([page.queryByRole('group', { name: 'Tu acceso' }), names()]).toEqual([null, ['email', 'kind', 'terms']]);
    act(() => draft.field('kind')?.set('b'));
    expect(names()).toEqual(['email', 'kind', 'extra', 'secret', 'repeat', 'terms']);
    act(() => draft.field('kind')?.set('a'));
    expect(names()).toEqual(['email', 'kind', 'terms']);
  });

  test('are drawn only while one of their fields is visible', async () => {
    const change: Change = (ui) => {
      ui.sections = [{ title: 'Aparte', fields: ['extra'] }];
    };
    const { draft } = await open({}, change);
    expect(page.queryByRole('group')).toBeNull();
    act(() => draft.field('kind')?.set('b'));
    expect(page.getByRole('group', { name: 'Aparte' })).toBeTruthy();
  });

  test('hide their fields, which are then neither required nor sent, alike in browser and server', async () => {
    const change: Change = (ui) => (ui.visible = { ...ui.visible, repeat: { var: 'form.extra' } });
    const definitions = await loadForm(change);
    const screen = await importScreen(definitions, 'form');
    const all = { email: 'a@b.uy', terms: true, secret: 'largo y secreto', extra: 'x', repeat: 'a@b.uy' };
    const cases = [
      { values: { ...all, kind: 'a' }, sent: { email: 'a@b.uy', terms: true, kind: 'a' } },
      { values: { ...all, kind: 'b' }, sent: { ...all, kind: 'b' } },
      { values: { ...all, kind: 'b', secret: undefined }, sent: null, errors: { secret: 'Falta' } },
      // the condition of the field and that of its section must both be true
      {
        values: { ...all, kind: 'b', extra: undefined },
        sent: null,
        errors: { extra: 'Falta' },
      },
    ];
    for (const { values, sent, errors = {} } of cases) {
      const draft = screen.open(values, {});
      expect(draft?.submit()?.data ?? null).toEqual(sent);
      const checked = definitions.check('form', values, { language: 'es', context: {} });
      expect(checked.errors).toEqual(errors);
      if (sent) expect(checked.data).toEqual(sent);
      else expect(checked.data).not.toHaveProperty(values.extra === undefined ? 'repeat' : 'secret');
    }
  });

  test('change the version of the screen with their rules, and not with their titles', async () => {
    const versionOf = async (change?: Change) => (await loadForm(change)).manifest('es').screens.form?.version;
    const retitled: Change = (ui) => (ui.sections = sections.map((section) => ({ ...section, title: 'Otra' })));
    const reruled: Change = (ui) => (ui.sections = [sections[0]!, { ...sections[1]!, visible: { var: 'form.kind' } }]);
    const before = await versionOf();
    expect([await versionOf(retitled), (await versionOf(reruled)) === before]).toEqual([before, false]);
  });

  test('draw a field at half width if its UI schema says so', async () => {
    const { container } = await open({}, (ui) => {
      ui.fields = { ...ui.fields, kind: { ...(ui.fields?.kind as object), 'ui:options': { width: 'half' } } };
    });
    expect(
      [...container.querySelectorAll('[data-width="half"]')].map((field) => field.getAttribute('data-field')),
    ).toEqual(['kind']);
  });

  test('are translated with their structure', async () => {
    const definitions = await loadForm();
    const titles = (language: string) => definitions.ui('form', language).sections?.map(({ title }) => title);
    expect([titles('es'), titles('pt')]).toEqual([
      ['Tus gustos', 'Tu acceso'],
      ['Tus gustos, em português', 'Tu acceso, em português'],
    ]);
  });
});

describe('[ENG-04] compiler checks of sections', () => {
  const section = (change: Partial<ScreenSection>): Change => {
    return (ui) => (ui.sections = [sections[0]!, { ...sections[1]!, ...change }]);
  };
  const without = (key: keyof ScreenSection): Change => {
    const { [key]: _, ...rest } = sections[1]!;
    return (ui) => (ui.sections = [sections[0]!, rest as ScreenSection]);
  };
  test.each<{ note: string; change: Change; pointer: string; message: RegExp; hint: RegExp }>([
    {
      note: 'an unknown field in a section',
      change: section({ fields: ['secret', 'repeta'] }),
      pointer: '/sections/1/fields/1',
      message: /no field "repeta"/,
      hint: /Did you mean "repeat"\?/,
    },
    {
      note: 'a field in two sections',
      change: section({ fields: ['secret', 'kind'] }),
      pointer: '/sections/1/fields/1',
      message: /"kind" is already in the section "Tus gustos"/,
      hint: /in one section only/,
    },
    {
      note: 'a duplicate field in one section',
      change: section({ fields: ['secret', 'secret'] }),
      pointer: '/sections/1/fields/1',
      message: /"secret" is already in the section "Tu acceso"/,
      hint: /in one section only/,
    },
    {
      note: 'a section without a title',
      change: without('title'),
      pointer: '/sections/1',
      message: /The section has no title/,
      hint: /Add a "title"/,
    },
    {
      note: 'a section without its fields',
      change: without('fields'),
      pointer: '/sections/1',
      message: /required property 'fields'/,
      hint: /Add the missing key/,
    },
    {
      note: 'a section with an empty list of fields',
      change: section({ fields: [] }),
      pointer: '/sections/1/fields',
      message: /must NOT have fewer than 1 items/,
      hint: /Write 1 or more/,
    },
    {
      note: 'a rule with an unknown variable',
      change: section({ visible: { var: 'form.kid' } }),
      pointer: '/sections/1/visible',
      message: /"form.kid" does not exist/,
      hint: /Fields here: .*kind/,
    },
    {
      note: 'a section that its own field shows',
      change: section({ visible: { '!!': { var: 'form.secret' } } }),
      pointer: '/sections/1/visible',
      message: /depends on its own field "form.secret"/,
      hint: /before the section/,
    },
    {
      note: 'an unknown width',
      change: (ui) => (ui.fields = { ...ui.fields, kind: { 'ui:options': { width: 'third' } } }),
      pointer: '/fields/kind/ui:options/width',
      message: /"width" must be equal to one of the allowed values: full, half/,
      hint: /one of the listed/,
    },
  ])('reject $note', async ({ change, pointer, message, hint }) => {
    const { problems } = await loadProject(form(change));
    const problem = problems.find((one) => one.file === uiPath && one.pointer === pointer);
    expect(problem, JSON.stringify(problems)).toBeTruthy();
    expect(problem?.message).toMatch(message);
    expect(problem?.hint).toMatch(hint);
    expect(problem?.line).toBeGreaterThan(1);
  });

  test.each([
    { note: 'no sections', portuguese: {}, pointer: '/sections', message: /missing/ },
    {
      note: 'a missing section',
      portuguese: { sections: translateSections(sections).slice(0, 1) },
      pointer: '/sections',
      message: /A list of 2 texts belongs here/,
    },
    {
      note: 'additional fields',
      portuguese: { sections: [{ title: 'Os seus gostos', text: 'O que souber.', fields: ['kind'] }, 'O seu acesso'] },
      pointer: '/sections/0/fields',
      message: /"fields" is not a text to translate/,
    },
  ])('reject a translation with $note', async ({ portuguese, pointer, message }) => {
    const { problems } = await loadProject(form(undefined, portuguese));
    const found = problems.filter(({ file }) => file === ptPath);
    expect(found.map((one) => one.pointer)).toContain(pointer);
    expect(found.find((one) => one.pointer === pointer)?.message).toMatch(message);
  });
});
