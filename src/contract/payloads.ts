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
 * JSON Schemas of the operations' answers (section 3). The server serializes with them, so that undeclared fields are never sent. The OpenAPI
 * description and the TypeScript types are derived from them.
 */
export const answers = { empty, ...collectExports('answers', topics) } as const;

export type AnswerName = keyof typeof answers;

/** a mapped type, because TypeScript can index it with a generic name */
type AnswerTypes = { readonly [Name in AnswerName]: FromSchema<(typeof answers)[Name]> };
export type AnswerOf<Name extends AnswerName> = AnswerTypes[Name];
