// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Flow } from '../../src/engine/core/flow-and-screen-types.ts';
import type { PageRoute } from '../../src/engine/core/definitions-manifest.ts';
import { EngineProvider } from '../../src/engine/react/engine-context.ts';
import { FlowRoute } from '../../src/engine/react/flow/flow-route.tsx';
import type { FlowServices, LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import type { ScreenProps } from '../../src/engine/react/flow/screen-view.tsx';
import { ThemedScreen } from '../../src/portal/shell/themed-screen.tsx';
import { services } from '../definitions/support/draw.tsx';
import { loadScreens } from './support/loaded-screens.ts';
import { sampleProject, loadProject } from './support/project.ts';
import { createSuccess, createRefusal, runFlow, settlePromises } from './support/run-flow.ts';

let screens: Readonly<Record<string, LoadedScreen>>;
beforeAll(async () => {
  screens = await loadScreens(sampleProject);
});
afterEach(cleanup);

const address = { search: '', history: null, pushed: false };

const flow: Flow = {
  id: 'main',
  initial: 'base',
  context: { gone: { from: 'result' } },
  states: {
    base: { path: '/base', block: 'panel', on: { ask: { target: 'ask' } } },
    ask: { screen: 'done', modal: true, on: { confirm: { target: 'remove' } } },
    remove: {
      requires: { guard: { '!': { var: 'context.gone' } }, else: 'base' },
      invoke: { src: 'save', onDone: [{ assign: { gone: true }, target: 'end' }], onError: [{ target: 'ask' }] },
    },
    end: { path: '/end', screen: 'done' },
  },
};
const open = () => runFlow(flow, { screens: { ...screens } });
const names = ({ runner }: ReturnType<typeof open>) => [runner.state.view?.name, runner.state.viewBelowModal?.name];

describe('[ENG-02] dialogs and other states without an address', () => {
  test('a dialog opens over its view, with its own history entry', async () => {
    const running = open();
    await running.arrive('base');
    await running.raise('ask');
    expect(names(running)).toEqual(['ask', 'base']);
    expect(running.navigations).toMatchObject([{ path: '', replace: false, state: { step: 'ask', depth: 1 } }]);
  });

  test('a dialog closes on back and shows the view below', async () => {
    const running = open();
    await running.arrive('base');
    await running.raise('ask');
    await running.raise('back');
    expect(running.wentBack()).toBe(1);
    await running.arrive('base', '', { flow: 'main', step: 'base', variables: {}, depth: 0 });
    expect([...names(running), running.runner.state.view?.direction]).toEqual(['base', undefined, 'none']);
  });

  test('a dialog stays open while an operation runs and after it fails, and closes with the next view', async () => {
    const running = open();
    await running.arrive('base');
    await running.raise('ask');
    await running.raise('confirm');
    expect(names(running)).toEqual(['remove', 'base']);
    await running.calls[0]!.answer(createRefusal());
    expect(names(running)).toEqual(['ask', 'base']);
    await running.raise('confirm');
    await running.calls[1]!.answer(createSuccess());
    expect(names(running)).toEqual(['end', undefined]);
  });

  test('a state that only calls an operation adds no history entry and keeps the query variables', async () => {
    const passing: Flow = {
      id: 'main',
      initial: 'form',
      context: { uuid: { from: 'query' }, asked: { from: 'result' } },
      states: {
        form: { path: '/form', screen: 'form', requires: { guard: { var: 'context.asked' }, else: 'ask' } },
        ask: {
          invoke: {
            src: 'save',
            onDone: [{ assign: { asked: true }, target: 'form' }],
            onError: [{ target: 'form' }],
          },
        },
      },
    };
    const running = runFlow(passing, { screens: { ...screens } });
    await running.arrive('form', '?uuid=1');
    await running.calls[0]!.answer(createSuccess());
    expect(running.shown()).toBe('form');
    expect(running.navigations.at(-1)).toEqual({
      path: '/form',
      replace: true,
      state: { flow: 'main', step: 'form', variables: { uuid: '1' }, depth: 0 },
    });
  });

  test('a block sends values with its event', async () => {
    const choosing: Flow = {
      id: 'main',
      initial: 'base',
      states: {
        base: {
          path: '/base',
          block: 'panel',
          on: { choose: { leave: { to: '/x', query: { id: { var: 'form.id' } } } } },
        },
      },
    };
    const running = runFlow(choosing, { screens: {} });
    await running.arrive('base');
    await running.runner.raise('choose', { id: 'a' });
    expect(running.left).toEqual([{ to: '/x', query: { id: 'a' } }]);
  });

  test('a dialog is a native dialog element above its view, and Escape raises the event back', async () => {
    const running = open();
    const route: PageRoute = {
      path: '/base',
      flow: 'main',
      state: 'base',
      block: 'panel',
      access: 'anyone',
      chrome: 'full',
    };
    const Panel = () => <h1>Below</h1>;
    const Screen = ({ screen: { validator } }: ScreenProps) => <h1>{validator.screen.id}</h1>;
    render(
      <EngineProvider value={services}>
        <FlowRoute
          route={route}
          address={address}
          runner={running.runner}
          services={{ facts: () => ({}) } as unknown as FlowServices}
          blocks={{ panel: Panel }}
          Screen={Screen}
        />
      </EngineProvider>,
    );
    await act(settlePromises);
    await act(() => running.raise('ask'));
    const dialog = screen.getByRole('dialog');
    expect([dialog.hasAttribute('open'), dialog.textContent, screen.getByText('Below').tagName]).toEqual([
      true,
      'done',
      'H1',
    ]);
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    await act(settlePromises);
    expect(running.wentBack()).toBe(1);
  });
});

describe('[ENG-02] focus and names of a dialog', () => {
  const Panel = () => <h1>Below</h1>;

  const staying: Flow = {
    ...flow,
    states: {
      ...flow.states,
      remove: { invoke: { src: 'save', onDone: [{ target: 'base' }], onError: [{ target: 'ask' }] } },
    },
  };

  async function drawn() {
    const running = runFlow(staying, { screens: { ...screens } });
    const route: PageRoute = {
      path: '/base',
      flow: 'main',
      state: 'base',
      block: 'panel',
      access: 'anyone',
      chrome: 'full',
    };
    document.title = 'Page';
    render(
      <EngineProvider value={services}>
        <main>
          <button type="button">Opener</button>
          <FlowRoute
            route={route}
            address={address}
            runner={running.runner}
            services={{ facts: () => ({}) } as unknown as FlowServices}
            blocks={{ panel: Panel }}
            Screen={ThemedScreen}
          />
        </main>
      </EngineProvider>,
    );
    await act(settlePromises);
    screen.getByText('Opener').focus();
    await act(() => running.raise('ask'));
    return running;
  }

  test('uses its heading as accessible name and leaves the document title unchanged', async () => {
    await drawn();
    expect(screen.getByRole('dialog', { name: 'Listo' }).hasAttribute('open')).toBe(true);
    expect(document.title).toBe('Page');
  });

  test('closes the element before it is removed, so that the browser restores the focus', async () => {
    const running = await drawn();
    const dialog = screen.getByRole<HTMLDialogElement>('dialog');
    const closedInPage = vi.spyOn(dialog, 'close').mockImplementation(() => void expect(dialog.isConnected).toBe(true));
    await act(() => running.raise('back'));
    expect(closedInPage).toHaveBeenCalledOnce();
    expect(dialog.isConnected).toBe(false);
  });

  test('moves the focus to the heading of the view below after a successful operation', async () => {
    const running = await drawn();
    await act(() => running.raise('confirm'));
    await act(async () => running.calls[0]?.answer(createRefusal()));
    expect(screen.queryByRole('dialog')).not.toBeNull(); // the dialog is open again
    await act(() => running.raise('confirm'));
    await act(async () => running.calls[1]?.answer(createSuccess()));
    expect([document.activeElement?.tagName, document.activeElement?.textContent]).toEqual(['H1', 'Below']);
  });
});

describe('[ENG-02] compiler', () => {
  test('rejects a dialog with a path', async () => {
    const { problems } = await loadProject({
      ...sampleProject,
      'flows/main.json': {
        ...(sampleProject['flows/main.json'] as object),
        states: {
          form: { path: '/form', screen: 'form', modal: true, on: { submit: { target: 'done' } } },
          done: { path: '/done', screen: 'done', type: 'final' },
        },
      },
    });
    expect(problems.map(({ pointer }) => pointer)).toContain('/states/form/modal');
  });

  test('rejects a chrome rule that reads an unknown variable', async () => {
    const { problems } = await loadProject({
      ...sampleProject,
      'flows/main.json': {
        ...(sampleProject['flows/main.json'] as object),
        states: {
          form: {
            path: '/form',
            screen: 'form',
            chrome: { if: [{ var: 'context.nothing' }, 'none', 'full'] },
            on: { submit: { target: 'done' } },
          },
          done: { path: '/done', screen: 'done', type: 'final' },
        },
      },
    });
    expect(problems.map(({ pointer }) => pointer)).toContain('/states/form/chrome');
  });
});
