import { beforeAll, describe, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { SavedJourney } from '../../src/engine/core/saved-journey.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject, type Files } from './support/project.ts';
import { createSuccess, createRefusal, runFlow, settlePromises } from './support/run-flow.ts';
import { savedWizardForms as forms, createSavedWizard } from './support/saved-wizard.ts';

interface Loaded {
  readonly definitions: ServedDefinitions;
  readonly screens: Readonly<Record<string, LoadedScreen>>;
}

async function loadWizard(files: Files): Promise<Loaded> {
  const { definitions, problems } = await loadProject(files, { forms });
  if (!definitions) throw new Error(JSON.stringify(problems));
  const all = [...definitions.screens].map(async (id) => [id, await importScreen(definitions, id)] as const);
  return { definitions, screens: Object.fromEntries(await Promise.all(all)) };
}

let now: Loaded;
let newer: Loaded;
beforeAll(async () => {
  now = await loadWizard(createSavedWizard());
  newer = await loadWizard(createSavedWizard({ email: { pattern: '@correo' }, hour: null }));
});

const contact = { name: 'Ana', email: 'ana@casa.uy' };
const time = { day: '2027-03-01', hour: '10:30' };

/** Creates a fake store of saved flows that records its calls. */
function createJourneyStore(held: unknown = null, { owner = 'ana' as string | null } = {}) {
  const asked: string[] = [];
  let journey = held;
  return {
    asked,
    get journey() {
      return journey as SavedJourney | null;
    },
    journeys: {
      owner: () => owner,
      load: async () => (asked.push('load'), structuredClone(journey)),
      save: async (flow: string, saved: SavedJourney) => {
        asked.push(`save ${flow} ${saved.state}`);
        journey = structuredClone(saved);
      },
      forget: async () => {
        asked.push('forget');
        journey = null;
      },
    },
  };
}

type Store = ReturnType<typeof createJourneyStore>;

/** Opens the wizard on a new page. */
async function openWizard(
  saved: Store,
  {
    state = 'contact',
    history = null,
    facts = {},
    set = now,
  }: { state?: string; history?: unknown; facts?: object; set?: Loaded } = {},
) {
  const flow = set.definitions.flows['main'];
  if (!flow) throw new Error('no flow');
  const running = runFlow(flow, {
    screens: { ...set.screens },
    facts: { flags: { on: false }, ...facts },
    journeys: saved.journeys,
  });
  await running.arrive(state, '', history);
  await settlePromises();
  return running;
}

type Running = Awaited<ReturnType<typeof openWizard>>;
const values = ({ runner }: Running) => runner.state.view?.form?.values;
const notice = ({ runner }: Running) => runner.state.notice?.text ?? null;

async function send(running: Running, typed: object, event = 'submit') {
  running.type({ ...typed });
  await running.raise(event);
  await settlePromises();
}

/** Completes the wizard up to its last step, and leaves the page there. */
async function leaveAtLastStep() {
  const saved = createJourneyStore();
  const running = await openWizard(saved);
  await send(running, contact);
  await send(running, { ...time, serial: 'X1' });
  expect(running.shown()).toBe('confirm');
  return { saved, running };
}

describe('[ENG-08] saving of progress', () => {
  test('happens at each transition between steps, and not before', async () => {
    const saved = createJourneyStore();
    const running = await openWizard(saved);
    running.type(contact);
    await settlePromises();
    expect(saved.asked).toEqual(['load']);
    await send(running, {});
    expect(saved.asked).toEqual(['load', 'save main time']);
    expect(saved.journey).toEqual({ state: 'time', done: ['contact'], forms: { contact }, variables: { who: 'Ana' } });
    await send(running, { ...time, serial: 'X1' });
    await running.back();
    await settlePromises();
    expect(saved.journey).toMatchObject({ state: 'time', done: ['contact', 'time'], forms: { contact, time } });
  });

  test('omits secrets, files, read-only and excluded fields, and variables that are not saved', async () => {
    const { saved, running } = await leaveAtLastStep();
    running.type({ pin: '4321' });
    running.runner.steps!.returnTo('contact');
    await settlePromises();
    await send(running, { ...contact, note: 'data:application/pdf;base64,JVBERi0=' });
    expect(saved.journey?.forms).toEqual({ contact, time });
    for (const secret of ['4321', 'X1', 'JVBERi0', 'Lisa', 'hidden'])
      expect(JSON.stringify(saved.journey)).not.toContain(secret);
  });

  test('does not happen without a signed-in citizen', async () => {
    const saved = createJourneyStore(null, { owner: null });
    await send(await openWizard(saved), contact);
    expect(saved.asked).toEqual([]);
  });

  test('completes before the final operation is called', async () => {
    const { saved, running } = await leaveAtLastStep();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { save } = saved.journeys;
    saved.journeys.save = async (flow, journey) => {
      await held;
      await save(flow, journey);
    };
    await running.back();
    await send(running, { ...time, serial: 'X1' });
    await running.raise('submit');
    expect(running.calls).toEqual([]);
    release();
    await settlePromises();
    expect(running.calls.map(({ call }) => call)).toEqual(['save']);
  });
});

describe('[ENG-08] resumption of saved progress', () => {
  test('opens the last step with its values and a notice', async () => {
    const { saved } = await leaveAtLastStep();
    const running = await openWizard(saved, { set: await loadWizard(createSavedWizard({ serial: null })) });
    expect(running.shown()).toBe('confirm');
    expect(notice(running)).toBe('Seguís');
    expect(running.runner.state.context).toMatchObject({ who: 'Ana', dropped: '' });
    await running.back();
    expect(values(running)).toMatchObject(time);
    await running.arrive('contact');
    await settlePromises();
    expect(saved.asked.filter((asked) => asked === 'load')).toHaveLength(2); // one call per page load
  });

  test('opens the first step with values that are not saved', async () => {
    const { saved } = await leaveAtLastStep();
    const running = await openWizard(saved);
    expect(running.shown()).toBe('time');
    expect(values(running)).toMatchObject(time);
    await send(running, { serial: 'X1' });
    expect(running.shown()).toBe('confirm');
    await running.raise('submit');
    expect(running.calls[0]?.input.body).toMatchObject({ ...contact, ...time, serial: 'X1' });
  });

  test('works from the address of a later step, and stays at the step of the tab after a reload', async () => {
    const { saved } = await leaveAtLastStep();
    const set = await loadWizard(createSavedWizard({ serial: null }));
    expect((await openWizard(saved, { state: 'time', set })).shown()).toBe('confirm');
    const history = { flow: 'main', step: 'time', variables: {}, depth: 1, done: ['contact'] };
    const reloaded = await openWizard(saved, { state: 'time', history, set });
    expect([reloaded.shown(), values(reloaded)?.['day']]).toEqual(['time', time.day]);
  });

  test('does not happen at a state outside the steps', async () => {
    const { saved } = await leaveAtLastStep();
    const running = await openWizard(saved, { state: 'beside' });
    expect([running.shown(), notice(running)]).toEqual(['beside', null]);
    expect(saved.asked.filter((asked) => asked === 'load')).toHaveLength(1);
  });

  test('opens the first step if the saved step no longer exists', async () => {
    const { saved } = await leaveAtLastStep();
    const journey = { ...saved.journey!, state: 'gone', done: ['gone', 'contact'] };
    const running = await openWizard(createJourneyStore(journey));
    expect(running.shown()).toBe('contact');
    expect(values(running)).toMatchObject(contact);
  });

  test('goes no further than the first incomplete step, whatever the saved progress says', async () => {
    const running = await openWizard(
      createJourneyStore({ state: 'confirm', done: ['contact', 'time'], forms: { contact }, variables: {} }),
    );
    expect(running.shown()).toBe('time');
    const forged = await openWizard(
      createJourneyStore({ state: 'booked', done: ['contact', 'time'], forms: {}, variables: { booked: true } }),
    );
    expect([forged.shown(), forged.runner.state.context['booked'], notice(forged)]).toEqual(['contact', null, null]);
  });

  test('does not pass a step that may no longer be entered', async () => {
    const { saved } = await leaveAtLastStep();
    const running = await openWizard(saved, { state: 'time', facts: { user: { closed: true } } });
    expect([running.shown(), notice(running)]).toEqual(['beside', null]);
  });

  test.each([null, 'text', [], {}, { state: 'time' }, { state: 1, done: [], forms: {}, variables: {} }])(
    'ignores the invalid saved progress %j',
    async (held) => {
      const running = await openWizard(createJourneyStore(held));
      expect([running.shown(), notice(running)]).toEqual(['contact', null]);
    },
  );

  test('stops at a step with a notice of its own, and shows only that notice', async () => {
    const { saved } = await leaveAtLastStep();
    const other = await openWizard(saved, { facts: { user: { booked: true } } });
    expect([other.shown(), notice(other)]).toEqual(['contact', 'Ya hay una']);
    expect(values(other)).toMatchObject(contact);
    await send(other, {});
    expect([other.shown(), notice(other)]).toEqual(['time', null]);
  });

  test('keeps a value that was entered on the page before the sign-in', async () => {
    const { saved } = await leaveAtLastStep();
    let signedIn = false;
    saved.journeys.owner = () => (signedIn ? 'ana' : null);
    const running = await openWizard(saved);
    running.type({ name: 'Eva' });
    running.runner.depart();
    signedIn = true;
    await running.arrive('contact');
    await settlePromises();
    expect([running.shown(), values(running)?.['name']]).toEqual(['contact', 'Eva']);
  });
});

describe('[ENG-08] another citizen on the same page', () => {
  test('sees no values of the previous citizen, and saves only their own values', async () => {
    const { saved, running } = await leaveAtLastStep();
    const first = structuredClone(saved.journey);
    running.runner.depart();
    const other = createJourneyStore();
    Object.assign(saved.journeys, { ...other.journeys, owner: () => 'eva' });
    await running.arrive('contact');
    await settlePromises();
    expect([running.shown(), values(running)?.['name'], notice(running)]).toEqual(['contact', 'Lisa', null]);
    await send(running, { name: 'Eva', email: 'eva@casa.uy' });
    expect(other.journey).toMatchObject({ done: ['contact'], forms: { contact: { name: 'Eva' } } });
    expect([Object.keys(other.journey?.forms ?? {}), saved.journey]).toEqual([['contact'], first]);
  });

  test('saves nothing of progress that another session started', async () => {
    const saved = createJourneyStore();
    const running = await openWizard(saved);
    saved.journeys.owner = () => 'eva';
    await send(running, contact);
    expect(saved.journey).toBeNull();
  });
});

describe('[ENG-08] newer version of a screen', () => {
  test('drops the saved values that its rules reject, and names them in a notice', async () => {
    const { saved } = await leaveAtLastStep();
    const running = await openWizard(saved, { set: newer });
    expect(running.shown()).toBe('contact');
    expect(values(running)).toMatchObject({ name: 'Ana', email: undefined });
    expect(notice(running)).toBe('Faltan {dropped}');
    expect(running.runner.state.context['dropped']).toBe('EMAIL');
  });

  test('ignores saved values of fields that it no longer has', async () => {
    const { saved } = await leaveAtLastStep();
    const running = await openWizard(saved, { set: newer });
    await send(running, { email: 'ana@correo.uy' });
    expect(values(running)).toEqual({ day: time.day, serial: undefined });
  });
});

describe('[ENG-08] restart of saved progress', () => {
  test('removes all values from the page and from the store', async () => {
    const { saved } = await leaveAtLastStep();
    const running = await openWizard(saved);
    await running.raise('restart');
    await settlePromises();
    expect([running.shown(), values(running), notice(running)]).toEqual([
      'contact',
      expect.objectContaining({ name: 'Lisa' }),
      null,
    ]);
    expect([saved.journey, running.runner.state.context['who'], running.runner.steps!.done]).toEqual([null, null, []]);
    await running.arrive('time');
    expect(running.shown()).toBe('contact');
  });

  test('removes the values of history entries too after a reload', async () => {
    const { saved, running } = await leaveAtLastStep();
    const { state } = running.navigations.at(-1)!;
    expect(state.forms).toEqual({ contact, time });
    const reloaded = await openWizard(saved, { state: 'confirm', history: state });
    expect(notice(reloaded), 'the notice names the saved progress after a reload too').toBe('Seguís');
    await reloaded.raise('restart');
    await settlePromises();
    expect([reloaded.shown(), reloaded.navigations.at(-1)?.state.forms]).toEqual(['contact', undefined]);
    await reloaded.arrive('time', '', running.navigations.at(-2)?.state);
    expect([reloaded.shown(), values(reloaded)?.['name']]).toEqual(['contact', 'Lisa']);
  });

  test('removes the saved progress on the first step too, and empties the form', async () => {
    const { saved } = await leaveAtLastStep();
    const running = await openWizard(saved, { set: newer });
    expect(running.shown()).toBe('contact');
    await running.raise('restart');
    await settlePromises();
    expect([values(running)?.['name'], saved.journey]).toEqual(['Lisa', null]);
  });

  test('starts without values after the final operation, and saves nothing yet', async () => {
    const { saved, running } = await leaveAtLastStep();
    await running.raise('submit');
    await settlePromises();
    await running.calls[0]!.answer(createSuccess());
    expect(running.shown()).toBe('booked');
    expect(saved.asked.at(-1)).toBe('save main confirm');
    await running.raise('again');
    await settlePromises();
    expect(saved.asked.at(-1), 'the new journey is not saved yet').toBe('save main confirm');
    expect([running.shown(), values(running)?.['name']]).toEqual(['contact', 'Lisa']);
  });

  test('does not happen after a refused final operation', async () => {
    const { saved, running } = await leaveAtLastStep();
    await running.raise('submit');
    await settlePromises();
    await running.calls[0]!.answer(createRefusal({ errors: { hour: 'Ocupado' } }));
    expect(running.shown()).toBe('time');
    expect(saved.journey).toMatchObject({ state: 'time', forms: { contact, time } });
  });
});
