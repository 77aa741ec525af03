import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Branch, Effect, Flow, State } from '../../src/engine/core/definition.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { loadScreens } from './support/loaded-screens.ts';
import { sampleProject } from './support/project.ts';
import { createSuccess, createRefusal, runFlow, settlePromises, type FlowTestOptions } from './support/run-flow.ts';

let screens: Readonly<Record<string, LoadedScreen>>;
beforeAll(async () => {
  screens = await loadScreens(sampleProject);
});

const fine = { email: 'a@b.uy', terms: true };
const createSaveEffect = (change: Partial<Effect> = {}): Effect => ({
  src: 'save',
  onDone: [{ target: 'done' }],
  onError: [{ field: true }],
  ...change,
});

const form: State = { path: '/form', screen: 'form', on: { submit: createSaveEffect() } };
const end: State = { path: '/done', screen: 'done' };

/** Creates a flow with a form and a final state. `states` and `more` add or replace states and properties. */
function flowOf(states: Readonly<Record<string, State>>, more: Partial<Flow> = {}): Flow {
  return { id: 'main', initial: 'form', states: { form, done: end, ...states }, ...more };
}
const run = (flow: Flow, surroundings: Partial<FlowTestOptions> = {}) =>
  runFlow(flow, { screens: { ...screens }, ...surroundings });

/** Runs a flow up to its form, and enters valid values. */
async function runToForm(
  change: Partial<Effect> = {},
  more: Partial<Flow> = {},
  surroundings: Partial<FlowTestOptions> = {},
) {
  const running = run(
    flowOf({ form: { ...form, on: { submit: createSaveEffect(change), jump: { target: 'done' } } } }, more),
    surroundings,
  );
  await running.arrive('form');
  running.type(fine);
  return running;
}

/** Creates a promise that the test resolves. */
function createDeferred<T>() {
  let give: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => (give = resolve));
  return {
    promise,
    give: async (value: T) => {
      give(value);
      await settlePromises();
    },
  };
}

describe('[ERR-03] an event whose operation nobody answers', () => {
  const nobody = () => createRefusal({ status: 0, error: 'No hay conexión' });
  const elsewhere: Partial<Effect> = { onError: [{ assign: { tries: 1 }, notice: 'retry', target: 'done' }] };

  test('leaves everything as it is, says why, and can be raised again, wherever its errors lead', async () => {
    const running = await runToForm(elsewhere);
    await running.raise('submit');
    await running.calls[0]!.answer(nobody());
    const { view, context, busy } = running.runner.state;
    expect([running.shown(), view!.form!.formError, view!.form!.values, busy]).toEqual([
      'form',
      'No hay conexión',
      fine,
      false,
    ]);
    expect(context['tries']).toBeUndefined();
    await running.raise('submit');
    await running.calls[1]!.answer(createSuccess());
    expect(running.shown()).toBe('done');
  });

  test('says it in a notice where there is no form', async () => {
    const running = run(flowOf({ done: { ...end, on: { send: createSaveEffect(elsewhere) } } }));
    await running.arrive('done');
    await running.raise('send');
    await running.calls[0]!.answer(nobody());
    expect([running.shown(), running.runner.state.notice]).toEqual([
      'done',
      { intent: 'error', text: 'No hay conexión' },
    ]);
  });

  test('takes its branches where nobody raised it, and where an answer came', async () => {
    const polling = run(
      flowOf({
        form: { ...form, after: { at: '2000-01-01', event: 'submit' }, on: { submit: createSaveEffect(elsewhere) } },
      }),
    );
    await polling.arrive('form');
    polling.type(fine);
    await polling.raise('submit');
    await polling.calls[0]!.answer(nobody());
    expect(polling.shown()).toBe('done');
    const answered = await runToForm(elsewhere);
    await answered.raise('submit');
    await answered.calls[0]!.answer(createRefusal({ status: 503 }));
    expect(answered.shown()).toBe('done');
  });
});

describe('what a form leaves for other flows', () => {
  const carrying: Flow = flowOf({
    form: {
      ...form,
      carry: { email: { var: 'form.email' }, country: 'uy' },
      on: { jump: { target: 'done' } },
    },
  });

  test('is taken when another page is opened, and when the flow goes on', async () => {
    const { arrive, type, runner, raise, carried } = run(carrying);
    await arrive('form');
    type({ email: 'a@b.uy' });
    runner.depart();
    await arrive('form');
    await raise('jump');
    expect(carried).toEqual(Array(2).fill({ email: 'a@b.uy', country: 'uy' }));
  });

  test('is all of it or nothing', async () => {
    const { arrive, runner, carried } = run(carrying);
    await arrive('form');
    runner.depart();
    expect(carried).toEqual([]);
  });
});

