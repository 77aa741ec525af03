import {
  defineGetOperation,
  definePostOperation,
  defineDeleteOperation,
  signedInRoles,
  type OperationDeclaration,
} from '../operation.ts';
import { listSchema, objectSchema, nullableSchema, textSchema } from '../schema-builders.ts';

const savedFlowAccess = { roles: signedInRoles, allowedBeforeFactor: true } as const;

export const operations = {
  getSavedFlow: defineGetOperation('/rest/borradores/:flujo/', {
    answer: 'savedFlow',
    ...savedFlowAccess,
    summary: 'Returns the saved progress of a flow for the signed-in citizen: the step, and the forms without secrets.',
  }),
  saveFlow: definePostOperation('/rest/borradores/:flujo/', {
    body: 'savedFlow',
    ...savedFlowAccess,
    limit: 'saveFlow',
    limitKb: 64,
    summary: 'Saves the progress of a flow in place of earlier progress, for the period that the flow defines.',
  }),
  forgetFlow: defineDeleteOperation('/rest/borradores/:flujo/', {
    ...savedFlowAccess,
    limit: 'saveFlow',
    summary: 'Deletes the saved progress of a flow.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

const values = { type: 'object', additionalProperties: true } as const;

export const responseSchemas = {
  savedFlow: objectSchema({
    guardado: nullableSchema(
      objectSchema({
        estado: textSchema,
        hechos: listSchema(textSchema),
        formularios: { type: 'object', additionalProperties: values },
        variables: values,
      }),
    ),
  }),
} as const;

const name = { type: 'string', maxLength: 100 } as const;

export const requestBodySchemas = {
  savedFlow: objectSchema({
    estado: name,
    hechos: { type: 'array', items: name, maxItems: 100 },
    formularios: { type: 'object', maxProperties: 100, additionalProperties: values },
    variables: { type: 'object', maxProperties: 100, additionalProperties: true },
  }),
} as const;
