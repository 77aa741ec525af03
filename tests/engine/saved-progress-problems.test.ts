import { expect, test } from 'vitest';
import { findFindings } from './support/find-findings.ts';
import { loadProject, copyAsTranslation } from './support/project.ts';
import { savedBookingFlow, savedWizardForms as forms, createSavedWizard } from './support/saved-wizard.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

const file = 'flows/main.json';

function loadWizard(change: (flow: Content) => void, more: object = {}) {
  const flow = structuredClone(savedBookingFlow) as Content;
  change(flow);
  return { ...createSavedWizard(), [file]: flow, ...more };
}

const cases: readonly (readonly [note: string, change: (flow: Content) => void, pointer: string, message: RegExp])[] = [
  ['missing days', (f) => delete f.save.days, '/save', /days/],
  ['more days than the maximum', (f) => (f.save.days = 31), '/save/days', /30/],
  ['an unknown key', (f) => (f.save.hours = 1), '/save/hours', /Unknown key "hours"/],
  ['an unknown notice of resumed progress', (f) => (f.save.resumed = 'nope'), '/save/resumed', /has no notice "nope"/],
  ['an unknown notice of rejected values', (f) => (f.save.refused = 'nope'), '/save/refused', /has no notice "nope"/],
  [
    'an excluded field that no step has',
    (f) => (f.save.without = ['/seriel']),
    '/save/without/0',
    /No step asks for "seriel"/,
  ],
  ['an excluded secret', (f) => (f.save.without = ['/pin']), '/save/without/0', /The secret "pin" is never saved/],
  ['a step for guests', (f) => (f.states.contact.access = 'guest'), '/save', /A step is for "guest"/],
  [
    'a journey that no operation ends',
    (f) => (f.states.confirm.on.submit.input = {}),
    '/save',
    /would never be deleted/,
  ],
  [
    'saved progress without steps',
    (f) => {
      delete f.progress;
      f.states.confirm.on.submit.input = {};
    },
    '/save',
    /no steps that could be saved/,
  ],
  [
    'a saved variable in a flow without save',
    (f) => delete f.save,
    '/context/saved/0',
    /"who" is not saved: the flow saves nothing/,
  ],
  [
    'a saved variable from the query',
    (f) => (f.context.query = ['who']),
    '/context/saved/0',
    /"who" is also in "query"/,
  ],
  [
    'a secret in a saved variable',
    (f) => {
      f.context.saved.push('pin');
      f.states.confirm.on.submit.onDone.assign.pin = { var: 'form.pin' };
    },
    '/states/confirm/on/submit/onDone/assign/pin',
    /The secret "form.pin" would be stored/,
  ],
];

test.each(cases)('[ENG-08] compiler reports in a flow with saved progress %s', async (_, change, pointer, message) => {
  const { problems } = await loadProject(loadWizard(change), { forms });
  expect(problems.map((problem) => [problem.pointer, message.test(problem.message)])).toContainEqual([pointer, true]);
});

test('[ENG-08] compiler reports only the unknown screen of a step in a flow with saved progress', async () => {
  const change = (f: Content) => {
    f.states.contact.screen = 'contacts';
    f.save.without = ['/serial'];
  };
  const { problems } = await loadProject(loadWizard(change), { forms });
  expect(problems.map(({ pointer }) => pointer)).toEqual(['/states/contact/screen']);
});

test('[ENG-08] compiler accepts a valid flow, and adds its notices only to the screens of its steps', async () => {
  const { definitions, problems } = await loadProject(createSavedWizard(), { forms });
  expect(problems).toEqual([]);
  const told = [...definitions!.screens].filter(
    (id) => Object.keys(definitions!.ui(id, 'pt').notices ?? {}).length > 0,
  );
  expect(told.sort()).toEqual(['confirm', 'contact', 'time']);
  expect(definitions!.ui('time', 'pt').notices).toMatchObject({ resumed: { text: 'Continua' }, refused: {} });
});

test('[ENG-08] compiler rejects "restart" in a notice of a flow that does not save its progress', async () => {
  const own = { notices: { resumed: { intent: 'info', text: 'x', link: { event: 'restart', text: 'x' } } } };
  const ui = { ...(createSavedWizard()['schemas/time/ui.json'] as object), ...own };
  const unsaved = loadWizard(
    (f) => {
      delete f.save;
      delete f.context;
    },
    { 'schemas/time/ui.json': ui, 'schemas/time/ui.pt.json': copyAsTranslation(ui) },
  );
  const { problems } = await loadProject(unsaved, { forms });
  expect(problems.map(({ message }) => message)).toContain(
    'The screen "time" raises "restart", which the state does not handle.',
  );
});

test('[ENG-08] lint rule data/unsaved reports a variable that a later step reads and that is not saved', async () => {
  const said = async (change: (flow: Content) => void) =>
    (await findFindings(loadWizard(change))).filter(({ rule }) => rule === 'data/unsaved');
  const [found, ...more] = await said((f) => delete f.context);
  expect(found).toMatchObject({
    severity: 'E',
    pointer: '/progress/2',
    message: expect.stringContaining('"confirm" lee "who"'),
  });
  expect(more).toEqual([]);
  expect(await said(() => undefined)).toEqual([]);
  expect(await said((f) => (delete f.save, delete f.context))).toEqual([]);
});