describe('[ENG-02] arriving', () => {
  const guarded = (guard: unknown): Flow =>
    flowOf({ done: { ...end, requires: { guard: guard as never, else: 'form' } } }); // a guard may be any JSON, but its type is narrower

  test('shows the state of the address and leaves the address alone', async () => {
    const { arrive, shown, navigations, runner } = run(flowOf({}));
    await arrive('form');
    expect([shown(), runner.state.view?.direction, navigations]).toEqual(['form', 'none', []]);
  });

  test('goes elsewhere where the entry is refused, and says so in the address', async () => {
    const { arrive, shown, navigations } = run(guarded({ var: 'context.email' }));
    await arrive('done');
    expect(shown()).toBe('form');
    expect(navigations).toEqual([
      { path: '/form', replace: true, state: { flow: 'main', step: 'form', variables: {}, depth: 0 } },
    ]);
  });

  test('a reload is checked like a deep link: a position in the history entry proves nothing', async () => {
    const { arrive, shown } = run(guarded({ var: 'context.email' }));
    await arrive('done', '', { flow: 'main', step: 'done', variables: {}, depth: 1 });
    expect(shown()).toBe('form');
  });

  test('is let in by facts of the portal', async () => {
    const { arrive, shown } = run(guarded({ var: 'authenticated' }), { facts: { authenticated: true } });
    await arrive('done');
    expect(shown()).toBe('done');
  });

  test('decides by `always`, past states without a screen', async () => {
    const always: Branch[] = [{ guard: { var: 'flags.on' }, target: 'done' }, { target: 'form' }];
    const flow = flowOf({ decide: { path: '/x', always } });
    for (const [on, state] of [
      [true, 'done'],
      [false, 'form'],
    ] as const) {
      const { arrive, shown } = run(flow, { facts: { flags: { on } } });
      await arrive('decide');
      expect(shown()).toBe(state);
    }
  });

  test('keeps the address where the state that it leads to has none', async () => {
    const { arrive, navigations } = run(
      flowOf({ decide: { path: '/x', always: [{ target: 'lost' }] }, lost: { screen: 'done' } }),
    );
    await arrive('decide');
    expect(navigations.map(({ path }) => path)).toEqual(['']);
  });

  test('raises the notice of the branch that led here', async () => {
    const { arrive, runner } = run(flowOf({ decide: { path: '/x', always: [{ target: 'form', notice: 'again' }] } }));
    await arrive('decide');
    expect(runner.state.notice?.text).toBe('De nuevo');
  });

  test('leaves at once where `always` says so', async () => {
    const { arrive, shown, left } = run(flowOf({ decide: { path: '/x', always: [{ leave: { cat: ['/', 'out'] } }] } }));
    await arrive('decide');
    expect([shown(), left]).toEqual([undefined, ['/out']]);
  });

  test('says that a screen cannot be loaded, and recovers', async () => {
    const { arrive, runner, shown } = run(flowOf({ lost: { path: '/lost', screen: 'nowhere' } }));
    await arrive('form');
    await arrive('lost');
    expect(runner.state.failed).toBe(true);
    await arrive('form');
    expect([runner.state.failed, shown()]).toEqual([false, 'form']);
  });

  test('[ERR-03] is tried again in its place where its screen could not be loaded, with what led there', async () => {
    const surroundings = { screens: { form: screens['form']! } as Record<string, LoadedScreen> };
    const saving = createSaveEffect({ onDone: [{ assign: { mail: { var: 'form.email' } }, target: 'done' }] });
    const running = run(flowOf({ form: { ...form, on: { submit: saving } } }), surroundings);
    await running.arrive('form');
    expect(await running.runner.retry(), 'nothing has failed').toBe(false);
    running.type(fine);
    await running.raise('submit');
    await running.calls[0]!.answer(createSuccess());
    expect(running.runner.state.failed).toBe(true);
    expect(await running.runner.retry(), 'it is still not there').toBe(false);
    surroundings.screens['done'] = screens['done']!;
    const again = running.runner.retry();
    expect(running.runner.state).toMatchObject({ failed: false, arriving: true });
    expect(await again).toBe(true);
    expect([running.shown(), running.runner.state.context['mail'], running.calls.length]).toEqual([
      'done',
      fine.email,
      1,
    ]);
    expect(running.navigations.map(({ path }) => path)).toEqual(['/done']);
    await running.arrive('form');
    expect(await running.runner.retry(), 'what has failed is over').toBe(false);
  });

  test('[ERR-03] whose own operation nobody answers is tried again in its place', async () => {
    const { arrive, calls, runner, shown } = run(
      flowOf({ load: { path: '/load', invoke: createSaveEffect({ onError: [{ field: true }] }) } }),
    );
    await arrive('load');
    await calls[0]!.answer(createRefusal({ status: 0 }));
    expect([runner.state.failed, runner.unreached]).toEqual([true, true]);
    void runner.retry();
    await settlePromises();
    await calls[1]!.answer(createSuccess());
    expect([shown(), runner.state.failed]).toEqual(['done', false]);
  });

  test('at a state that this version of the flow does not have says so', async () => {
    const { arrive, runner } = run(flowOf({}));
    await arrive('newer');
    expect(runner.state.failed).toBe(true);
  });

  test('tells who listens, until they stop', async () => {
    const { arrive, runner } = run(flowOf({}));
    let told = 0;
    const stop = runner.subscribe(() => (told += 1));
    await arrive('form');
    expect(told).toBeGreaterThan(0);
    const before = [told, runner.state];
    stop();
    await arrive('done');
    expect([told, before[1] === runner.state]).toEqual([before[0], false]);
  });
});

describe('[ENG-02 RUTA-05] variables of the address', () => {
  const context = { uuid: { from: 'query' }, email: { from: 'result', default: 'nobody' } } as const;

  test('are read and leave the address at once', async () => {
    const { arrive, runner, navigations } = run(flowOf({}, { context }));
    await arrive('form', '?uuid=secret&otro=1');
    expect(runner.state.context).toEqual({ uuid: 'secret', email: 'nobody' });
    expect(navigations).toEqual([
      { path: '/form', replace: true, state: { flow: 'main', step: 'form', variables: { uuid: 'secret' }, depth: 0 } },
    ]);
  });

  test('come back from the history entry at a reload', async () => {
    const first = run(flowOf({}, { context }));
    await first.arrive('form', '?uuid=secret');
    const again = run(flowOf({}, { context }));
    await again.arrive('form', '', first.navigations[0]?.state);
    expect(again.runner.state.context).toMatchObject({ uuid: 'secret' });
    expect(again.navigations).toEqual([]);
  });

  test('and the entry of a place that was not reached holds what is shown instead: Back does not lead there', async () => {
    const again = run(flowOf({}, { context }));
    await again.arrive('form', '', { flow: 'main', step: 'other', variables: { uuid: 'secret' }, depth: 1 });
    expect(again.navigations).toMatchObject([{ replace: true, state: { step: 'form', depth: 1 } }]);
  });

  test('are taken from no entry of another flow', async () => {
    const { arrive, runner } = run(flowOf({}, { context }));
    await arrive('form', '', { flow: 'other', step: 'form', variables: { uuid: 'x' }, depth: 3 });
    expect(runner.state.context).toMatchObject({ uuid: null });
  });

  test('are only those that the flow reads from there', async () => {
    const { arrive, runner } = run(flowOf({}, { context }));
    await arrive('form', '?email=a@b.uy&toString=1');
    expect(runner.state.context).toEqual({ uuid: null, email: 'nobody' });
  });

  test('enter the same state again when they change', async () => {
    const { arrive, runner, navigations } = run(flowOf({}, { context }));
    await arrive('form', '?uuid=one');
    await arrive('form', '?uuid=two');
    expect(runner.state.context).toMatchObject({ uuid: 'two' });
    expect(navigations).toHaveLength(2);
  });
});

