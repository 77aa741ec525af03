import type { OperationInput } from '../engine/core/operation.ts';
import { isObject } from '../engine/core/json.ts';
import type { ClientOptions } from './client.ts';
import { contract, type Operation, type OperationName } from './contract.ts';

/** Why a stream of events ended: the server had no more to say, it refused, or it could not be reached (any more). */
export type StreamEnd = { readonly status: number; readonly code: string };

/** What a reader of events needs to know of the page. */
export type StreamOptions = Pick<ClientOptions, 'hosts' | 'language' | 'token'>;

/** What is said of an end that the server did not announce. */
const broken: StreamEnd = { status: 0, code: '' };

/**
 * Reads an operation that streams. By `fetch` and not by EventSource: the token stays in a header, and the body names what an address must not. Resolved
 * when the stream has ended; it never throws.
 */
export async function readEvents<Event>(
  options: StreamOptions,
  name: OperationName,
  { body }: Pick<OperationInput, 'body'>,
  onEvent: (event: Event) => void,
  signal: AbortSignal,
): Promise<StreamEnd> {
  try {
    const response = await send(options, name, body, { signal });
    if (!response.ok || response.body === null) return await refusalOf(response);
    await readLines(response.body, (data) => onEvent(JSON.parse(data) as Event)); // the type of the handler's answers
    return { status: response.status, code: '' };
  } catch {
    return broken;
  }
}

/** Invokes an operation whose answer says nothing, if need be (`keepalive`) while the page goes away; whether it was taken. It never throws. */
export async function callOnce(
  options: StreamOptions,
  name: OperationName,
  body: object,
  keepalive = false,
): Promise<boolean> {
  try {
    return (await send(options, name, body, { keepalive })).ok;
  } catch {
    return false;
  }
}

function send(
  { hosts, language, token }: StreamOptions,
  name: OperationName,
  body: unknown,
  options: RequestInit,
): Promise<Response> {
  const operation: Operation = contract[name];
  const bearer = token();
  return fetch(hosts[operation.host] + operation.path, {
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

async function refusalOf(response: Response): Promise<StreamEnd> {
  const body: unknown = await response.json().catch(() => null);
  const code = isObject(body) && typeof body['code'] === 'string' ? body['code'] : '';
  return { status: response.status, code };
}

/** Each event is one line of data; what begins with a colon only says that the stream lives. */
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
