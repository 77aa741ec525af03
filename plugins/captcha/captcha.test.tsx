// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { createChallenge, HmacAlgorithm, solveChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { runInAction } from 'mobx';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { drawWidget } from '../../tests/plugins/drawn-widget.tsx';
import { requestCaptchaSolution, type CaptchaWorker } from './request-solution.ts';
import Captcha from './widget.tsx';

const workers = vi.hoisted(() => ({ start: () => ({}) as never }));
vi.mock('./start-worker.ts', () => ({ startCaptchaWorker: () => workers.start() }));

const secret = 'secret of the test';
const createSignedChallenge = (expiresAt?: number) =>
  createChallenge({
    algorithm: 'SHA-256',
    cost: 1,
    keyPrefix: '0',
    deriveKey,
    hmacSignatureSecret: secret,
    hmacAlgorithm: HmacAlgorithm.SHA_256,
    expiresAt,
  });

/** Fake worker that solves the challenge on the same thread. */
function fakeWorker(fail = false): CaptchaWorker {
  const worker: CaptchaWorker = {
    onmessage: null,
    onerror: null,
    terminate: vi.fn(),
    postMessage: async (challenge: never) => {
      const data = fail ? null : await solveChallenge({ challenge, deriveKey });
      worker.onmessage?.call(worker as never, new MessageEvent('message', { data }));
    },
  };
  return worker;
}

function draw(
  load = async (): Promise<unknown> => ({ challenge: await createSignedChallenge() }),
  kept?: string,
  now = () => new Date(),
) {
  const loads = vi.fn(load);
  const { form, field } = drawWidget(Captcha, 'captcha', { captcha: kept }, { load: loads, now });
  return { form, field, loads, box: screen.getByRole('checkbox') };
}

const failSubmit = (form: ReturnType<typeof draw>['form']) => act(() => runInAction(() => void (form.failures += 1)));

const state = () => screen.getByRole('status').textContent;

beforeEach(() => {
  workers.start = () => fakeWorker() as never;
});
afterEach(cleanup);

describe('requestSolution', () => {
  const request = (answer: unknown, worker = fakeWorker(), { signal } = new AbortController()) =>
    requestCaptchaSolution(
      async () => answer,
      () => worker,
      signal,
    );

  test('returns a payload that the server verifies, and terminates the worker', async () => {
    const challenge = await createSignedChallenge(2_000_000_000);
    const worker = fakeWorker();
    const solved = await request({ challenge }, worker);
    const payload: unknown = JSON.parse(atob(solved.payload));
    const result = await verifySolution({
      ...(payload as Parameters<typeof verifySolution>[0]),
      deriveKey,
      hmacSignatureSecret: secret,
    });
    expect(result.verified).toBe(true);
    expect(solved.expiresAt).toBe(2_000_000_000_000);
    expect(worker.terminate).toHaveBeenCalledTimes(1);
  });

  test.each<[unknown, string]>([
    [null, 'null'],
    [{}, 'no challenge'],
    [{ challenge: { parameters: {} } }, 'no signature'],
    [{ challenge: { signature: 's' } }, 'no parameters'],
  ])('rejects the challenge response %j (%s)', async (answer) => {
    await expect(request(answer)).rejects.toThrow('No challenge.');
  });

  test('rejects if the worker finds no solution or the request is aborted, and terminates the worker', async () => {
    const challenge = await createSignedChallenge();
    await expect(request({ challenge }, fakeWorker(true))).rejects.toThrow('No solution.');
    const silent: CaptchaWorker = { onmessage: null, onerror: null, postMessage: vi.fn(), terminate: vi.fn() };
    const run = new AbortController();
    const solving = request({ challenge }, silent, run);
    setTimeout(() => run.abort(), 5);
    await expect(solving).rejects.toThrow();
    expect(silent.terminate).toHaveBeenCalledTimes(1);
  });
});