describe('[ENG-02] history', () => {
  test('restores a step without an address of its own, when it was visited', async () => {
    const flow = flowOf({ form: { ...form, on: { next: { target: 'second' } } }, second: { screen: 'done' } });
    const { arrive, raise, navigations, shown } = run(flow);
    await arrive('form');
    await raise('next');
    expect(shown()).toBe('second');
    expect(navigations).toEqual([
      { path: '', replace: false, state: { flow: 'main', step: 'second', variables: {}, depth: 1 } },
    ]);
    const entry = navigations[0]?.state;
    await arrive('form');
    expect(shown()).toBe('form');
    await arrive('form', '', entry);
    expect(shown(), 'forward again').toBe('second');
    const fresh = run(flow);
    await fresh.arrive('form', '', entry);
    expect(fresh.shown(), 'after a reload').toBe('form');
  });

  test('knows forward from back', async () => {
    const { arrive, raise, navigations, runner } = await runToForm();
    await raise('jump');
    expect(runner.state.view?.direction).toBe('forward');
    await arrive('form');
    expect(runner.state.view?.direction).toBe('back');
    await arrive('done', '', navigations[0]?.state);
    expect(runner.state.view?.direction).toBe('forward');
  });

  test('the entry of the state that is shown already changes nothing', async () => {
    const { arrive, raise, navigations, runner } = await runToForm();
    await raise('jump');
    const { view } = runner.state;
    await arrive('done', '', navigations[0]?.state);
    expect(runner.state.view).toBe(view);
  });

  test('an event raised before the address says where one is leads on all the same', async () => {
    const slow = createDeferred<LoadedScreen>();
    const { arrive, raise, navigations, shown } = run(
      flowOf({ form: { ...form, on: { jump: { target: 'done' } } } }, { context: { uuid: { from: 'query' } } }),
      { screens: { ...screens, done: slow.promise } },
    );
    await arrive('form', '?uuid=secret');
    await raise('jump');
    await arrive('form', '', navigations[0]?.state); // the runner has removed the query from the address
    await slow.give(screens.done!);
    expect(shown()).toBe('done');
  });

  test('the screen before is not to be typed into while the one of the new address loads', async () => {
    const slow = createDeferred<LoadedScreen>();
    const { arrive, runner } = await runToForm({}, {}, { screens: { ...screens, done: slow.promise } });
    expect(runner.state.arriving).toBe(false);
    await arrive('done');
    expect([runner.state.arriving, runner.state.view?.name]).toEqual([true, 'form']);
    await slow.give(screens.done!);
    expect([runner.state.arriving, runner.state.view?.name]).toEqual([false, 'done']);
  });

  test('back while the next screen loads stays with the one before', async () => {
    const slow = createDeferred<LoadedScreen>();
    const { arrive, shown } = await runToForm({}, {}, { screens: { ...screens, done: slow.promise } });
    void arrive('done');
    await settlePromises();
    await arrive('form');
    await slow.give(screens.done!);
    expect(shown()).toBe('form');
  });
});

describe('[ENG-02 LOG-06] going back', () => {
  const second = (change: Partial<State>): Flow =>
    flowOf({
      form: { ...form, on: { next: { target: 'second' } } },
      second: { path: '/second', screen: 'form', ...change },
    });
  async function atSecond(change: Partial<State>) {
    const running = run(second(change));
    await running.arrive('form');
    running.type({ email: 'first@b.uy', secret: 'largo y secreto' });
    await running.raise('next');
    running.type({ email: 'second@b.uy', secret: 'largo y secreto', kind: 'b' });
    return running;
  }

  test('leads to the declared state', async () => {
    const { back, shown, runner, navigations, wentBack } = await atSecond({ back: 'form' });
    await back();
    expect([shown(), runner.state.view?.direction, navigations.at(-1)?.path, wentBack()]).toEqual([
      'form',
      'back',
      '/form',
      0,
    ]);
  });

  test.each([
    ['history', 'history'],
    ['nothing declared', undefined],
  ])('is the browser’s with %s', async (_, declared) => {
    const { raise, shown, wentBack } = await atSecond(declared ? { back: declared } : {});
    await raise('back');
    expect([shown(), wentBack()]).toEqual(['second', 1]);
  });

  test('is refused by a state that allows none', async () => {
    const { back, shown, wentBack } = await atSecond({ back: 'none' });
    await back();
    expect([shown(), wentBack()]).toEqual(['second', 0]);
  });

  test('is what the state itself declares for the event', async () => {
    const { raise, shown } = await atSecond({ on: { back: { target: 'done' } } });
    await raise('back');
    expect(shown()).toBe('done');
  });

  test('keeps what was typed, without secrets', async () => {
    const { back, runner } = await atSecond({ back: 'form' });
    await back();
    expect(runner.state.view?.form?.values).toEqual({
      email: 'first@b.uy',
      secret: undefined,
      repeat: undefined,
      kind: undefined,
      extra: undefined,
      terms: undefined,
    });
  });

  test('empties what the state says, also by the button of the browser', async () => {
    for (const way of ['event', 'browser'] as const) {
      const { back, arrive, runner } = await atSecond({ back: 'form', clear: ['/kind'] });
      if (way === 'event') await back();
      else await arrive('form');
      await arrive('second');
      expect(runner.state.view?.form?.values).toMatchObject({
        email: 'second@b.uy',
        kind: undefined,
        secret: undefined,
      });
    }
  });
});

