import axios, { isAxiosError, type AxiosInstance } from 'axios';
import type { OperationFailure, OperationInput, OperationResult } from '../engine/core/operation-result.ts';
import { asObject, isObject, type ValuesByName, mapValues } from '../engine/core/json.ts';
import errorTexts from './error-texts.json' with { type: 'json' };
import { groupBodyFields } from './field-groups.ts';
import { apiContract, type OperationResponse, type ApiOperation, type OperationName } from './contract.ts';

/** Converts the answer of a backend that implements only the specification to that of this portal's backend. */
function completeResponse(name: OperationName, answer: unknown): unknown {
  const complete = Object.hasOwn(answerCompletions, name) ? answerCompletions[name] : undefined;
  const read = stringifyIds(answer);
  return complete && isObject(read) ? complete(read) : read;
}

const answerCompletions: Readonly<Partial<Record<OperationName, (answer: ValuesByName) => ValuesByName>>> = {
  getMfaStatus: ({ methods, estado_email: email, errors, ...status }) => ({
    obligatorio: false,
    codigos_de_recuperacion: null,
    llaves: [],
    ...status,
    methods: {
      totp: isObject(methods) && isObject(methods.totp) ? { id: methods.totp.id, secret: null, url: null } : null, // removes the secret
      email: (isObject(methods) && methods.email) || null,
    },
    estado_email: typeof email === 'string' && emailStates.includes(email) ? email : email ? 'validado' : 'sin_correo',
    errors: typeof errors === 'string' ? errors : null,
  }),
  getConsentClient: ({ scopes, ...client }) => ({
    citizen: '',
    state: '',
    ...client,
    scopes: Array.isArray(scopes)
      ? scopes.map((scope) => ({ description: '', value: '', ...(isObject(scope) && scope) }))
      : [],
  }),
};

/** Values of `estado_email`, which the specification does not list. */
const emailStates = ['validado', 'pendiente', 'sin_correo'];

function stringifyIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stringifyIds);
  if (!isObject(value)) return value;
  return mapValues(value, (inner, name) =>
    name === 'id' && typeof inner === 'number' ? String(inner) : stringifyIds(inner),
  );
}

/** Options of the client. The client reads them at each invocation, because the language may change while the page is open. */
export interface OperationClientOptions {
  /** Origins of backend and broker. An empty string means the page's own origin. */
  readonly hosts: Readonly<Record<'backend' | 'broker', string>>;
  readonly language: string;
  readonly token: () => string | null;
  readonly texts: { readonly offline: string; readonly failed: string; readonly signedOut: string };
  /** Called with the error code when the broker reports that the session has ended. */
  readonly onSessionLost: (code?: string) => void;
}

/** Invokes the operations of the contract. Failures are returned, never thrown. */
export interface OperationClient {
  invoke<Name extends OperationName>(
    name: Name,
    input?: OperationInput,
  ): Promise<OperationResult<OperationResponse<Name>>>;
}

export function createOperationClient(options: OperationClientOptions): OperationClient {
  const http = axios.create({ timeout: 30_000 });
  return {
    async invoke(name, input = {}) {
      const operation: ApiOperation = apiContract[name];
      if (!operation.roles.includes('anonymous') && options.token() === null) {
        const { signedOut: error } = options.texts;
        return { ok: false, failure: { status: 401, error, code: 'no_autenticado', errors: {}, outdated: false } };
      }
      try {
        const response = await sendWithFallback(http, operation, input, options);
        return { ok: true, result: completeResponse(name, response.data) as OperationResponse<typeof name> }; // `data` is untyped, but the server serializes it with the schema of the answer
      } catch (error) {
        const failure = toOperationFailure(error, options.texts);
        if (failure.status === 401 && operation.host === 'broker') options.onSessionLost(failure.code);
        return { ok: false, failure };
      }
    },
  };
}

/** Sends a request. A query with personal data is sent by POST, or by GET if the backend implements only the specification and refuses POST (405). */
async function sendWithFallback(
  http: AxiosInstance,
  operation: ApiOperation,
  input: OperationInput,
  options: OperationClientOptions,
) {
  if (!operation.queryByPost) return sendRequest(http, operation, input, options);
  const body = selectQuery(operation, input.params ?? {});
  try {
    return await sendRequest(http, { ...operation, method: 'POST', query: [] }, { ...input, body }, options);
  } catch (error) {
    if (isAxiosError(error) && error.response?.status === 405) return sendRequest(http, operation, input, options);
    throw error;
  }
}

function sendRequest(
  http: AxiosInstance,
  operation: ApiOperation,
  { params = {}, body, version, confirmation }: OperationInput,
  { hosts, language, token }: OperationClientOptions,
) {
  const bearer = token();
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return http.request<unknown>({
    method: operation.method,
    url: hosts[operation.host ?? 'backend'] + path,
    params: selectQuery(operation, params),
    data: operation.method === 'POST' ? (groupBodyFields(operation, body) ?? {}) : undefined,
    withCredentials: operation.host === 'broker',
    headers: {
      'Accept-Language': language,
      ...(bearer === null ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(version === undefined ? {} : { 'Definition-Version': version }),
      ...(confirmation === undefined ? {} : { 'Passkey-Assertion': confirmation }),
    },
  });
}

function selectQuery(
  { query = [] }: ApiOperation,
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(query.flatMap((name) => (params[name] ? [[name, params[name]]] : [])));
}

function toOperationFailure(error: unknown, texts: OperationClientOptions['texts']): OperationFailure {
  const response = isAxiosError<unknown>(error) ? error.response : undefined;
  if (!response) return { status: 0, error: texts.offline, errors: {}, outdated: false };
  const body = asObject(response.data);
  const text = typeof body.error === 'string' ? body.error : texts.failed;
  const field = typeof body.field === 'string' && body.field !== '' ? body.field : undefined;
  const listed = isObject(body.errors)
    ? Object.entries(body.errors).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    : [];
  const code = typeof body.code === 'string' ? body.code : body.invalid_token ? 'invalid_token' : readErrorCode(text);
  return {
    status: response.status,
    error: text,
    errors: listed.length > 0 ? Object.fromEntries(listed) : field === undefined ? {} : { [field]: text },
    outdated: code === 'formulario_cambiado',
    ...(field === undefined ? {} : { field }),
    ...(code === undefined ? {} : { code }),
    ...(isObject(body.publicKey) && { confirmation: body.publicKey }),
    ...readNextAddress(body),
  };
}

/** Returns the code for the `error` text of a response, which is a code or the message of one (section 8 of the specification). */
function readErrorCode(text: string): string | undefined {
  if (/^[a-z_]+$/.test(text)) return text;
  return Object.entries(errorTexts).find(([, pattern]) => new RegExp(pattern, 'i').test(text))?.[0];
}

/** URL that the browser must open next (sections 4.5 and 7.1 of the specification). */
function readNextAddress({
  next,
  location,
  redirect,
}: Readonly<Record<string, unknown>>): Pick<OperationFailure, 'next'> {
  const address = [next, location, redirect].find((value) => typeof value === 'string' && value !== '');
  return typeof address === 'string' ? { next: address } : {};
}