describe('captcha widget', () => {
  test('solves the challenge when it is ticked, announces the state and stores the solution', async () => {
    const { box, field, loads } = draw();
    expect([box.getAttribute('type'), state(), field.value]).toEqual(['checkbox', '', undefined]);
    fireEvent.click(box);
    expect(state()).toBe('working');
    await waitFor(() => expect(state()).toBe('done'));
    expect(typeof field.value).toBe('string');
    expect(loads).toHaveBeenCalledWith('getCaptcha');
    fireEvent.click(box);
    expect(loads).toHaveBeenCalledTimes(1);
  });

  test('retries after a failure as soon as the browser is online again', async () => {
    const answers = [
      Promise.reject(new Error('offline')),
      createSignedChallenge().then((challenge) => ({ challenge })),
    ];
    const { box, loads } = draw(() => answers.shift() ?? Promise.reject(new Error('no more')));
    fireEvent.click(box);
    await waitFor(() => expect(state()).toBe('failed'));
    fireEvent(window, new Event('online'));
    await waitFor(() => expect(state()).toBe('done'));
    fireEvent(window, new Event('online'));
    expect(loads).toHaveBeenCalledTimes(2);
  });

  test('announces a failure, and solves the challenge when it is ticked again', async () => {
    const answers = [Promise.reject(new Error('down')), createSignedChallenge().then((challenge) => ({ challenge }))];
    const { box, field } = draw(() => answers.shift() ?? Promise.reject(new Error('no more')));
    fireEvent.click(box);
    await waitFor(() => expect(state()).toBe('failed'));
    expect(field.value).toBeUndefined();
    fireEvent.click(box);
    await waitFor(() => expect(state()).toBe('done'));
  });

  test('[REG-07] renews the solution after a failed submit', async () => {
    const { box, field, form, loads } = draw();
    fireEvent.click(box);
    await waitFor(() => expect(state()).toBe('done'));
    const first = field.value;
    failSubmit(form);
    await waitFor(() => expect(loads).toHaveBeenCalledTimes(2));
    await waitFor(() => expect(state()).toBe('done'));
    expect(field.value).not.toBe(first);
  });

  test('renews on mount a solution that the form already holds', async () => {
    const { field, loads } = draw(undefined, 'kept');
    await waitFor(() => expect(state()).toBe('done'));
    expect(loads).toHaveBeenCalledTimes(1);
    expect(field.value).not.toBe('kept');
  });

  test('requests no challenge after a failed submit if it was never ticked', () => {
    const { form, loads } = draw();
    failSubmit(form);
    expect(loads).not.toHaveBeenCalled();
  });

  test('renews the solution before it expires by the clock of the server, even if the device clock differs', async () => {
    const hours = 5 * 3_600_000;
    const atServer = () => new Date(Date.now() + hours);
    const inAMinute = Math.floor(atServer().getTime() / 1000) + 60;
    const { box, loads } = draw(
      async () => ({ challenge: await createSignedChallenge(inAMinute) }),
      undefined,
      atServer,
    );
    fireEvent.click(box);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await vi.waitFor(() => expect(state()).toBe('done'));
    await act(() => vi.advanceTimersByTimeAsync(51_000));
    expect(loads).toHaveBeenCalledTimes(2);
  });

  test('waits 30 seconds before it renews a solution that has already expired', async () => {
    const { box, loads } = draw(async () => ({
      challenge: await createSignedChallenge(Math.floor(Date.now() / 1000) + 1),
    }));
    fireEvent.click(box);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await vi.waitFor(() => expect(state()).toBe('done'));
    await act(() => vi.advanceTimersByTimeAsync(29_000));
    expect(loads).toHaveBeenCalledTimes(1);
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(loads).toHaveBeenCalledTimes(2);
  });

  test('does not report a blur to the form while the worker runs', () => {
    const { box, field } = draw(() => new Promise(() => undefined));
    fireEvent.blur(box);
    expect(field.blur).toHaveBeenCalledTimes(1);
    fireEvent.click(box);
    fireEvent.blur(box);
    expect(field.blur).toHaveBeenCalledTimes(1);
  });
});
