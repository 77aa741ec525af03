import type { FromSchema } from 'json-schema-to-ts';
import { empty } from './schema-builders.ts';
import { mergeModuleExports } from './operations/collect-exports.ts';
import { operationModules } from './operations/modules.ts';

/** JSON Schemas of the bodies that are not the form of a screen. The schemas of screens are in schemas/. */
export const bodySchemas = { empty: empty, ...mergeModuleExports('bodies', operationModules) } as const;

export type BodySchemaName = keyof typeof bodySchemas;
type BodyTypes = { readonly [Name in BodySchemaName]: FromSchema<(typeof bodySchemas)[Name]> };
export type BodySchemaType<Name extends BodySchemaName> = BodyTypes[Name];

/** The server serializes answers with these schemas, so that it never sends undeclared fields (section 3). */
export const answerSchemas = { empty: empty, ...mergeModuleExports('answers', operationModules) } as const;

export type AnswerSchemaName = keyof typeof answerSchemas;

/** A mapped type, because TypeScript can index only a mapped type with the generic `Name`. */
type AnswerTypes = { readonly [Name in AnswerSchemaName]: FromSchema<(typeof answerSchemas)[Name]> };
export type AnswerSchemaType<Name extends AnswerSchemaName> = AnswerTypes[Name];
