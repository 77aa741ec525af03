import type { Report } from '../sources/report.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { escapePointer, pointerSteps, valueAt } from '../../core/json-pointer.ts';
import type { Problems, SourceFile } from '../sources/source-file.ts';
import { guess } from '../sources/near.ts';
import { say } from '../sources/say.ts';
import type { Localized } from '../localized.ts';

/** A screen's schema without references. */
export interface ResolvedSchema {
  readonly schema: JsonObject;
  /** The shared definitions that each field refers to, by their addresses (`person.json#/$defs/email`), the inner ones first. */
  readonly references: ReadonlyMap<string, readonly string[]>;
  /** The fields and objects of fields whose `$ref` names nothing; an empty name: the schema itself. */
  readonly unread: ReadonlySet<string>;
  /** Says what is wrong at a pointer into the resolved schema, in the file that wrote what stands there. */
  readonly report: Report;
}

interface Place {
  readonly file: SourceFile;
  readonly pointer: string;
}

/**
 * Replaces every `$ref` of a screen's schema by what it names, in the file itself (`#/$defs/x`, `#/properties/x`) or in schemas/_shared
 * (`../_shared/person.json#/$defs/email`). Keywords beside a `$ref` win over the referenced ones.
 */
export function resolveSchema(
  file: SourceFile,
  shared: ReadonlyMap<string, SourceFile>,
  problems: Problems,
): ResolvedSchema {
  const places = new Map<string, Place>();
  const references = new Map<string, string[]>();
  const unread = new Set<string>();

  // `at`: where the node comes to stand; `place`: where it is written.
  const resolve = (node: Json, at: string, place: Place, trail: readonly string[]): Json => {
    places.set(at, place);
    const part = (value: Json, key: string) =>
      resolve(value, `${at}/${key}`, { file: place.file, pointer: `${place.pointer}/${key}` }, trail);
    if (Array.isArray(node)) return node.map((item: Json, index) => part(item, String(index)));
    if (!isObject(node)) return node;
    const { $ref: reference, ...rest } = node as Record<string, Json>;
    const target = typeof reference === 'string' ? follow(reference, at, place, trail) : {};
    places.set(at, place);
    const own = Object.entries(rest).map(([key, value]) => [key, part(value, escapePointer(key))]);
    return { ...target, ...(Object.fromEntries(own) as JsonObject) };
  };

  const follow = (
    reference: string,
    at: string,
    { file: from, pointer }: Place,
    trail: readonly string[],
  ): JsonObject => {
    const found = lookUp(reference, from);
    const report = (message: Localized, hint: Localized) => {
      const field = fieldAt(at);
      if (field !== null) unread.add(field);
      problems.add(from, `${pointer}/$ref`, message, hint);
    };
    if (!found) {
      report(say`"${reference}" names nothing.`, hintForReference(reference, from.value));
      return {};
    }
    const address = `${found.place.file.path}#${found.place.pointer}`;
    if (trail.includes(address)) {
      report(
        say`"${reference}" refers to itself.`,
        say`A form cannot be endless: break the circle, e.g. by a list whose items name each other.`,
      );
      return {};
    }
    const target = resolve(found.value, at, found.place, [...trail, address]);
    const field = nameAt(at);
    if (found.shared !== null && field !== null)
      references.set(field, [...(references.get(field) ?? []), found.shared]);
    return isObject(target) ? (target as JsonObject) : {};
  };

  const lookUp = (
    reference: string,
    from: SourceFile,
  ): { place: Place; value: JsonObject; shared: string | null } | null => {
    const [path = '', pointer = ''] = (bundled(reference, from.value) ?? reference).split('#');
    const named = path === '' ? from : shared.get(path.replace(/^(\.\.\/_shared\/|\.\/)/, ''));
    const outside = named !== undefined && named !== file;
    const value = named && pointer.startsWith('/') ? valueAt(named.value, pointer) : undefined;
    if (!named || !isObject(value)) return null;
    const [root, name = '', ...deeper] = pointerSteps(pointer);
    const isDefinition = ['$defs', 'definitions'].includes(root ?? '') && deeper.length === 0;
    const { ui: _ui, messages: _messages, ...rules } = value as Record<string, Json>; // a preset of the ui
    const { $id: _id, $anchor: _anchor, ...own } = value as Record<string, Json>; // which other references name it by
    return {
      place: { file: named, pointer },
      value: outside ? rules : own,
      shared: outside && isDefinition ? addressOf(named, name) : null,
    };
  };

  const schema = resolve(file.value, '', { file, pointer: '' }, []);
  return {
    schema: isObject(schema) ? (schema as JsonObject) : {},
    references,
    unread,
    report: (pointer, message, hint) => {
      let at = pointer;
      while (at !== '' && !places.has(at)) at = at.slice(0, at.lastIndexOf('/')); // what is missing is missed by what would hold it
      const place = places.get(at) ?? { file, pointer: '' };
      problems.add(place.file, place.pointer + pointer.slice(at.length), message, hint);
    },
  };
}

