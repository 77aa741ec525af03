import type { SourceFile, SourceLocation } from '../sources/source-file.ts';
import type { ProblemReporter, ProblemCollector } from '../sources/problem-collector.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../core/json.ts';
import { escapePointer, splitPointer, findByPointer } from '../../core/json-pointer.ts';
import type { DefinitionFiles } from '../files/read-definition-files.ts';
import {
  findRenamed,
  suggestSimilarName,
  type ProblemExplanation,
  explain,
  localize,
  type LocalizedText,
} from '../sources/localized-text.ts';

export interface ResolvedSchema {
  readonly schema: JsonObject;
  /** References of each field to shared definitions (`person.json#/$defs/email`), inner ones first. */
  readonly references: ReadonlyMap<string, readonly string[]>;
  /** Fields and objects with an unresolvable `$ref`. An empty name stands for the schema itself. */
  readonly unresolvedFields: ReadonlySet<string>;
  /** Reports a problem at a pointer of the resolved schema, in the file that contains this part. */
  readonly report: ProblemReporter;
  /** Like `report`, but reports a problem of a shared part at the `$ref` to it, because only this screen has the problem. */
  readonly reportUse: ProblemReporter;
}

/** Resolves every `$ref`, in the file or to schemas/_shared. Keywords beside a `$ref` take precedence. */
export function resolveSchema(
  file: SourceFile,
  { shared, screens }: Pick<DefinitionFiles, 'shared' | 'screens'>,
  problems: ProblemCollector,
): ResolvedSchema {
  const places = new Map<string, SourceLocation>();
  const references = new Map<string, string[]>();
  const unread = new Set<string>();

  // Resolves the references in a part of the schema. `at` is the part's pointer in the resolved schema. `place` is its source location.
  const resolve = (node: Json, at: string, place: SourceLocation, trail: readonly string[]): Json => {
    places.set(at, place);
    const part = (value: Json, key: string) =>
      resolve(value, `${at}/${key}`, { file: place.file, pointer: `${place.pointer}/${key}` }, trail);
    if (Array.isArray(node)) return node.map((item: Json, index) => part(item, String(index)));
    if (!isObject(node)) return node;
    const { $ref: reference, ...rest } = node as Record<string, Json>;
    const target = typeof reference === 'string' ? follow(reference, at, place, trail) : {};
    places.set(at, place);
    const own = Object.entries(rest).map(([key, value]) => [key, part(value, escapePointer(key))]);
    return { ...target, ...Object.fromEntries(own) };
  };

  const follow = (
    reference: string,
    at: string,
    { file: from, pointer }: SourceLocation,
    trail: readonly string[],
  ): JsonObject => {
    const found = lookUp(reference, from);
    const refuse = (problem: ProblemExplanation, report = problems.report(from)(`${pointer}/$ref`)): JsonObject => {
      const field = findConstrainedField(at);
      if (field !== null) unread.add(field);
      report(problem);
      return {};
    };
    const renamed = found ? null : findRenamedDefinition(reference, { shared, screens });
    if (renamed)
      return refuse(
        explain`Nothing refers to "${renamed.name}", but a schema refers to "${renamed.missing}", which does not exist.
          Write the same name here and in the references.`,
        problems.report(renamed.file)(`/$defs/${escapePointer(renamed.name)}`),
      );
    if (!found)
      return refuse(explain`The reference "${reference}" has no target.
        ${hintForReference(reference, from.value, shared)}`);
    const address = `${found.place.file.path}#${found.place.pointer}`;
    if (trail.includes(address))
      return refuse(explain`"${reference}" refers to itself.
        A form cannot be endless: break the cycle, e.g. with a list whose items refer to each other.`);
    const target = resolve(found.value, at, found.place, [...trail, address]);
    const field = findFieldNameByPointer(at);
    if (found.shared !== null && field !== null)
      references.set(field, [...(references.get(field) ?? []), found.shared]);
    return asObject(target);
  };

  const lookUp = (
    reference: string,
    from: SourceFile,
  ): { place: SourceLocation; value: JsonObject; shared: string | null } | null => {
    const [path = '', pointer = ''] = (resolveBundled(reference, from.value) ?? reference).split('#');
    const referencedFile = path === '' ? from : shared.get(path.replace(/^(\.\.\/_shared\/|\.\/)/, ''));
    const outside = referencedFile !== undefined && referencedFile !== file;
    const value = referencedFile && pointer.startsWith('/') ? findByPointer(referencedFile.value, pointer) : undefined;
    if (!referencedFile || !isObject(value)) return null;
    const [root, name = '', ...deeper] = splitPointer(pointer);
    const isDefinition = ['$defs', 'definitions'].includes(root ?? '') && deeper.length === 0;
    // omit `ui` and `messages`, which are presets and not JSON Schema keywords
    const { ui: _ui, messages: _messages, ...rules } = value as Record<string, Json>;
    const { $id: _id, $anchor: _anchor, ...own } = value as Record<string, Json>; // omit `$id` and `$anchor`, which only identify the definition
    return {
      place: { file: referencedFile, pointer },
      value: outside ? rules : own,
      shared: outside && isDefinition ? formatDefinitionReference(referencedFile, name) : null,
    };
  };

  const schema = resolve(file.value, '', { file, pointer: '' }, []);
  const getParent = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'));
  const report: ProblemReporter = (pointer) => {
    let at = pointer;
    while (at !== '' && !places.has(at)) at = getParent(at); // report a missing part at its parent
    const place = places.get(at) ?? { file, pointer: '' };
    return problems.report(place.file)(place.pointer + pointer.slice(at.length));
  };
  return {
    schema: asObject(schema),
    references,
    unresolvedFields: unread,
    report,
    reportUse: (pointer) => {
      let at = pointer;
      while (at !== '' && places.get(at)?.file !== file) at = getParent(at);
      return report(at === pointer ? pointer : `${at}/$ref`);
    },
  };
}

