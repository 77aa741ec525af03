import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type {
  TransitionBranch,
  OperationInvocation,
  Flow,
  StateDefinition,
} from '../../src/engine/core/flow-and-screen-types.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { loadScreens } from './support/loaded-screens.ts';
import { sampleProject } from './support/project.ts';
import { createSuccess, createRefusal, runFlow, settlePromises, type FlowTestOptions } from './support/run-flow.ts';

let screens: Readonly<Record<string, LoadedScreen>>;
beforeAll(async () => {
  screens = await loadScreens(sampleProject);
});

const fine = { email: 'a@b.uy', terms: true };
const createSaveEffect = (change: Partial<OperationInvocation> = {}): OperationInvocation => ({
  src: 'save',
  onDone: [{ target: 'done' }],
  onError: [{ field: true }],
  ...change,
});

const form: StateDefinition = { path: '/form', screen: 'form', on: { submit: createSaveEffect() } };
const end: StateDefinition = { path: '/done', screen: 'done' };

/** Creates a flow with a form and a final state. `states` and `more` add or replace states and properties. */
function flowOf(states: Readonly<Record<string, StateDefinition>>, more: Partial<Flow> = {}): Flow {
  return { id: 'main', initial: 'form', states: { form, done: end, ...states }, ...more };
}
const run = (flow: Flow, surroundings: Partial<FlowTestOptions> = {}) =>
  runFlow(flow, { screens: { ...screens }, ...surroundings });

