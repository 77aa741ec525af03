import type { FromSchema } from 'json-schema-to-ts';
import { empty } from './shapes.ts';
import { collectPart } from './topics/collect.ts';
import { topics } from './topics/topics.ts';

/** JSON Schemas of the bodies that are not the form of a screen. The schemas of screens are in schemas/. */
export const bodies = { empty, ...collectPart('bodies', topics) } as const;

export type BodyName = keyof typeof bodies;
type BodyTypes = { readonly [Name in BodyName]: FromSchema<(typeof bodies)[Name]> };
export type BodyOf<Name extends BodyName> = BodyTypes[Name];
