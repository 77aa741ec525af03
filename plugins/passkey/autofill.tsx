import { isObject } from '../../src/engine/core/json.ts';
import type { OperationParams } from '../../src/engine/core/operation-result.ts';
import type { WidgetContext } from '../../src/engine/react/widget.ts';
import { abortPasskeyCeremony, performPasskeyCeremony } from './ceremony.ts';

export interface PasskeyAutofillOptions {
  /** GET operation that starts a sign-in. Its response has `options` and `token`. */
  readonly operation: string;
  readonly query: OperationParams;
  /** Event to raise after `credentialField` and `tokenField` have been filled in. */
  readonly event: string;
  readonly credentialField: string;
  readonly tokenField: string;
}

/** Offers passkeys in the autofill of a field (WebAuthn Level 3, conditional mediation). Returns a function that withdraws the offer. */
export function offerPasskeyAutofill(
  { field, form, load }: Pick<WidgetContext, 'field' | 'form' | 'load'>,
  { operation, query, event, credentialField, tokenField }: PasskeyAutofillOptions,
): () => void {
  let isWithdrawn = false;
  let isOffered = false;
  const loadOptions = async () => {
    const loading = load(operation, query).catch(() => null);
    // The submit waits for the options. Both responses set the sign-in cookie, and the cookie of the submit must be set last.
    const stop = field.beforeSubmit(() => loading.then(() => undefined));
    const answer = await loading;
    stop();
    const { options = null, token = null } = isObject(answer) ? answer : {};
    return isObject(options) && typeof options['timeout'] === 'number'
      ? { options, token, lifeMs: options['timeout'] }
      : null;
  };
  /** Returns whether the options have expired, so that new ones are needed. */
  const offer = async (): Promise<boolean> => {
    // Requests no options during a submit: their response would replace the sign-in cookie that the submit sets, and so
    // end its sign-in.
    if (form.busy) return false;
    const start = await loadOptions();
    if (start === null || isWithdrawn) return false;
    isOffered = true;
    const expired = new Promise<'expired'>((resolve) => void setTimeout(resolve, start.lifeMs, 'expired'));
    const outcome = await Promise.race([performPasskeyCeremony('autofill', start.options), expired]);
    if (isWithdrawn) return false;
    if (outcome === 'expired') return true; // requests new options: the next ceremony aborts the expired one
    isOffered = false;
    if (outcome && 'answer' in outcome && !form.busy) send(outcome.answer, start.token);
    return false;
  };
  const send = (answer: string, token: unknown) => {
    const [credential, secret] = [form.field(credentialField), form.field(tokenField)];
    credential?.set(answer);
    secret?.set(token);
    form.send(event);
    credential?.set(undefined); // discards the response, because the server accepts each authenticator response only once
    secret?.set(undefined);
  };
  const offerRepeatedly = async () => {
    while (await offer()) await becomeVisible();
  };
  void offerRepeatedly();
  return () => {
    isWithdrawn = true;
    if (isOffered) void abortPasskeyCeremony();
  };
}

function becomeVisible(): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    check();
  });
}