describe('[ENG-02] forms', () => {
  test('start with their prefill, once', async () => {
    const flow = flowOf({
      form: { ...form, prefill: { kind: 'b', extra: { var: 'user.name' } }, on: { jump: { target: 'done' } } },
    });
    const { arrive, raise, type, runner } = run(flow, { facts: { user: { name: 'Ana' } } });
    await arrive('form');
    expect(runner.state.view?.form?.values).toMatchObject({ kind: 'b', extra: 'Ana' });
    type({ kind: 'a' });
    await raise('jump');
    await arrive('form');
    expect(runner.state.view?.form?.values).toMatchObject({ kind: 'a' });
  });

  test('[VAL-10] that are refused send nothing', async () => {
    const { raise, type, calls, runner } = await runToForm();
    type({ email: 'no' });
    await raise('submit');
    expect([calls, runner.state.busy, runner.state.view?.form?.refusedAtSubmit]).toEqual([[], false, ['email']]);
  });

  test('send what counts, with the version of their rules', async () => {
    const { raise, calls } = await runToForm();
    await raise('submit');
    expect(calls.map(({ call, input }) => ({ call, input }))).toEqual([
      { call: 'save', input: { params: {}, body: fine, version: screens.form?.validator.screen.version } },
    ]);
  });

  test('send what the effect says instead', async () => {
    const { raise, calls } = await runToForm(
      { params: { id: { var: 'user.id' } }, input: { mail: { var: 'form.email' }, fixed: [1, null] } },
      {},
      { facts: { user: { id: 7 } } },
    );
    await raise('submit');
    expect(calls[0]?.input).toMatchObject({ params: { id: '7' }, body: { mail: 'a@b.uy', fixed: [1, null] } });
  });
});

describe('[ENG-02] what a widget does before a submit', () => {
  test('comes before the call, which is not made where it refuses or another state has taken over', async () => {
    const { runner, calls, raise } = await runToForm();
    const verdicts = [{ refused: null }, undefined];
    runner.state.view?.form?.field('secret')?.beforeSubmit(async () => verdicts.shift());
    await raise('submit');
    expect(calls).toEqual([]);
    await raise('submit');
    expect(calls.map(({ call }) => call)).toEqual(['save']);
    await calls[0]?.answer(createRefusal());
    let goOn = (): void => undefined;
    runner.state.view?.form
      ?.field('secret')
      ?.beforeSubmit(() => new Promise((resolve) => (goOn = () => resolve(undefined))));
    await raise('submit');
    runner.depart();
    goOn();
    await settlePromises();
    expect(calls).toHaveLength(1);
  });

  test('does not begin while the rules refuse the form', async () => {
    const { runner, raise, type } = await runToForm();
    type({ email: 'no' });
    const prepare = vi.fn(async () => undefined);
    runner.state.view?.form?.field('secret')?.beforeSubmit(prepare);
    await raise('submit');
    expect(prepare).not.toHaveBeenCalled();
  });
});

