import { get, post, remove, signedInRoles, type Operation } from '../operation.ts';
import { list, object, orNull, text } from '../schema-builders.ts';

const savedFlowAccess = { roles: signedInRoles, allowedBeforeFactor: true } as const;

export const operations = {
  getSavedFlow: get('/rest/borradores/:flujo/', {
    answer: 'savedFlow',
    ...savedFlowAccess,
    summary: 'Returns the saved progress of a flow for the signed-in citizen: the step, and the forms without secrets.',
  }),
  saveFlow: post('/rest/borradores/:flujo/', {
    body: 'savedFlow',
    ...savedFlowAccess,
    limit: 'saveFlow',
    limitKb: 64,
    summary: 'Saves the progress of a flow in place of earlier progress, for the period that the flow defines.',
  }),
  forgetFlow: remove('/rest/borradores/:flujo/', {
    ...savedFlowAccess,
    limit: 'saveFlow',
    summary: 'Deletes the saved progress of a flow.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

const values = { type: 'object', additionalProperties: true } as const;

export const responses = {
  savedFlow: object({
    guardado: orNull(
      object({
        estado: text,
        hechos: list(text),
        formularios: { type: 'object', additionalProperties: values },
        variables: values,
      }),
    ),
  }),
} as const;

const name = { type: 'string', maxLength: 100 } as const;

export const requestBodies = {
  savedFlow: object({
    estado: name,
    hechos: { type: 'array', items: name, maxItems: 100 },
    formularios: { type: 'object', maxProperties: 100, additionalProperties: values },
    variables: { type: 'object', maxProperties: 100, additionalProperties: true },
  }),
} as const;
