// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { observer } from 'mobx-react-lite';
import { createFakeControl, formatFakeText } from '../../tests/plugins/fake-form.ts';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import type { CompiledScreen } from '../../src/engine/core/compiled-screen.ts';
import { FormModel } from '../../src/engine/runtime/form/form-model.ts';
import { offerPasskeyAutofill } from './autofill.tsx';
import { performPasskeyCeremony } from './ceremony.ts';
import Passkey from './widget.tsx';

const library = vi.hoisted(() => ({
  browserSupportsWebAuthn: vi.fn(() => true),
  startAuthentication: vi.fn(),
  startRegistration: vi.fn(),
  WebAuthnAbortService: { cancelCeremony: vi.fn() },
}));
vi.mock('@simplewebauthn/browser', () => library);

const publicKey = { challenge: 'AAAA' };

const plan = { name: 'credential', schema: {}, required: false, secret: true, dependents: [], formRules: [] };
const credential: CompiledScreen = {
  id: 'passkey',
  language: 'es',
  version: '1',
  ui: { title: '' },
  fields: [plan],
  formRules: [],
  messages: {},
  texts: {},
  rulePlugins: [],
  standardFormats: false,
};

/** Renders the widget in an open form with a submit button that prepares the form as a flow does. */
function draw(options: Record<string, unknown> = {}) {
  const form = new FormModel({ screen: credential, values: {}, rules: new Map() }, {}, {});
  const field = form.field('credential')!;
  const sent = vi.fn();
  form.onSend(async () => {
    if (await form.prepare()) sent();
  });
  const Message = observer(() => field.error !== null && <p role="alert">{field.error}</p>);
  const drawn = render(
    <>
      <DrawnWidget
        widget={Passkey}
        field={field}
        form={form}
        control={createFakeControl('credential')}
        options={{ ceremony: 'use', publicKey, ...options }}
        schema={{}}
        label=""
        t={formatFakeText}
        load={async () => null}
        now={() => new Date()}
      />
      <Message />
      <button type="button" onClick={() => form.send()}>
        go
      </button>
    </>,
  );
  return { ...drawn, form, field, sent };
}

const press = () => act(async () => void fireEvent.click(screen.getByRole('button')));
const named = (name: string, cause?: Error) => Object.assign(new Error(name, { cause }), { name });

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
  library.browserSupportsWebAuthn.mockReturnValue(true);
});

describe('[SEG+PASSKEY] performPasskeyCeremony', () => {
  test.each([
    ['use', library.startAuthentication],
    ['create', library.startRegistration],
  ] as const)('passes the options of the server to the library for %s', async (ceremony, start) => {
    start.mockResolvedValueOnce({ id: 'x' });
    expect(await performPasskeyCeremony(ceremony, publicKey)).toEqual({ answer: '{"id":"x"}' });
    expect(start).toHaveBeenCalledExactlyOnceWith({ optionsJSON: publicKey });
  });

  test.each([
    ['NotAllowedError', named('NotAllowedError'), { refusal: 'cancelled' }],
    [
      "an InvalidStateError inside the library's WebAuthnError",
      named('WebAuthnError', named('InvalidStateError')),
      { refusal: 'registered' },
    ],
    ['SecurityError', named('SecurityError'), { refusal: 'unsupported' }],
    ['NotSupportedError', named('NotSupportedError'), { refusal: 'unsupported' }],
    ['AbortError, because another ceremony started', named('AbortError'), null],
    ['any other error', new TypeError('x'), { refusal: 'failed' }],
    ['a thrown string', 'x', { refusal: 'failed' }],
  ])('maps a rejected ceremony to a refusal: %s', async (_, error, expected) => {
    library.startAuthentication.mockRejectedValueOnce(error);
    expect(await performPasskeyCeremony('use', publicKey)).toEqual(expected);
  });

  test('refuses as unsupported, without a ceremony, in a browser without WebAuthn', async () => {
    library.browserSupportsWebAuthn.mockReturnValue(false);
    expect(await performPasskeyCeremony('use', publicKey)).toEqual({ refusal: 'unsupported' });
    expect(library.startAuthentication).not.toHaveBeenCalled();
  });
});

