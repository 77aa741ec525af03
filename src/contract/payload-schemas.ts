import type { FromSchema } from 'json-schema-to-ts';
import { empty } from './schema-builders.ts';
import { mergeModuleExports } from './operations/collect-exports.ts';
import { operationModules } from './operations/modules.ts';

/** JSON Schemas of the bodies that are not the form of a screen. The schemas of screens are in schemas/. */
export const requestBodySchemas = { empty: empty, ...mergeModuleExports('requestBodies', operationModules) } as const;

export type RequestBodySchemaName = keyof typeof requestBodySchemas;
type RequestBodyTypes = { readonly [Name in RequestBodySchemaName]: FromSchema<(typeof requestBodySchemas)[Name]> };
export type RequestBodySchemaType<Name extends RequestBodySchemaName> = RequestBodyTypes[Name];

/** The server serializes responses with these schemas, so that it never sends undeclared fields (section 3). */
export const responseSchemas = { empty: empty, ...mergeModuleExports('responses', operationModules) } as const;

export type ResponseSchemaName = keyof typeof responseSchemas;

/** A mapped type, because TypeScript can index only a mapped type with the generic `Name`. */
type ResponseTypes = { readonly [Name in ResponseSchemaName]: FromSchema<(typeof responseSchemas)[Name]> };
export type ResponseSchemaType<Name extends ResponseSchemaName> = ResponseTypes[Name];
