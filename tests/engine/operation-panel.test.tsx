// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen as page, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createFlow } from '../../src/engine/index.ts';
import { createManualOperations, OperationPanel } from '../../src/engine/react.ts';

afterEach(cleanup);

const flow = {
  id: 'order',
  initial: 'form',
  states: {
    form: {
      block: 'form',
      on: {
        send: {
          src: 'sendOrder',
          onDone: [{ assign: { number: { var: 'result.number' } }, target: 'sent' }],
          onError: [{ guard: { '==': [{ var: 'error.code' }, 'closed'] }, target: 'closed' }, { target: 'form' }],
        },
      },
    },
    sent: { block: 'sent' },
    closed: { block: 'closed' },
  },
};

/** Renders the panel of a started flow whose operation is pending. */
async function openPanel() {
  const operations = createManualOperations();
  const loadScreen = () => Promise.reject(new Error('The flow has no screen.'));
  const running = createFlow(flow, { loadScreen, invoke: operations.invoke });
  await running.start();
  render(<OperationPanel operations={operations} />);
  expect(page.queryByRole('region')).toBeNull();
  act(() => void running.send('send'));
  const pending = within(await page.findByRole('region', { name: 'sendOrder' }));
  const settle = async (field: string, json: string, button: string) => {
    fireEvent.change(pending.getByLabelText(field), { target: { value: json } });
    await act(async () => fireEvent.click(pending.getByRole('button', { name: button })));
  };
  return { running, settle };
}

test('[ENG-11] OperationPanel continues the flow with the result that the developer chooses', async () => {
  const { running, settle } = await openPanel();
  await settle('Result', '{ "number": 7 }', 'Succeed');
  expect([running.state.view?.name, running.state.context]).toEqual(['sent', { number: 7 }]);
  expect(page.queryByRole('region')).toBeNull();
});

test('[ENG-11] OperationPanel takes the branch of the failure that the developer chooses', async () => {
  const { running, settle } = await openPanel();
  await settle('Failure', '{ "status": 409, "error": "Closed", "code": "closed" }', 'Fail');
  expect(running.state.view?.name).toBe('closed');
});

test('[ENG-11] OperationPanel reports invalid JSON at its field and keeps the operation pending', async () => {
  const { running, settle } = await openPanel();
  await settle('Result', '{ number }', 'Succeed');
  expect(page.getByRole('alert').textContent).toContain('SyntaxError');
  expect(page.getByRole('region', { name: 'sendOrder' })).toBeDefined();
  expect(running.state.view?.name).toBe('form');
});