/** Finds the shared definition that a broken reference probably means: an unused one of the same file. */
function findRenamedDefinition(
  reference: string,
  { shared, screens }: Pick<DefinitionFiles, 'shared' | 'screens'>,
): { readonly file: SourceFile; readonly name: string; readonly missing: string } | null {
  const [, fileName = '', missing = ''] = /^\.\.\/_shared\/([^#]+)#\/\$defs\/([^/]+)$/.exec(reference) ?? [];
  const file = shared.get(fileName);
  if (!file) return null;
  const texts = [...screens.map(({ schema }) => schema?.text ?? ''), ...[...shared.values()].map(({ text }) => text)];
  const countUses = (name: string) =>
    texts.filter((text) => text.includes(`${formatDefinitionReference(file, name)}"`)).length;
  if (countUses(missing) < 2) return null; // a name that is used only once is probably misspelt, not renamed
  const unused = Object.keys(asObject(asObject(file.value)['$defs'])).filter(
    (name) => countUses(name) === 0 && !file.text.includes(`"#/$defs/${name}"`),
  );
  const name = findRenamed(missing, unused);
  return name === undefined ? null : { file, name, missing };
}

function hintForReference(reference: string, file: Json, shared: ReadonlyMap<string, SourceFile>): LocalizedText {
  if (/^[a-z]+:/i.test(reference))
    return localize`Copy the definition into "$defs" of this file: nothing is loaded from elsewhere.`;
  const references = [...shared.values()].flatMap((own) =>
    Object.keys(asObject(asObject(own.value)['$defs'])).map(
      (name) => `../_shared/${formatDefinitionReference(own, name)}`,
    ),
  );
  if (!reference.startsWith('#'))
    return localize`${suggestSimilarName(reference, references)}Name a file of schemas/_shared and a definition in its $defs, e.g. "../_shared/person.json#/$defs/email".`;
  const listKeys = (word: string) => Object.keys(asObject(asObject(file)[word]));
  const known = ['$defs', 'definitions', 'properties'].flatMap((word) =>
    listKeys(word).map((name) => `#/${word}/${escapePointer(name)}`),
  );
  return localize`${suggestSimilarName(reference, known)}Name a definition of this file, "#/$defs/…", or one of its fields, "#/properties/…".`;
}

/** Resolves a reference to the `$id` or `$anchor` of a definition in the same file, as in bundled schemas. Returns `undefined` if there is none. */
function resolveBundled(reference: string, file: Json): string | undefined {
  const definitions = isObject(file) && asObject(file.$defs);
  const found = Object.entries(definitions).find(
    ([, own]) => isObject(own) && (own.$id === reference || `#${String(own.$anchor)}` === reference),
  );
  return found && `#/$defs/${escapePointer(found[0])}`;
}

export function findFieldNameByPointer(pointer: string): string | null {
  const names: string[] = [];
  const steps = [...splitPointer(pointer)];
  while (steps[0] !== undefined && applicatorSegment.test(steps[0])) steps.shift();
  while (steps.length > 0) {
    const [word, name] = steps;
    if (word === 'properties' && name !== undefined) names.push(...steps.splice(0, 2).slice(1));
    else if (word === 'items' && names.length > 0) names.push(...steps.splice(0, 1));
    else return null;
  }
  return names.length > 0 ? names.join('.') : null;
}

/** Returns the field that a part of the schema constrains, even in an alternative: `''` for the schema itself, `null` if none. */
function findConstrainedField(pointer: string): string | null {
  const places = pointer.replaceAll(/\/(?:prefixItems|items)\/(\d+)/g, '/properties/$1'); // fixed items are fields named by index
  const outerPlaces = places.replace(/(?:\/(?:allOf|anyOf|oneOf)\/\d+)+$/, '');
  return splitPointer(outerPlaces).every((step) => applicatorSegment.test(step))
    ? ''
    : findFieldNameByPointer(outerPlaces);
}

/** Pattern of pointer segments of subschemas that apply to the same fields, such as "allOf" and "0". */
const applicatorSegment = /^(?:allOf|anyOf|oneOf|then|else|\d+)$/;

export function formatDefinitionReference(file: SourceFile, name: string): string {
  return `${file.path.slice(file.path.lastIndexOf('/') + 1)}#/$defs/${name}`;
}