/** What to write in the place of a reference that names nothing. */
function hintForReference(reference: string, file: Json): Localized {
  if (/^[a-z]+:/i.test(reference))
    return say`Copy the definition into "$defs" of this file: nothing is loaded from elsewhere.`;
  if (!reference.startsWith('#'))
    return say`Name a file of schemas/_shared and a definition in its $defs, e.g. "../_shared/person.json#/$defs/email".`;
  const keysOf = (word: string) => Object.keys(isObject(file) && isObject(file[word]) ? file[word] : {});
  const known = ['$defs', 'definitions', 'properties'].flatMap((word) =>
    keysOf(word).map((name) => `#/${word}/${escapePointer(name)}`),
  );
  return say`${guess(reference, known)}Name a definition of this file, "#/$defs/…", or one of its fields, "#/properties/…".`;
}

/** Where in its own file stands the definition whose `$id` or `$anchor` a reference names, as in a bundle of schemas; undefined where none has it. */
function bundled(reference: string, file: Json): string | undefined {
  const definitions = isObject(file) && isObject(file.$defs) ? file.$defs : {};
  const found = Object.entries(definitions).find(
    ([, own]) => isObject(own) && (own.$id === reference || `#${String(own.$anchor)}` === reference),
  );
  return found && `#/$defs/${escapePointer(found[0])}`;
}

/** The field or object of fields, or the items of a list, whose schema stands at a pointer; null where none does. */
export function nameAt(pointer: string): string | null {
  const names: string[] = [];
  const steps = [...pointerSteps(pointer)];
  while (steps[0] !== undefined && applied.test(steps[0])) steps.shift();
  while (steps.length > 0) {
    const [word, name] = steps;
    if (word === 'properties' && name !== undefined) names.push(...steps.splice(0, 2).slice(1));
    else if (word === 'items' && names.length > 0) names.push(...steps.splice(0, 1));
    else return null;
  }
  return names.length > 0 ? names.join('.') : null;
}

/** The field of which a pointer says something, also by one of its alternatives; empty: the schema itself. `null` if it is another part. */
function fieldAt(pointer: string): string | null {
  const places = pointer.replaceAll(/\/(?:prefixItems|items)\/(\d+)/g, '/properties/$1'); // fixed items are fields by their places
  const whole = places.replace(/(?:\/(?:allOf|anyOf|oneOf)\/\d+)+$/, '');
  return pointerSteps(whole).every((step) => applied.test(step)) ? '' : nameAt(whole);
}

/** Steps to a part of a schema that says something of its fields, as "allOf" and "0" are. */
const applied = /^(?:allOf|anyOf|oneOf|then|else|\d+)$/;

/** The address of a definition that screens share. */
export function addressOf(file: SourceFile, name: string): string {
  return `${file.path.slice(file.path.lastIndexOf('/') + 1)}#/$defs/${name}`;
}
