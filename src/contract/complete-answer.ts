import { isObject, type Values } from '../engine/core/json.ts';
import type { OperationName } from './contract.ts';

/** Completes an answer of a backend that implements only the specification: our added fields get neutral values, numeric ids become strings. */
export function completeAnswer(name: OperationName, answer: unknown): unknown {
  const complete = Object.hasOwn(completions, name) ? completions[name] : undefined;
  const read = withTextIds(answer);
  return complete && isObject(read) ? complete(read) : read;
}

const completions: Readonly<Partial<Record<OperationName, (answer: Values) => Values>>> = {
  getMfaStatus: ({ methods, estado_email: email, errors, ...status }) => ({
    obligatorio: false,
    codigos_de_recuperacion: null,
    ...status,
    methods: {
      totp: isObject(methods) && isObject(methods.totp) ? { id: methods.totp.id, secret: null, url: null } : null, // secrets are never kept
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

/** Section 3 does not list the values of `estado_email`. */
const emailStates = ['validado', 'pendiente', 'sin_correo'];

function withTextIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTextIds);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'id' && typeof inner === 'number' ? String(inner) : withTextIds(inner),
    ]),
  );
}
