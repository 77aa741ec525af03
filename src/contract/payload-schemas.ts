import type { FromSchema } from 'json-schema-to-ts';
import { emptyObjectSchema } from './schema-builders.ts';
import { mergeModuleExports } from './operations/merge-module-exports.ts';
import { operationModules } from './operations/operation-modules.ts';

/** JSON Schemas of the bodies that are not the form of a screen. The schemas of screens are in schemas/. */
export const requestBodySchemas = {
  empty: emptyObjectSchema,
  ...mergeModuleExports('requestBodySchemas', operationModules),
} as const;

export type RequestBodySchemaName = keyof typeof requestBodySchemas;
type RequestBodyTypes = { readonly [Name in RequestBodySchemaName]: FromSchema<(typeof requestBodySchemas)[Name]> };
export type RequestBodySchemaType<Name extends RequestBodySchemaName> = RequestBodyTypes[Name];

/** The server serializes responses with these schemas, so that it never sends undeclared fields (section 3 of the specification). */
export const responseSchemas = {
  empty: emptyObjectSchema,
  ...mergeModuleExports('responseSchemas', operationModules),
} as const;

export type ResponseSchemaName = keyof typeof responseSchemas;

/** A mapped type, because TypeScript can index only a mapped type with the generic `Name`. */
type ResponseTypes = { readonly [Name in ResponseSchemaName]: FromSchema<(typeof responseSchemas)[Name]> };
export type ResponseSchemaType<Name extends ResponseSchemaName> = ResponseTypes[Name];
