import type { topics } from './topics.ts';

type Topics = typeof topics;
/** What a topic exports for all to be collected. */
export type Part = 'operations' | 'answers' | 'bodies' | 'errors';
type PartOf<Topic, Name extends Part> = Topic extends Readonly<Record<Name, infer Own>> ? Own : never;
/** What has all properties of the members of a union. */
export type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
/** That part of every topic in one object. */
export type Collected<Name extends Part> =
  Both<PartOf<Topics[keyof Topics], Name>> extends infer All ? { readonly [Key in keyof All]: All[Key] } : never;

/** A part of every topic in one object; throws where two topics export the same name. */
export function collectPart<Name extends Part>(
  part: Name,
  from: Readonly<Record<string, Readonly<Partial<Record<Part, object>>>>>,
): Collected<Name> {
  const parts = Object.entries(from).map(([topic, own]) => [topic, own[part] ?? {}] as const);
  return collect(part, parts) as Collected<Name>; // the same keys, by the same rule
}

/** What some owners have by name, in one object; throws where two of them have the same name. */
export function collect<Value>(
  part: string,
  owners: readonly (readonly [owner: string, own: Readonly<Record<string, Value>>])[],
): Readonly<Record<string, Value>> {
  const found = new Map<string, string>();
  for (const [owner, own] of owners)
    for (const name of Object.keys(own)) {
      const other = found.get(name);
      if (other !== undefined)
        throw new Error(`${part}: '${name}' is of the topics ${other} and ${owner}. Give one of them another name.`);
      found.set(name, owner);
    }
  return Object.assign({}, ...owners.map(([, own]) => own));
}
