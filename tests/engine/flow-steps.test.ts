import { beforeAll, describe, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { Flow } from '../../src/engine/core/flow-and-screen-types.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createSuccess, createRefusal, runFlow } from './support/run-flow.ts';
import { listTexts } from './support/list-form.ts';
import { bookingFlow, forms, wizardFiles } from './support/wizard.ts';

let definitions: ServedDefinitions;
let screens: Readonly<Record<string, LoadedScreen>>;
beforeAll(async () => {
  const loaded = await loadProject(wizardFiles, { forms });
  if (!loaded.definitions) throw new Error(JSON.stringify(loaded.problems));
  definitions = loaded.definitions;
  const all = [...definitions.screens].map(async (id) => [id, await importScreen(loaded.definitions!, id)] as const);
  screens = Object.fromEntries(await Promise.all(all));
});

const contact = { name: 'Ana', email: 'ana@correo.uy' };
const time = { day: '2027-03-01', hour: '10:30' };

/** Opens the wizard at its first step. `on` enables the phone step. */
async function openWizard(on = false) {
  const flow = definitions.flows['main'];
  if (!flow) throw new Error('no flow');
  const running = runFlow(flow, { screens: { ...screens }, facts: { flags: { on } } });
  await running.arrive('contact');
  return running;
}

/** Opens the wizard at its last step, with all steps completed. `on` enables the phone step. */
async function openLastStep(on = false) {
  const running = await openWizard(on);
  const steps = [contact, ...(on ? [{ phone: '099123456' }] : []), time];
  for (const values of steps) {
    running.type(values);
    await running.raise('submit');
  }
  expect(running.shown()).toBe('confirm');
  return running;
}

type Running = Awaited<ReturnType<typeof openWizard>>;
const bar = ({ runner }: Running) =>
  runner.state.view &&
  runner.steps!.buildBar(runner.state.view)?.steps.map(({ state, place, href }) => [state, place, href]);
const values = ({ runner }: Running) => runner.state.view?.form?.values;
const errors = ({ runner }: Running) =>
  Object.fromEntries([...(runner.state.view?.form?.fields ?? [])].map(([name, { error }]) => [name, error]));
/** Returns the history state of the wizard's navigation with this index. */
const entry = ({ navigations }: Running, index: number) => navigations.at(index)?.state;
const returnTo = async (running: Running, state: string) => {
  running.runner.steps!.returnTo(state);
  await new Promise((resolve) => setTimeout(resolve));
};

test('[ENG-10 SES-02] history entry restores nothing for another citizen or after a sign-out', async () => {
  const opened = (holder: string | null | undefined) =>
    runFlow(definitions.flows['main']!, { screens: { ...screens }, facts: { flags: { on: false } }, holder });
  const running = opened('ana');
  await running.arrive('contact');
  running.type(contact);
  await running.raise('submit');
  const { state } = running.navigations.at(-1)!;
  expect(state.variables).toEqual({ name: contact.name });
  const found = async (holder: string | null | undefined) => {
    const after = opened(holder);
    await after.arrive('time', '', { ...state });
    const shown = after.shown();
    await after.arrive('contact');
    return [shown, values(after), after.runner.state.context['name']];
  };
  for (const other of [null, 'bruno']) expect(await found(other)).toEqual(['contact', { name: null }, null]);
  for (const same of ['ana', undefined]) expect(await found(same)).toEqual(['time', contact, 'Ana']);
});

test('[ENG-10 INI-01] screen of the next step is loaded while the form is filled in, and not before', async () => {
  const loaded: string[] = [];
  const watched = new Proxy(screens, {
    get: (all, id) => {
      loaded.push(String(id));
      return all[String(id)];
    },
  });
  const running = runFlow(definitions.flows['main']!, { screens: watched, facts: { flags: { on: false } } });
  await running.arrive('contact');
  expect(loaded).toEqual(['contact']);
  running.type({ name: 'Ana' });
  expect(loaded, 'the skipped phone step is not loaded').toEqual(['contact', 'time']);
  running.type({ email: contact.email });
  expect(loaded).toEqual(['contact', 'time']);
});

describe('[ENG-10 SES-02] end of a journey', () => {
  const main = bookingFlow as unknown as { states: Record<string, object>; context: object }; // cast, because the type of a JSON module is more specific
  const { contact: first, confirm } = main.states as Record<'contact' | 'confirm', { on: Record<string, object> }>;
  const ending = (end: object) => ({
    ...wizardFiles,
    'flows/main.json': {
      ...main,
      states: {
        ...main.states,
        contact: { ...first, carry: { email: { var: 'form.email' } } },
        confirm: {
          ...confirm,
          on: { confirm: { ...confirm.on['confirm'], onDone: { assign: { booked: true, name: null }, ...end } } },
        },
      },
    },
  });
  const flowOf = async (end: object): Promise<Flow> => {
    const loaded = await loadProject(ending(end), { forms });
    if (!loaded.definitions) throw new Error(JSON.stringify(loaded.problems));
    return loaded.definitions.flows['main']!;
  };
  let flow: Flow;
  let leaving: Flow;
  beforeAll(async () => {
    flow = await flowOf({ target: 'booked' });
    leaving = await flowOf({ leave: 'https://lejos.example/' });
  });
  const open = (of = flow) => runFlow(of, { screens: { ...screens }, facts: { flags: { on: false } } });
  /** Completes the wizard. Returns the runner, and the history state of its second step. */
  async function ended(of = flow) {
    const running = open(of);
    await running.arrive('contact');
    for (const typed of [contact, time]) {
      running.type(typed);
      await running.raise('submit');
    }
    const second = running.navigations.find(({ state }) => state.step === 'time')!.state;
    expect(second.forms, 'values of the step in the history entry').toEqual({ contact });
    await running.raise('confirm');
    await running.calls[0]!.answer(createSuccess());
    expect(running.shown()).toBe(of === flow ? 'booked' : undefined);
    return { running, second };
  }
  const expectEmpty = (running: ReturnType<typeof open>) => {
    expect(running.shown()).toBe('contact');
    expect(values(running)).toEqual({ name: null });
    const { replace, state } = running.navigations.at(-1)!;
    expect([replace, state.step]).toEqual([true, 'contact']);
    expect([state.variables, state.done, state.forms]).toEqual([{}, undefined, undefined]);
  };

  test('redirects the history entries of its steps to an empty first step', async () => {
    const { running, second } = await ended();
    await running.arrive('time', '', second);
    expectEmpty(running);
    running.type(contact);
    await running.raise('submit');
    expect(running.shown(), 'another journey continues').toBe('time');
  });

  test('redirects the history entry of the first step to an empty first step', async () => {
    const { running, second } = await ended();
    await running.arrive('time', '', second);
    const { length } = running.navigations;
    await running.arrive('contact', '', { ...second, step: 'contact', depth: second.depth - 1 });
    expect(running.navigations.length, 'also from the first step of another journey').toBe(length + 1);
    expectEmpty(running);
  });

  test('empties the entries of a flow that it leaves, before and after a reload', async () => {
    const { running, second } = await ended(leaving);
    expect(running.left).toEqual(['https://lejos.example/']);
    const last = running.navigations.at(-1)!;
    expect([last.replace, last.state.variables, last.state.done, last.state.forms]).toEqual([
      true,
      {},
      undefined,
      undefined,
    ]);
    await running.arrive('confirm', '', last.state);
    expect(running.shown(), 'the replaced entry shows nothing').toBeUndefined();
    await running.arrive('time', '', second);
    expectEmpty(running);
    const reloaded = open(leaving);
    await reloaded.arrive('confirm', '', { ...last.state });
    expectEmpty(reloaded);
  });

  test('clears the values that its forms carried to other flows', async () => {
    const { running } = await ended();
    expect(running.carried).toEqual([{ email: contact.email }, { email: null }]);
  });

  test('empties the entries after a reload of the last page', async () => {
    const { running, second } = await ended();
    const reloaded = open();
    await reloaded.arrive('booked', '', running.navigations.at(-1)!.state);
    await reloaded.arrive('time', '', second);
    expectEmpty(reloaded);
  });
});

describe('[ENG-10] step bar', () => {
  test('is hidden on a step with `bar: false`, and counts that step', async () => {
    const running = await openWizard();
    expect(running.runner.steps!.buildBar(running.runner.state.view!)).toBeNull();
    running.type(contact);
    await running.raise('submit');
    expect(bar(running)).toEqual([
      ['contact', 'before', '/contact'],
      ['time', 'here', undefined],
      ['confirm', 'after', undefined],
    ]);
  });

  test('includes a step by its guard', async () => {
    expect(bar(await openLastStep(true))?.map(([state]) => state)).toEqual(['contact', 'phone', 'time', 'confirm']);
    expect(bar(await openLastStep())?.map(([state]) => state)).toEqual(['contact', 'time', 'confirm']);
  });

  test('names a step as its screen does, in the language of the screen', async () => {
    const running = await openLastStep();
    const view = running.runner.state.view!;
    expect(running.runner.steps!.buildBar(view)?.steps.map(({ title }) => title)).toEqual([
      'Contacto',
      'Día y hora',
      'Confirmar',
    ]);
    const { screen } = view.screen!.validator;
    const validator = { ...view.screen!.validator, screen: { ...screen, language: 'pt' } };
    expect(running.runner.steps!.buildBar({ ...view, screen: { ...view.screen!, validator } })?.steps[1]?.title).toBe(
      'Día y hora (pt)',
    );
  });

  test('returns only to earlier steps, which keep their values', async () => {
    const running = await openLastStep();
    await returnTo(running, 'contact');
    expect([running.shown(), values(running)]).toEqual(['contact', contact]);
    expect(running.runner.state.view?.direction).toBe('back');
    expect(running.navigations.at(-1)).toMatchObject({ path: '/contact', replace: false });
    await returnTo(running, 'confirm');
    await returnTo(running, 'time');
    await returnTo(running, 'booked');
    expect(running.shown()).toBe('contact');
  });

  test('has no links at a state with `back: none`', async () => {
    const running = await openLastStep();
    const view = { ...running.runner.state.view!, state: { back: 'none' } };
    expect(running.runner.steps!.buildBar(view)?.steps.map(({ href }) => href)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('does not navigate while an operation runs', async () => {
    const running = await openLastStep();
    await running.raise('confirm');
    await returnTo(running, 'contact');
    expect(running.shown()).toBe('confirm');
  });
});

describe('[ENG-10] navigation between steps', () => {
  test('goes to the previous step on Back, and leaves the flow from the first step', async () => {
    const running = await openLastStep();
    await running.back();
    expect([running.shown(), values(running)]).toEqual(['time', time]);
    await running.back();
    expect([running.shown(), values(running)]).toEqual(['contact', contact]);
    await running.back();
    expect(running.wentBack()).toBe(1);
  });

  test('follows the history of the browser in both directions', async () => {
    const running = await openLastStep();
    const [atTime, atConfirm] = [entry(running, -2), entry(running, -1)];
    await running.arrive('time', '', atTime);
    expect([running.shown(), values(running)]).toEqual(['time', time]);
    await running.arrive('confirm', '', atConfirm);
    expect(running.shown()).toBe('confirm');
  });

  test('shows the first step for the address of a step after an incomplete one', async () => {
    for (const state of ['time', 'confirm']) {
      const flow = definitions.flows['main']!;
      const running = runFlow(flow, { screens: { ...screens }, facts: { flags: { on: false } } });
      await running.arrive(state);
      expect(running.shown()).toBe('contact');
      expect(running.navigations).toMatchObject([{ path: '/contact', replace: true }]);
    }
  });

  test('stops at a step with a change that was not submitted', async () => {
    const running = await openLastStep();
    const [atTime, atConfirm] = [entry(running, -2), entry(running, -1)];
    await running.arrive('time', '', atTime);
    running.type({ hour: '11:00' });
    await running.arrive('confirm', '', atConfirm);
    expect([running.shown(), values(running)]).toEqual(['time', { ...time, hour: '11:00' }]);
    await running.raise('submit');
    expect(running.shown()).toBe('confirm');
  });

  /** Creates the runner of a reloaded page. */
  const again = () => runFlow(definitions.flows['main']!, { screens: { ...screens }, facts: { flags: { on: false } } });

  test('stays at the step with its values after a reload, or shows the first incomplete step', async () => {
    const running = await openWizard();
    running.type(contact);
    await running.raise('submit');
    const state = entry(running, -1)!;
    expect([state.done, state.forms]).toEqual([['contact'], { contact }]);
    const [kept, lost, unproven] = [again(), again(), again()];
    await kept.arrive('time', '', state);
    expect(kept.shown()).toBe('time');
    await kept.back();
    expect(values(kept)).toEqual(contact);
    await lost.arrive('time', '', { ...state, forms: { contact: { name: 'Ana' } } });
    expect([lost.shown(), values(lost)]).toEqual(['contact', { name: 'Ana' }]);
    await unproven.arrive('time', '', { ...state, done: [] });
    expect([unproven.shown(), values(unproven)]).toEqual(['contact', contact]);
  });

  test('restores the values of the current step after a reload, also invalid ones', async () => {
    const running = await openWizard();
    running.type({ name: 'Ana', email: 'ana' });
    running.runner.storeInputInHistory();
    const { path, replace, state } = running.navigations.at(-1)!;
    expect([path, replace, state.forms]).toEqual(['', true, { contact: { name: 'Ana', email: 'ana' } }]);
    const { length } = running.navigations;
    running.runner.storeInputInHistory();
    expect(running.navigations, 'equal values are not written again').toHaveLength(length);
    const reloaded = again();
    await reloaded.arrive('contact', '', state);
    expect([reloaded.shown(), values(reloaded)]).toEqual(['contact', { name: 'Ana', email: 'ana' }]);
  });

  test('ignores the values of a history entry on a page that already visited a step', async () => {
    const running = await openWizard();
    running.type(contact);
    await running.raise('submit');
    const old = entry(running, -1)!;
    const other = again();
    await other.arrive('contact');
    await other.arrive('time', '', old);
    expect([other.shown(), values(other)]).toEqual(['contact', { name: null }]);
  });

  test.each([['a text'], [['contact']], [{ contact: 'Ana', gone: contact }]])(
    'ignores a history entry with the forms %j',
    async (kept) => {
      const reloaded = again();
      const state = { flow: 'main', step: 'time', variables: {}, depth: 1, done: ['contact'], forms: kept };
      await reloaded.arrive('time', '', state);
      expect([reloaded.shown(), values(reloaded)]).toEqual(['contact', { name: null }]);
    },
  );

  test('restores a step without an address after a reload', async () => {
    const running = await openWizard();
    running.type(contact);
    await running.raise('submit');
    const flow = definitions.flows['main']!;
    const { path: _, ...unaddressed } = flow.states['time']!;
    const states = { ...flow.states, time: unaddressed };
    const reloaded = runFlow({ ...flow, states }, { screens: { ...screens }, facts: { flags: { on: false } } });
    await reloaded.arrive('contact', '', entry(running, -1));
    expect(reloaded.shown()).toBe('time');
  });
});

describe('[ENG-10] final operation', () => {
  test('sends the values of all steps with the versions of their rules', async () => {
    const versions = (...ids: string[]) => ids.map((id) => definitions.screenVersion(id)).sort();
    const running = await openLastStep();
    await running.raise('confirm');
    expect(running.calls).toMatchObject([{ call: 'save', input: { body: { ...contact, ...time } } }]);
    expect(running.calls[0]?.input.version?.split('.')).toEqual(versions('contact', 'time'));
    const longer = await openLastStep(true);
    await longer.raise('confirm');
    expect(longer.calls[0]?.input.body).toEqual({ ...contact, phone: '099123456', ...time });
    expect(longer.calls[0]?.input.version?.split('.')).toEqual(versions('contact', 'phone', 'time'));
  });

  test('clears the steps after a success', async () => {
    const running = await openLastStep();
    await running.raise('confirm');
    await running.calls[0]!.answer(createSuccess());
    expect([running.shown(), entry(running, -1)?.done]).toEqual(['booked', undefined]);
    await running.arrive('confirm', '', entry(running, -2));
    expect([running.shown(), values(running)]).toEqual(['contact', { name: 'Ana', email: undefined }]);
  });

  test('opens the step of a rejected field, which keeps its value and shows the error', async () => {
    const running = await openLastStep();
    await running.raise('confirm');
    await running.calls[0]!.answer(createRefusal({ errors: { email: 'Ya hay una reserva' } }));
    expect([running.shown(), values(running)]).toEqual(['contact', contact]);
    expect(errors(running)).toEqual({ name: null, email: 'Ya hay una reserva' });
    const { form, direction } = running.runner.state.view!;
    expect([form?.refusedAtSubmit, form?.ready, form?.formError, direction]).toEqual([['email'], false, null, 'back']);
    expect(running.navigations.at(-1)).toMatchObject({ path: '/contact', replace: false });
    running.type({ email: 'otra@correo.uy' });
    await running.raise('submit');
    expect([running.shown(), values(running)]).toEqual(['time', time]);
  });

  test('shows the errors of several steps at their steps, beginning with the first', async () => {
    const running = await openLastStep(true);
    await running.raise('confirm');
    const all = { hour: 'Ocupada', phone: 'No existe', other: 'De nadie' };
    await running.calls[0]!.answer(createRefusal({ errors: all }));
    expect([running.shown(), errors(running)]).toEqual(['phone', { phone: 'No existe' }]);
    expect(running.runner.state.view?.form?.formError).toBe('De nadie');
    running.type({ phone: '098765432' });
    await running.raise('submit');
    expect([running.shown(), errors(running)]).toEqual(['time', { day: null, hour: 'Ocupada' }]);
    expect(running.runner.state.view?.form?.refusedAtSubmit).toEqual(['hour']);
  });

  test('[ENG-06] opens the step of a rejected list item', async () => {
    const files = structuredClone(wizardFiles) as Record<string, Record<string, Record<string, unknown>>>;
    files['schemas/contact/schema.json']!['properties']!['phones'] = {
      type: 'array',
      maxItems: 3,
      items: { type: 'string' },
    };
    for (const ui of ['ui', 'ui.pt'])
      files[`schemas/contact/${ui}.json`]!['fields']!['phones'] = { 'ui:title': 'P', items: { 'ui:title': 'N' } };
    for (const catalogue of ['messages', 'messages.pt'])
      Object.assign(files[`schemas/_shared/${catalogue}.json`]!, listTexts);
    const { definitions: own, problems } = await loadProject(files, { forms });
    expect(problems).toEqual([]);
    const running = runFlow(own!.flows['main']!, {
      screens: { ...screens, contact: await importScreen(own!, 'contact') },
      facts: { flags: { on: false } },
    });
    await running.arrive('contact');
    running.type({ ...contact, phones: ['099', '098'] });
    for (const values of [null, time]) {
      if (values) running.type(values);
      await running.raise('submit');
    }
    await running.raise('confirm');
    await running.calls[0]!.answer(createRefusal({ errors: { 'phones.1': 'No existe' } }));
    expect(running.shown()).toBe('contact');
    expect(running.runner.state.view?.form?.field('phones.1')?.error).toBe('No existe');
  });

  test('shows an error without a field at the state of its onError branch', async () => {
    const running = await openLastStep();
    await running.raise('confirm');
    await running.calls[0]!.answer(
      createRefusal({ code: 'taken', error: 'Los cupos de este horario han sido ocupados' }),
    );
    expect([running.shown(), values(running)]).toEqual(['time', { day: time.day, hour: undefined }]);
    const { form, direction } = running.runner.state.view!;
    expect([form?.formError, direction]).toEqual(['Los cupos de este horario han sido ocupados', 'back']);
    running.type({ hour: '12:00' });
    await running.raise('submit');
    await running.raise('confirm');
    expect(running.calls[1]?.input.body).toEqual({ ...contact, ...time, hour: '12:00' });
  });

  test('shows an error without a step on the last step', async () => {
    const running = await openLastStep();
    await running.raise('confirm');
    await running.calls[0]!.answer(createRefusal({ error: 'Ahora no' }));
    expect([running.shown(), running.runner.state.notice?.text]).toEqual(['confirm', 'Ahora no']);
  });

  test('opens a step that has become invalid before it sends anything', async () => {
    const running = await openLastStep();
    const form = { ...screens['time']!, open: () => screens['time']!.open({ day: '2027-03-01' }, {}) };
    const loaded = { ...screens, time: form };
    const flow = definitions.flows['main']!;
    const other = runFlow(flow, { screens: loaded, facts: { flags: { on: false } } });
    await other.arrive('contact');
    other.type(contact);
    await other.raise('submit');
    other.type(time);
    await other.raise('submit');
    await other.raise('confirm');
    expect([other.shown(), other.calls, errors(other)]).toEqual(['time', [], { day: null, hour: 'Falta' }]);
    expect(running.shown()).toBe('confirm');
  });
});

describe('[ENG-10] server validation of steps', () => {
  const check = (body: Record<string, unknown>, on = false) =>
    definitions.check(forms.save, body, { language: 'es', context: { flags: { on } } });

  test('validates the body with the screens of all steps', () => {
    expect(check({ ...contact, ...time })).toEqual({ data: { ...contact, ...time }, errors: {} });
    expect(check({}).errors).toEqual({ name: 'Falta', email: 'Falta', day: 'Falta', hour: 'Falta' });
    expect(check({ ...contact, ...time, email: 'x', hour: 7 }).errors).toEqual({ email: 'Forma', hour: 'Tipo' });
    expect(check({ ...contact, ...time, nivel: 3, constructor: 1 }).errors).toEqual({
      nivel: 'Sobra',
      constructor: 'Sobra',
    });
  });

  test('requires a step by its guard, and rejects values of a skipped step', () => {
    const phone = { phone: '099123456' };
    expect(check({ ...contact, ...time }, true).errors).toEqual({ phone: 'Falta' });
    expect(check({ ...contact, ...time, ...phone }, true).errors).toEqual({});
    expect(check({ ...contact, ...time, ...phone }).errors).toEqual({ phone: 'Sobra' });
  });

  test('computes the version of the screens of the taken steps', async () => {
    const version = (on: boolean) => definitions.screenVersion(forms.save, { flags: { on } });
    const running = await openLastStep(true);
    await running.raise('confirm');
    expect(running.calls[0]?.input.version).toBe(version(true));
    expect(version(false)).not.toBe(version(true));
  });
});