describe('[REG-07 LOG-16] a running call', () => {
  test('makes the flow busy, and a second event is ignored', async () => {
    const { raise, back, calls, runner, wentBack } = await runToForm();
    await raise('submit');
    expect([runner.state.busy, runner.state.view?.form?.busy]).toEqual([true, true]);
    await raise('submit');
    await raise('jump');
    await back();
    expect([calls.length, runner.state.view?.name, wentBack()]).toEqual([1, 'form', 0]);
    await calls[0]?.answer(createRefusal());
    expect([runner.state.busy, runner.state.view?.form?.busy]).toEqual([false, false]);
  });

  describe('during which another event is raised', () => {
    const stays = { onDone: [{}] };

    test('keeps it, and raises it once the call has ended here', async () => {
      const { raise, calls, runner } = await runToForm(stays);
      await raise('submit');
      await raise('jump');
      expect(runner.state.view?.name).toBe('form');
      await calls[0]?.answer(createSuccess());
      expect([calls.length, runner.state.view?.name, runner.state.busy]).toEqual([1, 'done', false]);
    });

    test('forgets it after a refusal, which must be seen', async () => {
      const { raise, calls, runner } = await runToForm(stays);
      await raise('submit');
      await raise('jump');
      await calls[0]?.answer(createRefusal());
      expect([runner.state.view?.name, runner.state.busy]).toEqual(['form', false]);
      await raise('submit');
      await calls[1]?.answer(createSuccess());
      expect([calls.length, runner.state.view?.name]).toEqual([2, 'form']);
    });

    test.each([
      ['says something', { onDone: [{ notice: 'saved' }] }, createSuccess()],
      ['leaves', { onDone: [{ leave: '/file' }] }, createSuccess()],
      ['finds newer rules', stays, createRefusal({ outdated: true })],
    ])('forgets it where the call %s: it comes no later either', async (_, change, answer) => {
      const { raise, calls, runner } = await runToForm(change);
      await raise('submit');
      await raise('jump');
      await calls[0]?.answer(answer);
      expect(runner.state.view?.name).toBe('form');
      await raise('submit');
      await calls[1]?.answer(createSuccess());
      expect([calls.length, runner.state.view?.name]).toEqual([2, 'form']);
    });

    test('forgets it where the call leads elsewhere', async () => {
      const again = { ...end, on: { jump: { target: 'form' } } };
      const { raise, arrive, type, calls, runner } = run(
        flowOf({ form: { ...form, on: { submit: createSaveEffect(), jump: { target: 'done' } } }, done: again }),
      );
      await arrive('form');
      type(fine);
      await raise('submit');
      await raise('jump');
      await calls[0]?.answer(createSuccess());
      expect(runner.state.view?.name).toBe('done');
    });

    test('and does not send the same one twice', async () => {
      const { raise, calls } = await runToForm(stays);
      await raise('submit');
      await raise('submit');
      await calls[0]?.answer(createSuccess());
      expect(calls).toHaveLength(1);
    });
  });

  test('stays busy until the next screen is there', async () => {
    const slow = createDeferred<LoadedScreen>();
    const { raise, calls, runner } = await runToForm({}, {}, { screens: { ...screens, done: slow.promise } });
    await raise('submit');
    await calls[0]?.answer(createSuccess());
    await raise('submit');
    expect([calls.length, runner.state.busy]).toEqual([1, true]);
    await slow.give(screens.done!);
    expect([runner.state.view?.name, runner.state.busy]).toEqual(['done', false]);
  });

  test('whose answer comes after its state was left changes nothing', async () => {
    const { raise, arrive, calls, runner, navigations } = await runToForm(
      { onDone: [{ assign: { email: 'late' }, target: 'form' }] },
      { context: { email: { from: 'result' } } },
    );
    await raise('submit');
    await arrive('done');
    const { state } = runner;
    await calls[0]?.answer(createSuccess());
    expect([runner.state, navigations]).toEqual([state, []]);
    expect(state).toMatchObject({ busy: false, view: { name: 'done' } });
  });

  test('whose answer comes after the flow was left changes nothing, and the next arrival starts anew', async () => {
    const { raise, arrive, calls, runner, navigations, left } = await runToForm({ onDone: [{ leave: '/out' }] });
    await raise('submit');
    runner.depart();
    await calls[0]?.answer(createSuccess());
    expect([runner.state.view, runner.state.busy, navigations, left]).toEqual([null, false, [], []]);
    await arrive('form');
    expect(runner.state.view?.form?.values, 'what was typed is kept').toMatchObject(fine);
  });

  test('[RUTA-09] coming back to a flow checks its entry again', async () => {
    const surroundings: FlowTestOptions = { screens: { ...screens }, facts: { authenticated: false } };
    const flow = flowOf({ form: { ...form, requires: { guard: { '!': { var: 'authenticated' } }, else: 'done' } } });
    const { arrive, runner, shown } = runFlow(flow, surroundings);
    await arrive('form');
    runner.depart();
    surroundings.facts = { authenticated: true };
    await arrive('form');
    expect(shown()).toBe('done');
  });
});

describe('[ENG-02 ERR-01] what follows a call', () => {
  test('is the first branch whose guard holds', async () => {
    const onDone: Branch[] = [
      { guard: { '==': [{ var: 'result.kind' }, 'a'] }, leave: '/a' },
      { guard: { var: 'result.next' }, leave: { var: 'result.next' } },
      { target: 'done' },
    ];
    for (const [result, expected] of [
      [{ kind: 'a', next: '/n' }, ['/a']],
      [{ next: '/n' }, ['/n']],
      [{}, []],
    ] as const) {
      const { raise, calls, left, shown, runner } = await runToForm({ onDone });
      await raise('submit');
      await calls[0]?.answer(createSuccess(result));
      expect([left, shown(), runner.state.busy]).toEqual([expected, expected.length > 0 ? 'form' : 'done', false]);
    }
  });

  test('of an error likewise, and it reads the error', async () => {
    const onError: Branch[] = [
      { guard: { '==': [{ var: 'error.code' }, 'again'] }, notice: 'again' },
      { guard: { var: 'error.next' }, leave: { var: 'error.next' } },
      { field: true },
    ];
    const { raise, calls, runner, left } = await runToForm({ onError });
    await raise('submit');
    await calls[0]?.answer(createRefusal({ code: 'again', errors: { email: 'Mal' } }));
    expect(runner.state.notice).toEqual({ intent: 'warning', text: 'De nuevo' });
    expect(
      [runner.state.view?.form?.field('email')?.error, runner.state.view?.form?.failures],
      'not its branch',
    ).toEqual([null, 1]);
    await raise('submit');
    expect(runner.state.notice, 'gone with the next event').toBeNull();
    await calls[1]?.answer(createRefusal({ next: '/login' }));
    expect(left).toEqual(['/login']);
  });

  test('[REG-07] errors land on their fields, the rest above the form', async () => {
    const { raise, calls, runner } = await runToForm();
    await raise('submit');
    await calls[0]?.answer(createRefusal({ errors: { email: 'Mal', otro: 'Sobra' } }));
    const draft = runner.state.view?.form;
    expect([draft?.field('email')?.error, draft?.formError]).toEqual(['Mal', 'Sobra']);
  });

  test('an error without fields stands above the form', async () => {
    const { raise, calls, runner } = await runToForm();
    await raise('submit');
    await calls[0]?.answer(createRefusal({ error: 'No se pudo' }));
    expect(runner.state.view?.form?.formError).toBe('No se pudo');
  });

  test('an error of a screen without a form is a notice, which can be dismissed', async () => {
    const { arrive, raise, calls, runner } = run(
      flowOf({ done: { ...end, on: { resend: createSaveEffect({ onDone: [{ target: 'form' }] }) } } }),
    );
    await arrive('done');
    await raise('resend');
    expect(calls[0]?.input, 'no form, no version').toEqual({ params: {}, body: {} });
    await calls[0]?.answer(createRefusal({ error: 'No se pudo' }));
    expect(runner.state.notice).toEqual({ intent: 'error', text: 'No se pudo' });
    runner.dismiss();
    expect(runner.state.notice).toBeNull();
  });

  test('assigns, and shows the notice on the screen that comes', async () => {
    const onDone: Branch[] = [
      { assign: { email: { var: 'form.email' }, pair: [{ var: 'result.id' }] }, target: 'other', notice: 'again' },
    ];
    const flow = flowOf(
      { form: { ...form, on: { submit: createSaveEffect({ onDone }) } }, other: { path: '/other', screen: 'form' } },
      { context: { email: { from: 'result' }, pair: { from: 'result' } } },
    );
    const { arrive, type, raise, calls, runner } = run(flow);
    await arrive('form');
    type(fine);
    await raise('submit');
    await calls[0]?.answer(createSuccess({ id: 3 }));
    expect(runner.state).toMatchObject({
      context: { email: 'a@b.uy', pair: [3] },
      view: { name: 'other' },
      notice: { text: 'De nuevo' },
    });
  });

  test('clears the fields that it names', async () => {
    const { raise, type, calls, runner } = await runToForm({ onError: [{ clear: ['/secret'], field: true }] });
    type({ secret: 'largo y secreto' });
    await raise('submit');
    await calls[0]?.answer(createRefusal({ error: 'No' }));
    expect(runner.state.view?.form?.values).toMatchObject({ email: fine.email, secret: undefined });
  });

  test('reads facts as they are after the call', async () => {
    const surroundings: FlowTestOptions = { screens: { ...screens }, facts: {} };
    const branches: Branch[] = [{ guard: { var: 'authenticated' }, leave: '/in' }, { leave: '/out' }];
    const flow = flowOf({
      form: { ...form, on: { submit: createSaveEffect({ onDone: branches, onError: branches }) } },
    });
    for (const answer of [createSuccess(), createRefusal()]) {
      surroundings.facts = {};
      const { arrive, type, raise, calls, left } = runFlow(flow, surroundings);
      await arrive('form');
      type(fine);
      await raise('submit');
      surroundings.facts = { authenticated: true };
      await calls[0]?.answer(answer);
      expect(left).toEqual(['/in']);
    }
  });
});

