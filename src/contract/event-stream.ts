import type { OperationInput } from '../engine/core/operation-result.ts';
import { asObject } from '../engine/core/json.ts';
import type { OperationClientOptions } from './client.ts';
import { apiContract, type ApiOperation, type OperationName } from './contract.ts';

/** Result of an event stream: a 2xx status if the server ended it, an error status if the server refused it, or 0 if the connection failed. */
export type EventStreamResult = { readonly status: number; readonly code: string };

export type EventStreamOptions = Pick<OperationClientOptions, 'hosts' | 'language' | 'token'>;

/** Reads the event stream of an operation. Never rejects. Uses `fetch`, because `EventSource` can send neither an authorization header nor a body. */
export async function readEventStream<Event>(
  options: EventStreamOptions,
  name: OperationName,
  { body }: Pick<OperationInput, 'body'>,
  onEvent: (event: Event) => void,
  signal: AbortSignal,
): Promise<EventStreamResult> {
  try {
    const response = await sendRequest(options, name, body, { signal });
    if (!response.ok || response.body === null) {
      const { code } = asObject(await response.json().catch(() => null));
      return { status: response.status, code: typeof code === 'string' ? code : '' };
    }
    await readLines(response.body, (data) => onEvent(JSON.parse(data) as Event)); // the data is untyped JSON; the caller names the event type
    return { status: response.status, code: '' };
  } catch {
    return { status: 0, code: '' };
  }
}

/** Returns whether the operation succeeded. Never rejects. With `keepalive`, the request continues after the page is closed. */
export async function tryInvokeOperation(
  options: EventStreamOptions,
  name: OperationName,
  body: object,
  keepalive = false,
): Promise<boolean> {
  try {
    return (await sendRequest(options, name, body, { keepalive })).ok;
  } catch {
    return false;
  }
}

function sendRequest(
  { hosts, language, token }: EventStreamOptions,
  name: OperationName,
  body: unknown,
  options: RequestInit,
): Promise<Response> {
  const operation: ApiOperation = apiContract[name];
  const bearer = token();
  return fetch(hosts[operation.host ?? 'backend'] + operation.path, {
    method: operation.method,
    headers: {
      'accept-language': language,
      'content-type': 'application/json',
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
    },
    ...(operation.method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    credentials: 'same-origin',
    ...options,
  });
}

/** Reads single-line events. Ignores lines that begin with a colon, which are keep-alives. */
async function readLines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onData: (data: string) => void,
): Promise<void> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) onData(line.slice(6));
  }
}
