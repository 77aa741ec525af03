import type { FromSchema } from 'json-schema-to-ts';
import { empty } from './shapes.ts';
import { collectPart } from './topics/collect.ts';
import { topics } from './topics/topics.ts';

/** JSON Schemas of the bodies that no screen sends as they are. Bodies of screens stand in schemas/. */
export const bodies = { empty, ...collectPart('bodies', topics) } as const;

export type BodyName = keyof typeof bodies;
type BodyTypes = { readonly [Name in BodyName]: FromSchema<(typeof bodies)[Name]> };
export type BodyOf<Name extends BodyName> = BodyTypes[Name];

/**
 * JSON Schemas of the answers of the contract's operations (section 3 of the specification). The server serializes by them,
 * so that a field that is not declared never leaves it; the OpenAPI description and the TypeScript types come from them.
 */
export const answers = { empty, ...collectPart('answers', topics) } as const;

export type AnswerName = keyof typeof answers;

/** The type of each answer: a mapped type, which the compiler can look into by a name that it does not know yet. */
type AnswerTypes = { readonly [Name in AnswerName]: FromSchema<(typeof answers)[Name]> };
export type AnswerOf<Name extends AnswerName> = AnswerTypes[Name];