describe('[LOG-05 ENG-02] steps that the server names', () => {
  const flow = flowOf(
    {
      form: {
        ...form,
        on: {
          submit: createSaveEffect({
            onDone: [{ assign: { token: { var: 'result.token' } }, challenge: { var: 'result.challenge' } }],
          }),
        },
      },
      unknown: { screen: 'done' },
    },
    { context: { token: { from: 'result' } }, challenges: { 'urn:end': 'done', '*': 'unknown' } },
  );

  test.each([
    ['known', 'urn:end', 'done'],
    ['unknown', 'urn:new', 'unknown'],
    ['missing', null, 'unknown'],
    ['no text', 7, 'unknown'],
    ['a name of every object', 'constructor', 'unknown'],
  ])('a step that is %s', async (_, challenge, state) => {
    const { arrive, type, raise, calls, shown, runner } = run(flow);
    await arrive('form');
    type(fine);
    await raise('submit');
    await calls[0]?.answer(createSuccess({ challenge, token: 't' }));
    expect([shown(), runner.state.context]).toEqual([state, { token: 't' }]);
  });
});

describe('[ENG-02] a state that invokes', () => {
  const working = flowOf(
    {
      work: {
        path: '/work',
        invoke: createSaveEffect({
          src: 'list',
          input: { id: { var: 'context.uuid' } },
          onError: [{ target: 'form', notice: 'again' }],
        }),
      },
    },
    { context: { uuid: { from: 'query' } } },
  );

  test('does so when it is entered, and goes on', async () => {
    const { arrive, calls, shown, runner, navigations } = run(working);
    await arrive('work', '?uuid=u');
    expect(calls.map(({ call, input }) => ({ call, input }))).toEqual([
      { call: 'list', input: { params: {}, body: { id: 'u' } } },
    ]);
    expect([shown(), runner.state.busy]).toEqual(['work', true]);
    await calls[0]?.answer(createSuccess());
    expect([shown(), runner.state.busy, navigations.at(-1)?.path]).toEqual(['done', false, '/done']);
  });

  test('goes elsewhere when it fails', async () => {
    const { arrive, calls, shown, runner } = run(working);
    await arrive('work');
    await calls[0]?.answer(createRefusal());
    expect([shown(), runner.state.notice?.text]).toEqual(['form', 'De nuevo']);
  });

  test.each<[string, Branch]>([
    ['its error', { field: true }],
    ['nothing', { assign: {} }],
  ])('[INI-08] and draws nothing is told where %s is all that follows', async (_, branch) => {
    const { arrive, calls, runner } = run(
      flowOf({ load: { path: '/load', invoke: createSaveEffect({ onError: [branch] }) } }),
    );
    await arrive('load');
    await calls[0]?.answer(createRefusal());
    expect(runner.state).toMatchObject({ failed: true, busy: false });
  });

  test('is not repeated by the history entry of its own address', async () => {
    const { arrive, calls, navigations } = run(working);
    await arrive('work', '?uuid=u');
    await arrive('work', '', navigations[0]?.state);
    expect(calls).toHaveLength(1);
  });
});

test('[ENG-02] a link to an earlier state of the same flow is a way on, and Back from there a way back', async () => {
  const { runner, raise, arrive, navigations } = await runToForm();
  await raise('jump');
  await arrive('done', '', navigations.at(-1)?.state);
  await runner.arrive({ state: 'form', search: '', history: null, pushed: true });
  expect(runner.state.view).toMatchObject({ name: 'form', direction: 'forward' });
  await arrive('done', '', navigations.find(({ path }) => path === '/done')?.state);
  expect(runner.state.view).toMatchObject({ name: 'done', direction: 'back' });
});