/** Runs a flow up to its form, and enters valid values. */
async function runToForm(
  change: Partial<OperationInvocation> = {},
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

describe('[ERR-03] event whose operation gets no response', () => {
  const nobody = () => createRefusal({ status: 0, error: 'No hay conexión' });
  const elsewhere: Partial<OperationInvocation> = {
    onError: [{ assign: { tries: 1 }, notice: 'retry', target: 'done' }],
  };

  test('keeps the state and the values, shows the failure above the form, and can be raised again', async () => {
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

  test('shows the failure in a notice on a screen without a form', async () => {
    const running = run(flowOf({ done: { ...end, on: { send: createSaveEffect(elsewhere) } } }));
    await running.arrive('done');
    await running.raise('send');
    await running.calls[0]!.answer(nobody());
    expect([running.shown(), running.runner.state.notice]).toEqual([
      'done',
      { intent: 'error', text: 'No hay conexión' },
    ]);
  });

  test.each<[string, () => Promise<never>, string]>([
    ['is rejected', () => Promise.reject(new Error('no network')), 'no network'],
    ['resolves to nothing', () => Promise.resolve(undefined as never), 'invoke("save") returned neither'], // `invoke` of a page written in JavaScript may return nothing
  ])('ends with a failure and reports the cause if its promise %s', async (_, invoke, cause) => {
    const reported: unknown[] = [];
    const running = await runToForm({}, {}, { invoke, reportError: (error) => void reported.push(error) });
    await running.raise('submit');
    const { view, busy } = running.runner.state;
    expect([busy, view!.form!.formError, String(reported)]).toEqual([false, 'failed', expect.stringContaining(cause)]);
  });

  test('reads a failure without `errors` and `outdated` as a failure of the whole form', async () => {
    const running = await runToForm();
    await running.raise('submit');
    await running.calls[0]!.answer({ ok: false, failure: { status: 409, error: 'Ya existe' } });
    expect([running.runner.state.busy, running.runner.state.view!.form!.formError]).toEqual([false, 'Ya existe']);
  });

  test('takes its onError branches if a delay raised it or if the server responded', async () => {
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

describe('values that a form carries to other flows', () => {
  const carrying: Flow = flowOf({
    form: {
      ...form,
      carry: { email: { var: 'form.email' }, country: 'uy' },
      on: { jump: { target: 'done' } },
    },
  });

  test('are stored on departure and on a transition', async () => {
    const { arrive, type, runner, raise, carried } = run(carrying);
    await arrive('form');
    type({ email: 'a@b.uy' });
    runner.depart();
    await arrive('form');
    await raise('jump');
    expect(carried).toEqual(Array(2).fill({ email: 'a@b.uy', country: 'uy' }));
  });

  test('are not stored if one of them is missing', async () => {
    const { arrive, runner, carried } = run(carrying);
    await arrive('form');
    runner.depart();
    expect(carried).toEqual([]);
  });
});

describe('[ENG-02] arrival at a state', () => {
  const guarded = (guard: unknown): Flow =>
    flowOf({ done: { ...end, requires: { guard: guard as never, else: 'form' } } }); // a guard may be any JSON, but its type is narrower

  test('shows the state of the address and adds no navigation', async () => {
    const { arrive, shown, navigations, runner } = run(flowOf({}));
    await arrive('form');
    expect([shown(), runner.state.view?.direction, navigations]).toEqual(['form', 'none', []]);
  });

  test('shows the else state if the guard refuses the entry, and replaces the address', async () => {
    const { arrive, shown, navigations } = run(guarded({ var: 'context.email' }));
    await arrive('done');
    expect(shown()).toBe('form');
    expect(navigations).toEqual([
      { path: '/form', replace: true, state: { flow: 'main', step: 'form', variables: {}, depth: 0 } },
    ]);
  });

  test('checks the guard after a reload, whatever state the history entry names', async () => {
    const { arrive, shown } = run(guarded({ var: 'context.email' }));
    await arrive('done', '', { flow: 'main', step: 'done', variables: {}, depth: 1 });
    expect(shown()).toBe('form');
  });

  test('accepts the entry if its guard is true for the facts', async () => {
    const { arrive, shown } = run(guarded({ var: 'authenticated' }), { facts: { authenticated: true } });
    await arrive('done');
    expect(shown()).toBe('done');
  });

  test('follows `always` transitions through states without a screen', async () => {
    const always: TransitionBranch[] = [{ guard: { var: 'flags.on' }, target: 'done' }, { target: 'form' }];
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

  test('does not change the address if the target of `always` has none', async () => {
    const { arrive, navigations } = run(
      flowOf({ decide: { path: '/x', always: [{ target: 'lost' }] }, lost: { screen: 'done' } }),
    );
    await arrive('decide');
    expect(navigations.map(({ path }) => path)).toEqual(['']);
  });

  test('shows the notice of the `always` branch', async () => {
    const { arrive, runner } = run(flowOf({ decide: { path: '/x', always: [{ target: 'form', notice: 'again' }] } }));
    await arrive('decide');
    expect(runner.state.notice?.text).toBe('De nuevo');
  });

  test('leaves the flow at once if `always` has a leave', async () => {
    const { arrive, shown, left } = run(flowOf({ decide: { path: '/x', always: [{ leave: { cat: ['/', 'out'] } }] } }));
    await arrive('decide');
    expect([shown(), left]).toEqual([undefined, ['/out']]);
  });

  test('reports a screen that fails to load, and recovers at the next arrival', async () => {
    const { arrive, runner, shown } = run(flowOf({ lost: { path: '/lost', screen: 'nowhere' } }));
    await arrive('form');
    await arrive('lost');
    expect(runner.state.failed).toBe(true);
    await arrive('form');
    expect([runner.state.failed, shown()]).toEqual([false, 'form']);
  });

  test('[ERR-03] retries a screen that failed to load, with its variables and without a second call', async () => {
    const surroundings = { screens: { form: screens['form']! } as Record<string, LoadedScreen> };
    const saving = createSaveEffect({ onDone: [{ assign: { mail: { var: 'form.email' } }, target: 'done' }] });
    const running = run(flowOf({ form: { ...form, on: { submit: saving } } }), surroundings);
    await running.arrive('form');
    expect(await running.runner.retry(), 'no failed screen').toBe(false);
    running.type(fine);
    await running.raise('submit');
    await running.calls[0]!.answer(createSuccess());
    expect(running.runner.state.failed).toBe(true);
    expect(await running.runner.retry(), 'the screen still fails to load').toBe(false);
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
    expect(await running.runner.retry(), 'the failed operation is over').toBe(false);
  });

  test('[ERR-03] retries the operation of a state after it got no response', async () => {
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

  test('fails at a state that the flow does not have', async () => {
    const { arrive, runner } = run(flowOf({}));
    await arrive('newer');
    expect(runner.state.failed).toBe(true);
  });

  test('notifies its subscribers until they unsubscribe', async () => {
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

describe('[ENG-02 RUTA-05] variables from the query', () => {
  const context = { uuid: { from: 'query' }, email: { from: 'result', default: 'nobody' } } as const;

  test('are read and removed from the address at once', async () => {
    const { arrive, runner, navigations } = run(flowOf({}, { context }));
    await arrive('form', '?uuid=secret&otro=1');
    expect(runner.state.context).toEqual({ uuid: 'secret', email: 'nobody' });
    expect(navigations).toEqual([
      { path: '/form', replace: true, state: { flow: 'main', step: 'form', variables: { uuid: 'secret' }, depth: 0 } },
    ]);
  });

  test('are restored from the history entry after a reload', async () => {
    const first = run(flowOf({}, { context }));
    await first.arrive('form', '?uuid=secret');
    const again = run(flowOf({}, { context }));
    await again.arrive('form', '', first.navigations[0]?.state);
    expect(again.runner.state.context).toMatchObject({ uuid: 'secret' });
    expect(again.navigations).toEqual([]);
  });

  test('are stored with the shown state if the history entry names another state', async () => {
    const again = run(flowOf({}, { context }));
    await again.arrive('form', '', { flow: 'main', step: 'other', variables: { uuid: 'secret' }, depth: 1 });
    expect(again.navigations).toMatchObject([{ replace: true, state: { step: 'form', depth: 1 } }]);
  });

  test('are not restored from a history entry of another flow', async () => {
    const { arrive, runner } = run(flowOf({}, { context }));
    await arrive('form', '', { flow: 'other', step: 'form', variables: { uuid: 'x' }, depth: 3 });
    expect(runner.state.context).toMatchObject({ uuid: null });
  });

  test('include only the variables that the flow reads from the query', async () => {
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

describe('[ENG-02] history of a flow', () => {
  test('restores a visited step without an address, but not after a reload', async () => {
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
    expect(shown(), 'forward in the history').toBe('second');
    const fresh = run(flow);
    await fresh.arrive('form', '', entry);
    expect(fresh.shown(), 'after a reload').toBe('form');
  });

  test('sets the direction of the view to forward or back', async () => {
    const { arrive, raise, navigations, runner } = await runToForm();
    await raise('jump');
    expect(runner.state.view?.direction).toBe('forward');
    await arrive('form');
    expect(runner.state.view?.direction).toBe('back');
    await arrive('done', '', navigations[0]?.state);
    expect(runner.state.view?.direction).toBe('forward');
  });

  test('does not render the view again when the history reports the entry of the current state', async () => {
    const { arrive, raise, navigations, runner } = await runToForm();
    await raise('jump');
    const { view } = runner.state;
    await arrive('done', '', navigations[0]?.state);
    expect(runner.state.view).toBe(view);
  });

  test('completes a transition that started before the address was updated', async () => {
    const slow = createDeferred<LoadedScreen>();
    const { arrive, raise, navigations, shown } = run(
      flowOf({ form: { ...form, on: { jump: { target: 'done' } } } }, { context: { uuid: { from: 'query' } } }),
      { screens: { ...screens, done: slow.promise } },
    );
    await arrive('form', '?uuid=secret');
    await raise('jump');
    await arrive('form', '', navigations[0]?.state); // opens the URL without its query, which the runner has removed
    await slow.give(screens.done!);
    expect(shown()).toBe('done');
  });

  test('marks the flow as arriving while the next screen loads', async () => {
    const slow = createDeferred<LoadedScreen>();
    const { arrive, runner } = await runToForm({}, {}, { screens: { ...screens, done: slow.promise } });
    expect(runner.state.arriving).toBe(false);
    await arrive('done');
    expect([runner.state.arriving, runner.state.view?.name]).toEqual([true, 'form']);
    await slow.give(screens.done!);
    expect([runner.state.arriving, runner.state.view?.name]).toEqual([false, 'done']);
  });

  test('stays at the previous state after Back while the next screen loads', async () => {
    const slow = createDeferred<LoadedScreen>();
    const { arrive, shown } = await runToForm({}, {}, { screens: { ...screens, done: slow.promise } });
    void arrive('done');
    await settlePromises();
    await arrive('form');
    await slow.give(screens.done!);
    expect(shown()).toBe('form');
  });
});

describe('[ENG-02 LOG-06] event back', () => {
  const second = (change: Partial<StateDefinition>): Flow =>
    flowOf({
      form: { ...form, on: { next: { target: 'second' } } },
      second: { path: '/second', screen: 'form', ...change },
    });
  async function atSecond(change: Partial<StateDefinition>) {
    const running = run(second(change));
    await running.arrive('form');
    running.type({ email: 'first@b.uy', secret: 'largo y secreto' });
    await running.raise('next');
    running.type({ email: 'second@b.uy', secret: 'largo y secreto', kind: 'b' });
    return running;
  }

  test('goes to the declared state', async () => {
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
  ])('goes back in the browser history for the declaration: %s', async (_, declared) => {
    const { raise, shown, wentBack } = await atSecond(declared ? { back: declared } : {});
    await raise('back');
    expect([shown(), wentBack()]).toEqual(['second', 1]);
  });

  test('does nothing in a state with `back: none`', async () => {
    const { back, shown, wentBack } = await atSecond({ back: 'none' });
    await back();
    expect([shown(), wentBack()]).toEqual(['second', 0]);
  });

  test('takes the transition that the state declares for it', async () => {
    const { raise, shown } = await atSecond({ on: { back: { target: 'done' } } });
    await raise('back');
    expect(shown()).toBe('done');
  });

  test('keeps the entered values, except secrets', async () => {
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

  test('clears the fields that the state declares, also for the Back button of the browser', async () => {
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

describe('[ENG-02] forms of a flow', () => {
  test('are prefilled only once', async () => {
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

  test('[VAL-10] send nothing if they are invalid', async () => {
    const { raise, type, calls, runner } = await runToForm();
    type({ email: 'no' });
    await raise('submit');
    expect([calls, runner.state.busy, runner.state.view?.form?.refusedAtSubmit]).toEqual([[], false, ['email']]);
  });

  test('send their values with the version of their rules', async () => {
    const { raise, calls } = await runToForm();
    await raise('submit');
    expect(calls.map(({ call, input }) => ({ call, input }))).toEqual([
      { call: 'save', input: { params: {}, body: fine, version: screens.form?.validator.screen.version } },
    ]);
  });

  test('send the input and the parameters that the operation declares', async () => {
    const { raise, calls } = await runToForm(
      { params: { id: { var: 'user.id' } }, input: { mail: { var: 'form.email' }, fixed: [1, null] } },
      {},
      { facts: { user: { id: 7 } } },
    );
    await raise('submit');
    expect(calls[0]?.input).toMatchObject({ params: { id: '7' }, body: { mail: 'a@b.uy', fixed: [1, null] } });
  });
});

describe('[ENG-02] beforeSubmit of a widget', () => {
  test('runs before the operation, which is not called if it refuses or if the flow was left', async () => {
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

  test('does not run while the form is invalid', async () => {
    const { runner, raise, type } = await runToForm();
    type({ email: 'no' });
    const prepare = vi.fn(async () => undefined);
    runner.state.view?.form?.field('secret')?.beforeSubmit(prepare);
    await raise('submit');
    expect(prepare).not.toHaveBeenCalled();
  });
});

describe('[REG-07 LOG-16] running operation and departure', () => {
  test('makes the flow and the form busy, and prevents a second submit and Back', async () => {
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

  describe('second event during the operation', () => {
    const stays = { onDone: [{}] };

    test('raises that event after the operation succeeded', async () => {
      const { raise, calls, runner } = await runToForm(stays);
      await raise('submit');
      await raise('jump');
      expect(runner.state.view?.name).toBe('form');
      await calls[0]?.answer(createSuccess());
      expect([calls.length, runner.state.view?.name, runner.state.busy]).toEqual([1, 'done', false]);
    });

    test('drops that event after the operation was refused', async () => {
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
      ['shows a notice', { onDone: [{ notice: 'saved' }] }, createSuccess()],
      ['leaves the flow', { onDone: [{ leave: '/file' }] }, createSuccess()],
      ['finds outdated rules', stays, createRefusal({ outdated: true })],
    ])('drops that event if the operation %s', async (_, change, answer) => {
      const { raise, calls, runner } = await runToForm(change);
      await raise('submit');
      await raise('jump');
      await calls[0]?.answer(answer);
      expect(runner.state.view?.name).toBe('form');
      await raise('submit');
      await calls[1]?.answer(createSuccess());
      expect([calls.length, runner.state.view?.name]).toEqual([2, 'form']);
    });

    test('drops that event if the operation changes the state', async () => {
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

    test('does not send the same event twice', async () => {
      const { raise, calls } = await runToForm(stays);
      await raise('submit');
      await raise('submit');
      await calls[0]?.answer(createSuccess());
      expect(calls).toHaveLength(1);
    });
  });

  test('stays busy until the next screen has loaded', async () => {
    const slow = createDeferred<LoadedScreen>();
    const { raise, calls, runner } = await runToForm({}, {}, { screens: { ...screens, done: slow.promise } });
    await raise('submit');
    await calls[0]?.answer(createSuccess());
    await raise('submit');
    expect([calls.length, runner.state.busy]).toEqual([1, true]);
    await slow.give(screens.done!);
    expect([runner.state.view?.name, runner.state.busy]).toEqual(['done', false]);
  });

  test('changes nothing if its state was left before the response', async () => {
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

  test('changes nothing if the flow was left before the response, and the form keeps its values', async () => {
    const { raise, arrive, calls, runner, navigations, left } = await runToForm({ onDone: [{ leave: '/out' }] });
    await raise('submit');
    runner.depart();
    await calls[0]?.answer(createSuccess());
    expect([runner.state.view, runner.state.busy, navigations, left]).toEqual([null, false, [], []]);
    await arrive('form');
    expect(runner.state.view?.form?.values, 'the input is kept').toMatchObject(fine);
  });

  test('[RUTA-09] checks the guard again when the flow is entered again', async () => {
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

describe('[ENG-02 ERR-01] branches after an operation', () => {
  test('take the first one whose guard is true', async () => {
    const onDone: TransitionBranch[] = [
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

  test('take the first onError branch whose guard is true for the error', async () => {
    const onError: TransitionBranch[] = [
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
    expect(runner.state.notice, 'removed by the next event').toBeNull();
    await calls[1]?.answer(createRefusal({ next: '/login' }));
    expect(left).toEqual(['/login']);
  });

  test('[REG-07] show errors at their fields, and the others above the form', async () => {
    const { raise, calls, runner } = await runToForm();
    await raise('submit');
    await calls[0]?.answer(createRefusal({ errors: { email: 'Mal', otro: 'Sobra' } }));
    const draft = runner.state.view?.form;
    expect([draft?.field('email')?.error, draft?.formError]).toEqual(['Mal', 'Sobra']);
  });

  test('show an error without fields above the form', async () => {
    const { raise, calls, runner } = await runToForm();
    await raise('submit');
    await calls[0]?.answer(createRefusal({ error: 'No se pudo' }));
    expect(runner.state.view?.form?.formError).toBe('No se pudo');
  });

  test('show an error as a notice that can be dismissed on a screen without a form', async () => {
    const { arrive, raise, calls, runner } = run(
      flowOf({ done: { ...end, on: { resend: createSaveEffect({ onDone: [{ target: 'form' }] }) } } }),
    );
    await arrive('done');
    await raise('resend');
    expect(calls[0]?.input, 'a state without a form sends no version').toEqual({ params: {}, body: {} });
    await calls[0]?.answer(createRefusal({ error: 'No se pudo' }));
    expect(runner.state.notice).toEqual({ intent: 'error', text: 'No se pudo' });
    runner.dismiss();
    expect(runner.state.notice).toBeNull();
  });

  test('assign variables and show their notice on the next screen', async () => {
    const onDone: TransitionBranch[] = [
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

  test('clear the fields that they name', async () => {
    const { raise, type, calls, runner } = await runToForm({ onError: [{ clear: ['/secret'], field: true }] });
    type({ secret: 'largo y secreto' });
    await raise('submit');
    await calls[0]?.answer(createRefusal({ error: 'No' }));
    expect(runner.state.view?.form?.values).toMatchObject({ email: fine.email, secret: undefined });
  });

  test('read the facts as they are after the operation', async () => {
    const surroundings: FlowTestOptions = { screens: { ...screens }, facts: {} };
    const branches: TransitionBranch[] = [{ guard: { var: 'authenticated' }, leave: '/in' }, { leave: '/out' }];
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

describe('[LOG-05 ENG-02] challenges named by the server', () => {
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
    ['not a string', 7, 'unknown'],
    ['named like a method of every object', 'constructor', 'unknown'],
  ])('go to the state of a challenge that is %s', async (_, challenge, state) => {
    const { arrive, type, raise, calls, shown, runner } = run(flow);
    await arrive('form');
    type(fine);
    await raise('submit');
    await calls[0]?.answer(createSuccess({ challenge, token: 't' }));
    expect([shown(), runner.state.context]).toEqual([state, { token: 't' }]);
  });
});

describe('[ENG-02] state with an invoke', () => {
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

  test('calls its operation on entry and goes to the target of onDone', async () => {
    const { arrive, calls, shown, runner, navigations } = run(working);
    await arrive('work', '?uuid=u');
    expect(calls.map(({ call, input }) => ({ call, input }))).toEqual([
      { call: 'list', input: { params: {}, body: { id: 'u' } } },
    ]);
    expect([shown(), runner.state.busy]).toEqual(['work', true]);
    await calls[0]?.answer(createSuccess());
    expect([shown(), runner.state.busy, navigations.at(-1)?.path]).toEqual(['done', false, '/done']);
  });

  test('goes to the target of onError after a failure', async () => {
    const { arrive, calls, shown, runner } = run(working);
    await arrive('work');
    await calls[0]?.answer(createRefusal());
    expect([shown(), runner.state.notice?.text]).toEqual(['form', 'De nuevo']);
  });

  test.each<[string, TransitionBranch]>([
    ['`field: true`', { field: true }],
    ['an assignment', { assign: {} }],
  ])('[INI-08] reports a failure if its onError branch has only %s', async (_, branch) => {
    const { arrive, calls, runner } = run(
      flowOf({ load: { path: '/load', invoke: createSaveEffect({ onError: [branch] }) } }),
    );
    await arrive('load');
    await calls[0]?.answer(createRefusal());
    expect(runner.state).toMatchObject({ failed: true, busy: false });
  });

  test('does not call its operation again for the history entry of its own address', async () => {
    const { arrive, calls, navigations } = run(working);
    await arrive('work', '?uuid=u');
    await arrive('work', '', navigations[0]?.state);
    expect(calls).toHaveLength(1);
  });
});

test('[ENG-02] link to an earlier state of the same flow navigates forward, and Back from there navigates back', async () => {
  const { runner, raise, arrive, navigations } = await runToForm();
  await raise('jump');
  await arrive('done', '', navigations.at(-1)?.state);
  await runner.arrive({ state: 'form', search: '', history: null, pushed: true });
  expect(runner.state.view).toMatchObject({ name: 'form', direction: 'forward' });
  await arrive('done', '', navigations.find(({ path }) => path === '/done')?.state);
  expect(runner.state.view).toMatchObject({ name: 'done', direction: 'back' });
});

describe('[ENG-02] screen of a state with an invoke', () => {
  const filled: StateDefinition = {
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

  test('is pending until the response, which may prefill its form', async () => {
    const { calls, runner } = await atFilled();
    expect(runner.state.view).toMatchObject({ name: 'filled', pending: true, form: null });
    await calls[0]?.answer(createSuccess({ email: 'a@b.uy' }));
    expect(runner.state).toMatchObject({ busy: false, view: { name: 'filled', pending: false } });
    expect(runner.state.view?.form?.field('email')?.value).toBe('a@b.uy');
  });

  test('is never drawn if the response goes to another state, and its history entry is replaced', async () => {
    const running = await atFilled();
    const drawn: unknown[] = [];
    running.runner.subscribe(() => void drawn.push([running.shown(), running.runner.state.view?.pending]));
    await running.calls[0]?.answer(createSuccess({ gone: true }));
    expect(drawn).not.toContainEqual(['filled', false]);
    expect([running.shown(), running.navigations.at(-1)]).toMatchObject(['done', { path: '/done', replace: true }]);
  });

  test('is never drawn if the response leaves the flow', async () => {
    const running = await atFilled();
    await running.calls[0]?.answer(createSuccess({ away: true }));
    expect([running.left, running.runner.state.view?.pending]).toEqual([['/'], true]);
  });

  test.each([
    ['as the declared notice', { code: 'again' }, { pending: false }, false],
    ['as a failure if no notice is declared', {}, { pending: true }, true],
  ])('shows a refusal %s', async (_, failure, view, failed) => {
    const { calls, runner } = await atFilled();
    await calls[0]?.answer(createRefusal(failure));
    expect(runner.state).toMatchObject({ view, failed });
  });
});

describe('[SES-02 ENG-02] persisted variables', () => {
  const context = { email: { from: 'result', persist: true }, token: { from: 'result' } } as const;

  test('are stored only if the flow declares them', async () => {
    const { raise, calls, remembered } = await runToForm(
      { onDone: [{ assign: { email: { var: 'form.email' }, token: 'secret' }, target: 'done' }] },
      { context },
    );
    await raise('submit');
    await calls[0]?.answer(createSuccess());
    expect(remembered.at(-1)).toEqual({ email: 'a@b.uy' });
    expect(JSON.stringify(remembered)).not.toContain('secret');
  });

  test('are restored only if the flow declares them', () => {
    const { runner } = run(flowOf({}, { context }), { stored: { email: 'a@b.uy', token: 'planted', other: 1 } });
    expect(runner.state.context).toEqual({ email: 'a@b.uy', token: null });
  });

  test('are not stored if the flow declares none', async () => {
    const { remembered, raise } = await runToForm({}, { context: { token: { from: 'result' } } });
    await raise('jump');
    expect(remembered).toEqual([]);
  });
});

describe('[SES-02] variables persisted in the history entry', () => {
  const context = {
    email: { from: 'result', persist: 'entry' },
    right: { from: 'result', persist: 'entry' },
    token: { from: 'result' },
  } as const;
  const shown: StateDefinition = { ...end, requires: { guard: { var: 'context.email' }, else: 'form' } };

  test('restore the screen after a reload, and reach no other storage', async () => {
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

  test('are updated in the entry when they change without a transition', async () => {
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

describe('[ANA-01 ENG-02] form with outdated rules', () => {
  const outdated = createRefusal({ status: 409, outdated: true, code: 'formulario_cambiado' });

  test('is opened again with the newer rules and the entered values', async () => {
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

  test('reports a failure if the newer screen cannot be loaded', async () => {
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

  test('is not opened again if its state was left meanwhile', async () => {
    const slow = createDeferred<undefined>();
    const { raise, arrive, calls, shown } = await runToForm({}, {}, { refresh: () => slow.promise });
    await raise('submit');
    await calls[0]?.answer(outdated);
    await arrive('done');
    await slow.give(undefined);
    expect(shown()).toBe('done');
  });
});

describe('[ENG-02] delayed event', () => {
  const start = new Date('2026-11-22T12:00:00Z');
  const inS = (seconds: number): string => new Date(start.getTime() + seconds * 1000).toISOString();
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: start }));
  const pass = async (seconds: number) => {
    vi.advanceTimersByTime(seconds * 1000);
    await settlePromises();
  };
  /** Runs a form with a delayed transition, two minutes before the time in the variable `ends`. */
  const timed = (end: string | null, change: Partial<StateDefinition> = {}) =>
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

  test('is raised once, the declared seconds before its time', async () => {
    const running = timed(inS(600));
    await running.arrive('form');
    await pass(479);
    expect(told(running)).toBe(0);
    await pass(1);
    expect(told(running)).toBe(1);
    await pass(600);
    expect(told(running)).toBe(1);
  });

  test('is raised after months, and within a minute after the machine slept', async () => {
    const days = 60 * 24 * 3_600;
    const running = timed(inS(days));
    await running.arrive('form');
    await pass(days - 300);
    expect(told(running)).toBe(0);
    vi.setSystemTime(start.getTime() + days * 1000);
    await pass(60);
    expect(told(running)).toBe(1);
  });

  test('leaves the entered values unchanged', async () => {
    const running = timed(inS(130));
    await running.arrive('form');
    running.type(fine);
    await pass(10);
    expect([told(running), running.runner.state.view?.form?.values]).toEqual([1, fine]);
  });

  test('is raised at once if the state is entered late, and never after its time', async () => {
    const late = timed(inS(60));
    await late.arrive('form');
    await pass(0);
    expect(told(late)).toBe(1);
    const over = timed(inS(-1));
    await over.arrive('form');
    await pass(600);
    expect(told(over)).toBe(0);
  });

  test.each([null, 'soon', ''])('is never raised for the time %j', async (end) => {
    const running = timed(end);
    await running.arrive('form');
    await pass(10_000);
    expect(told(running)).toBe(0);
  });

  test('waits until a running operation has ended', async () => {
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

  test('is not raised in another state, and is raised when its state is entered again', async () => {
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

  test('is cancelled when the flow is left', async () => {
    const running = timed(inS(600));
    await running.arrive('form');
    running.runner.depart();
    await pass(600);
    expect(told(running)).toBe(0);
  });
});

test('block with a form adds its own values to an event', async () => {
  const shown: StateDefinition = {
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