describe('[SEG+PASSKEY] passkey widget', () => {
  test('submits the form only after the authenticator has responded', async () => {
    let answer = (_: object): void => undefined;
    library.startAuthentication.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const { field, sent } = draw();
    await press();
    expect(screen.getByRole('status').textContent).toBe('waiting');
    await press();
    expect([sent.mock.calls.length, library.startAuthentication.mock.calls.length]).toEqual([0, 1]);
    await act(async () => answer({ id: 'x' }));
    expect([field.value, sent.mock.calls.length]).toEqual(['{"id":"x"}', 1]);
    expect(screen.getByRole('status').textContent).toBe('');
  });

  test('reports a cancelled ceremony without a submit, and submits after a second attempt', async () => {
    library.startAuthentication.mockRejectedValueOnce(named('NotAllowedError')).mockResolvedValueOnce({ id: 'x' });
    const { sent } = draw();
    await press();
    expect(screen.getByRole('alert').textContent).toBe('cancelled');
    expect(sent).not.toHaveBeenCalled();
    await press();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(sent).toHaveBeenCalledOnce();
  });

  test('starts a new ceremony for the next submit after the server refused the form', async () => {
    library.startAuthentication.mockResolvedValue({ id: 'x' });
    const { form, field } = draw();
    await press();
    expect(field.value).toBe('{"id":"x"}');
    await act(async () => form.refuse({}, null));
    expect(field.value).toBeUndefined();
    await press();
    expect(library.startAuthentication).toHaveBeenCalledTimes(2);
  });

  test('starts the ceremony on mount with the option `auto`', async () => {
    library.startAuthentication.mockResolvedValueOnce({ id: 'x' });
    const { sent } = draw({ auto: true });
    await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce());
  });

  test('cancels a pending ceremony on unmount', async () => {
    library.startAuthentication.mockReturnValueOnce(new Promise(() => undefined));
    const { unmount, sent } = draw();
    await press();
    unmount();
    await vi.waitFor(() => expect(library.WebAuthnAbortService.cancelCeremony).toHaveBeenCalledOnce());
    expect(sent).not.toHaveBeenCalled();
  });
});

describe('[SEG+PASSKEY LOG-02] offerPasskeyAutofill', () => {
  const second = { ...plan, name: 'token' };
  const options = {
    operation: 'op',
    query: { to: '/x' },
    event: 'use',
    credentialField: 'credential',
    tokenField: 'token',
  };

  /** Opens a form with a field that offers passkeys. `raised` records the events with the values of the form. */
  function open(load: (operation: string, query?: object) => Promise<unknown>, { busy = false } = {}) {
    const form = new FormModel(
      { screen: { ...credential, fields: [plan, second] }, values: {}, rules: new Map() },
      {},
      {},
    );
    const raised: unknown[] = [];
    form.onSend((event) => raised.push([event, form.values]));
    form.setBusy(busy);
    const withdraw = offerPasskeyAutofill({ field: form.field('credential')!, form, load }, options);
    return { form, raised, withdraw };
  }

  const answer = (token: string) => ({ token, options: { ...publicKey, timeout: 1_000 } });

  test('raises the event with the chosen passkey without storing it in the form', async () => {
    library.startAuthentication.mockResolvedValueOnce({ id: 'x' });
    const load = vi.fn(async () => answer('one'));
    const { form, raised } = open(load);
    await vi.waitFor(() => expect(raised).toEqual([['use', { credential: '{"id":"x"}', token: 'one' }]]));
    expect(form.values).toEqual({});
    expect(load).toHaveBeenCalledExactlyOnceWith('op', { to: '/x' });
    expect(library.startAuthentication).toHaveBeenCalledExactlyOnceWith({
      optionsJSON: answer('one').options,
      useBrowserAutofill: true,
    });
  });

  test('requests new options when they expire, and stops when it is withdrawn', async () => {
    vi.useFakeTimers();
    try {
      library.startAuthentication.mockReturnValue(new Promise(() => undefined));
      const load = vi.fn(async () => answer('one'));
      const { raised, withdraw } = open(load);
      await vi.advanceTimersByTimeAsync(999);
      expect(load).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(2);
      expect(load).toHaveBeenCalledTimes(2);
      withdraw();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(load).toHaveBeenCalledTimes(2);
      expect([library.WebAuthnAbortService.cancelCeremony.mock.calls.length, raised]).toEqual([1, []]);
    } finally {
      vi.useRealTimers();
      library.startAuthentication.mockReset();
    }
  });

  test('requests no options while the form is being submitted, because their cookie would end the sign-in', async () => {
    const load = vi.fn(async () => answer('one'));
    open(load, { busy: true });
    await new Promise((resolve) => setTimeout(resolve));
    expect(load).not.toHaveBeenCalled();
  });

  test.each([
    ['a failed request', async () => Promise.reject(new Error('429'))],
    ['a response without options', async () => ({ token: null })],
  ])('leaves the form unchanged after %s', async (_, load) => {
    const { form, raised } = open(load);
    await expect(form.prepare()).resolves.toBe(true); // `prepare` waits for the response, because the response sets a cookie
    await new Promise((resolve) => setTimeout(resolve));
    expect([form.prepare(), raised]).toEqual([true, []]);
    expect(library.startAuthentication).not.toHaveBeenCalled();
  });
});