describe('[ENG-02] a screen whose state invokes', () => {
  const filled: State = {
    path: '/filled',
    screen: 'form',
    prefill: { email: { var: 'context.email' } },
    invoke: createSaveEffect({
      src: 'list',
      onDone: [
        { guard: { var: 'result.gone' }, target: 'done' },
        { guard: { var: 'result.away' }, leave: '/' },
        { assign: { email: { var: 'result.email' } } },
      ],
      onError: [{ guard: { '==': [{ var: 'error.code' }, 'again'] }, notice: 'again' }, { field: true }],
    }),
  };
  const atFilled = async () => {
    const running = run(flowOf({ filled }, { context: { email: { from: 'result' } } }));
    await running.arrive('filled');
    return running;
  };

  test('is not drawn before the answer, which may fill its form', async () => {
    const { calls, runner } = await atFilled();
    expect(runner.state.view).toMatchObject({ name: 'filled', pending: true, form: null });
    await calls[0]?.answer(createSuccess({ email: 'a@b.uy' }));
    expect(runner.state).toMatchObject({ busy: false, view: { name: 'filled', pending: false } });
    expect(runner.state.view?.form?.field('email')?.value).toBe('a@b.uy');
  });

  test('is never drawn where the answer leads on, and stays in no entry of the history', async () => {
    const running = await atFilled();
    const drawn: unknown[] = [];
    running.runner.subscribe(() => void drawn.push([running.shown(), running.runner.state.view?.pending]));
    await running.calls[0]?.answer(createSuccess({ gone: true }));
    expect(drawn).not.toContainEqual(['filled', false]);
    expect([running.shown(), running.navigations.at(-1)]).toMatchObject(['done', { path: '/done', replace: true }]);
  });

  test('is never drawn where the answer leads out', async () => {
    const running = await atFilled();
    await running.calls[0]?.answer(createSuccess({ away: true }));
    expect([running.left, running.runner.state.view?.pending]).toEqual([['/'], true]);
  });

  test.each([
    ['with the notice that the flow has for it', { code: 'again' }, { pending: false }, false],
    ['as a failure where it has none', {}, { pending: true }, true],
  ])('is drawn after a refusal %s', async (_, failure, view, failed) => {
    const { calls, runner } = await atFilled();
    await calls[0]?.answer(createRefusal(failure));
    expect(runner.state).toMatchObject({ view, failed });
  });
});

describe('[SES-02 ENG-02] what is remembered', () => {
  const context = { email: { from: 'result', persist: true }, token: { from: 'result' } } as const;

  test('is what the flow declares, and nothing else', async () => {
    const { raise, calls, remembered } = await runToForm(
      { onDone: [{ assign: { email: { var: 'form.email' }, token: 'secret' }, target: 'done' }] },
      { context },
    );
    await raise('submit');
    await calls[0]?.answer(createSuccess());
    expect(remembered.at(-1)).toEqual({ email: 'a@b.uy' });
    expect(JSON.stringify(remembered)).not.toContain('secret');
  });

  test('is resumed, and nothing else is believed', () => {
    const { runner } = run(flowOf({}, { context }), { stored: { email: 'a@b.uy', token: 'planted', other: 1 } });
    expect(runner.state.context).toEqual({ email: 'a@b.uy', token: null });
  });

  test('is nothing where the flow declares nothing', async () => {
    const { remembered, raise } = await runToForm({}, { context: { token: { from: 'result' } } });
    await raise('jump');
    expect(remembered).toEqual([]);
  });
});

describe('[SES-02] what the history entry of the tab keeps', () => {
  const context = {
    email: { from: 'result', persist: 'entry' },
    right: { from: 'result', persist: 'entry' },
    token: { from: 'result' },
  } as const;
  const shown: State = { ...end, requires: { guard: { var: 'context.email' }, else: 'form' } };

  test('has the screen after a call survive a reload, and reaches no storage', async () => {
    const flow = flowOf(
      {
        form: {
          ...form,
          on: {
            submit: createSaveEffect({
              onDone: [{ assign: { email: { var: 'form.email' }, token: 'secret' }, target: 'done' }],
            }),
          },
        },
        done: shown,
      },
      { context },
    );
    const first = run(flow);
    await first.arrive('form');
    first.type(fine);
    await first.raise('submit');
    await first.calls[0]?.answer(createSuccess());
    expect(first.navigations.at(-1)?.state.variables).toEqual({ email: 'a@b.uy' });
    expect(first.remembered).toEqual([]);
    const reloaded = run(flow);
    await reloaded.arrive('done', '', first.navigations.at(-1)?.state);
    expect([reloaded.shown(), reloaded.runner.state.context]).toEqual([
      'done',
      { email: 'a@b.uy', right: null, token: null },
    ]);
  });

  test('follows what changes without a move', async () => {
    const { raise, calls, navigations } = await runToForm(
      { onDone: [{ assign: { right: { var: 'result.right' } } }] },
      { context },
    );
    await raise('submit');
    await calls[0]?.answer(createSuccess({ right: 'second' }));
    expect(navigations).toEqual([
      { path: '', replace: true, state: { flow: 'main', step: 'form', variables: { right: 'second' }, depth: 0 } },
    ]);
    await raise('submit');
    await calls[1]?.answer(createSuccess({ right: 'second' }));
    expect(navigations).toHaveLength(1);
  });
});

