import type { FromSchema } from 'json-schema-to-ts';
import { empty } from './schema-builders.ts';
import { collectExports } from './topics/collect-exports.ts';
import { topics } from './topics/topics.ts';

/** JSON Schemas of the bodies that are not the form of a screen. The schemas of screens are in schemas/. */
export const bodies = { empty, ...collectExports('bodies', topics) } as const;

export type BodyName = keyof typeof bodies;
type BodyTypes = { readonly [Name in BodyName]: FromSchema<(typeof bodies)[Name]> };
export type BodyOf<Name extends BodyName> = BodyTypes[Name];

/**
 * JSON Schemas of the operations' answers (section 3). The server serializes answers with them, so that it never sends undeclared fields. The
 * OpenAPI description and the TypeScript types are derived from them.
 */
export const answers = { empty, ...collectExports('answers', topics) } as const;

export type AnswerName = keyof typeof answers;

/** A mapped type, because TypeScript can index only a mapped type with the generic `Name`. */
type AnswerTypes = { readonly [Name in AnswerName]: FromSchema<(typeof answers)[Name]> };
export type AnswerOf<Name extends AnswerName> = AnswerTypes[Name];