describe('[ANA-01 ENG-02] a form that the server no longer takes', () => {
  const outdated = createRefusal({ status: 409, outdated: true, code: 'formulario_cambiado' });

  test('is drawn anew from the newer rules, with what was typed', async () => {
    const loaded: Record<string, LoadedScreen> = { ...screens };
    const { validator } = screens.form!;
    const newer: LoadedScreen = {
      ...screens.form!,
      validator: { ...validator, screen: { ...validator.screen, version: 'newer' } },
    };
    let refreshed = 0;
    const { raise, type, calls, runner } = await runToForm(
      {},
      {},
      {
        screens: loaded,
        refresh: async () => {
          refreshed += 1;
          loaded.form = newer;
        },
      },
    );
    type({ secret: 'largo y secreto' });
    const { view } = runner.state;
    await raise('submit');
    await calls[0]?.answer(outdated);
    expect([refreshed, runner.state.busy, runner.state.view?.screen]).toEqual([1, false, newer]);
    expect(runner.state.view?.form).not.toBe(view?.form);
    expect(runner.state.view?.form?.values).toMatchObject({ ...fine, secret: 'largo y secreto' });
    expect(runner.state.view?.form?.formError).toBe('outdated');
  });

  test('and cannot be loaded says so', async () => {
    const loaded: Record<string, LoadedScreen> = { ...screens };
    const { raise, calls, runner } = await runToForm(
      {},
      {},
      { screens: loaded, refresh: async () => void delete loaded.form },
    );
    await raise('submit');
    await calls[0]?.answer(outdated);
    expect([runner.state.failed, runner.state.busy]).toEqual([true, false]);
  });

  test('comes back no more once its state was left', async () => {
    const slow = createDeferred<undefined>();
    const { raise, arrive, calls, shown } = await runToForm({}, {}, { refresh: () => slow.promise });
    await raise('submit');
    await calls[0]?.answer(outdated);
    await arrive('done');
    await slow.give(undefined);
    expect(shown()).toBe('done');
  });
});

describe('[ENG-02] a delayed event', () => {
  const start = new Date('2026-11-22T12:00:00Z');
  const inS = (seconds: number): string => new Date(start.getTime() + seconds * 1000).toISOString();
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: start }));
  const pass = async (seconds: number) => {
    vi.advanceTimersByTime(seconds * 1000);
    await settlePromises();
  };
  /** A form with a transition two minutes before a time, which the state reads from the address. */
  const timed = (end: string | null, change: Partial<State> = {}) =>
    run(
      flowOf(
        {
          form: {
            ...form,
            after: { at: { var: 'context.ends' }, secondsBefore: 120, event: 'late' },
            on: { submit: createSaveEffect(), late: { assign: { told: { '+': [{ var: 'context.told' }, 1] } } } },
            ...change,
          },
        },
        { context: { ends: { from: 'result', default: end }, told: { from: 'result', default: 0 } } },
      ),
    );
  const told = ({ runner }: ReturnType<typeof run>) => runner.state.context['told'];

  test('is raised once, so long before its time', async () => {
    const running = timed(inS(600));
    await running.arrive('form');
    await pass(479);
    expect(told(running)).toBe(0);
    await pass(1);
    expect(told(running)).toBe(1);
    await pass(600);
    expect(told(running)).toBe(1);
  });

  test('is raised after months, and where the machine slept meanwhile within a minute', async () => {
    const days = 60 * 24 * 3_600;
    const running = timed(inS(days));
    await running.arrive('form');
    await pass(days - 300);
    expect(told(running)).toBe(0);
    vi.setSystemTime(start.getTime() + days * 1000);
    await pass(60);
    expect(told(running)).toBe(1);
  });

  test('keeps what was typed', async () => {
    const running = timed(inS(130));
    await running.arrive('form');
    running.type(fine);
    await pass(10);
    expect([told(running), running.runner.state.view?.form?.values]).toEqual([1, fine]);
  });

  test('is raised at once in a state that is entered later, and not once the time is over', async () => {
    const late = timed(inS(60));
    await late.arrive('form');
    await pass(0);
    expect(told(late)).toBe(1);
    const over = timed(inS(-1));
    await over.arrive('form');
    await pass(600);
    expect(told(over)).toBe(0);
  });

  test.each([null, 'soon', ''])('is never raised without a time: %j', async (end) => {
    const running = timed(end);
    await running.arrive('form');
    await pass(10_000);
    expect(told(running)).toBe(0);
  });

  test('waits while a call runs', async () => {
    const running = timed(inS(130));
    await running.arrive('form');
    running.type(fine);
    await running.raise('submit');
    await pass(15);
    expect(told(running)).toBe(0);
    await running.calls[0]!.answer(createRefusal());
    await pass(1);
    expect(told(running)).toBe(1);
  });

  test('is not raised in another state, and again when the state is entered anew', async () => {
    const running = timed(inS(600), {
      on: {
        submit: createSaveEffect(),
        late: { assign: { told: { '+': [{ var: 'context.told' }, 1] } } },
        jump: { target: 'done' },
      },
    });
    await running.arrive('form');
    await running.raise('jump');
    await pass(490);
    expect([running.shown(), told(running)]).toEqual(['done', 0]);
    await running.arrive('form');
    await pass(0);
    expect(told(running)).toBe(1);
  });

  test('ends with the flow', async () => {
    const running = timed(inS(600));
    await running.arrive('form');
    running.runner.depart();
    await pass(600);
    expect(told(running)).toBe(0);
  });
});

test('a block that has a form adds values of its own to an event', async () => {
  const shown: State = {
    ...form,
    block: 'panel',
    on: { choose: { assign: { email: { var: 'form.email' }, choice: { var: 'form.choice' } } } },
  };
  const running = run(flowOf({ form: shown }));
  await running.arrive('form');
  running.type(fine);
  await running.runner.raise('choose', { choice: 'yes' });
  expect(running.runner.state.context).toMatchObject({ email: fine.email, choice: 'yes' });
});
