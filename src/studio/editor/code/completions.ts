import { getLocation, parse } from 'jsonc-parser';
import { escapePointer, findByPointer } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { StudioReferenceData } from '../../dev-page-data.ts';
import { asListOrEmpty, asTextOrEmpty, listJsonChildren } from '../../json-values.ts';
import type { StudioDefinitions } from '../../studio-api-types.ts';
import { readScreenSchemaValue, readScreenUiValue } from '../definition-set.ts';

export interface JsonCompletions {
  readonly from: number;
  readonly to: number;
  readonly offers: readonly (CompletionOption & { readonly insert: string })[];
}

export function findJsonCompletions(
  text: string,
  caret: number,
  {
    file,
    format,
    names,
  }: { file: string; format: Readonly<Record<string, unknown>>; names: (place: JsonLocation) => readonly string[] },
): JsonCompletions | null {
  const { path, isAtPropertyKey: isKey, previousNode: node } = getLocation(text, caret);
  const isInside = node !== undefined && node.offset < caret && caret <= node.offset + node.length;
  const isText = isInside && text[node.offset] === '"';
  const isClosed = isText && node.length > 1 && text[node.offset + node.length - 1] === '"';
  if (isClosed && caret === node.offset + node.length) return null; // offers no completions after the closing quote
  const content = parse(text) as Json;
  const own = names({ file, path, isKey, content }).map((name): CompletionOption => ({
    label: isKey ? name : JSON.stringify(name),
  }));
  const parts = listSubschemas(format, isKey ? path.slice(0, -1) : path);
  const around = path.slice(0, -1).map((step) => `/${escapePointer(String(step))}`);
  const there = isKey ? Object.keys(asObject(findByPointer(content, around.join('')))) : [];
  const offers = [...own, ...(isKey ? listKeyCompletions(format, parts) : listValueCompletions(parts))].filter(
    ({ label }, index, all) =>
      (!there.includes(label) || label === path.at(-1)) && all.findIndex((other) => other.label === label) === index,
  );
  if (offers.length === 0) return null;
  const from = isInside ? node.offset : caret;
  const to = isInside ? (isText && !isClosed ? caret : node.offset + node.length) : caret;
  return {
    from,
    to,
    offers: offers.map((offer) => {
      const written = isKey ? JSON.stringify(offer.label) : offer.label;
      const isNew = isKey && !/^\s*:/.test(text.slice(to));
      return { ...offer, label: written, insert: isNew ? `${written}: ` : written };
    }),
  };
}

export function resolveDefinitionFileFormat(file: string): keyof StudioReferenceData['formats'] {
  if (file.startsWith('flows/')) return 'flow';
  if (file.endsWith('/schema.json')) return 'schema';
  return file.endsWith('/ui.json') ? 'ui' : 'translation';
}

type FormatSchema = Readonly<Record<string, unknown>>;

interface CompletionOption {
  readonly label: string;
  readonly detail?: string;
}

function listSubschemas(format: FormatSchema, path: readonly (string | number)[]): readonly FormatSchema[] {
  return path.reduce<readonly FormatSchema[]>(
    (parts, step) => parts.flatMap((part) => stepInto(part, step)).flatMap((part) => resolveSubschemas(format, part)),
    resolveSubschemas(format, format),
  );
}

function listKeyCompletions(root: FormatSchema, parts: readonly FormatSchema[]): readonly CompletionOption[] {
  return parts.flatMap(({ properties }) =>
    Object.entries(asObject(properties)).map(([label, part]) => {
      const { description } = resolveSubschemas(root, part).find((own) => typeof own['description'] === 'string') ?? {};
      return description === undefined ? { label } : { label, detail: String(description) };
    }),
  );
}

function listValueCompletions(parts: readonly FormatSchema[]): readonly CompletionOption[] {
  return parts.flatMap((part) => {
    const listed = [...asListOrEmpty(part['enum']), ...('const' in part ? [part['const']] : [])];
    const isTruth = part['type'] === 'boolean' && listed.length === 0;
    return (isTruth ? [true, false] : listed).map((value) => ({ label: JSON.stringify(value) }));
  });
}

function resolveSubschemas(root: FormatSchema, part: unknown, depth = 0): readonly FormatSchema[] {
  if (!isObject(part) || depth > 12) return [];
  const { $ref, anyOf, oneOf, allOf, then, else: otherwise } = part;
  const named =
    typeof $ref === 'string' && $ref.startsWith('#') ? [findByPointer(root as JsonObject, $ref.slice(1))] : [];
  const cases = [anyOf, oneOf, allOf].flatMap(asListOrEmpty);
  return [part, ...[...named, ...cases, then, otherwise].flatMap((inner) => resolveSubschemas(root, inner, depth + 1))];
}

function stepInto(
  { properties, patternProperties, additionalProperties, items }: FormatSchema,
  step: string | number,
): readonly unknown[] {
  if (typeof step === 'number') return [items];
  if (isObject(properties) && Object.hasOwn(properties, step)) return [properties[step]];
  const patterns = Object.entries(asObject(patternProperties));
  return [
    ...patterns.flatMap(([pattern, part]) => (new RegExp(pattern, 'u').test(step) ? [part] : [])),
    additionalProperties,
  ];
}

export interface JsonLocation {
  readonly file: string;
  readonly path: readonly (string | number)[];
  readonly isKey: boolean;
  readonly content: Json;
}

type Names = readonly string[];

export function listCompletionNames(
  place: JsonLocation,
  set: StudioDefinitions,
  referenceData: StudioReferenceData,
): Names {
  if (place.file.startsWith('flows/')) return listFlowNames(place, set, referenceData);
  if (place.file.endsWith('/schema.json')) return listSchemaNames(place, set, referenceData);
  const [, screen = ''] = /^schemas\/([^/]+)\//.exec(place.file) ?? [];
  return listUiNames(place, screen, set, referenceData);
}

function listFlowNames(
  { path, isKey, content }: JsonLocation,
  set: StudioDefinitions,
  { operations, flags }: StudioReferenceData,
): Names {
  const key = findInnermostKey(path);
  const outer = findInnermostKey(path.slice(0, -1));
  const screens = new Set(listStates(content).flatMap(([, { screen }]) => (typeof screen === 'string' ? screen : [])));
  const flagNames = flags.map((flag) => `flags.${flag}`);
  const fields = [...screens].flatMap((screen) => listFieldNames(set, screen));
  if (isKey && outer === 'on') return listEntryNames(set, findScreen(content, path), 'actions');
  if (isKey && outer === 'prefill') return listFieldNames(set, findScreen(content, path));
  if (isKey) return [];
  const variables = [
    ...listVariables(content).map((name) => `context.${name}`),
    ...fields.map((name) => `form.${name}`),
  ];
  const states = listStateNames(content);
  const known: Readonly<Record<string, Names>> = {
    target: states,
    initial: states,
    else: states,
    back: [...states, 'history', 'none'],
    state: states,
    progress: states,
    on: states,
    src: Object.keys(operations),
    operation: Object.keys(operations),
    screen: Object.keys(set.texts),
    notice: [
      ...[...screens].flatMap((screen) => Object.keys(asObject(readScreenUiValue(set, screen, '/notices')))),
      ...set.shared.notices,
    ],
    resumed: set.shared.notices,
    refused: set.shared.notices,
    branches: listKeysOfProperty(content, 'branches'),
    guard: [...listKeysOfProperty(content, 'guards'), ...variables, ...flagNames],
    assign: listKeysOfProperty(content, 'assigns'),
    clear: fields.map((name) => `/${name.replaceAll('.', '/')}`),
  };
  const isValue = ['var', 'assign', 'params', 'input', 'prefill', 'carry', 'requires', 'guard'].some((word) =>
    path.includes(word),
  );
  return [
    ...(known[key] ?? (outer === 'on' ? states : [])),
    ...(isValue && key !== 'guard' ? [...variables, 'error.code', 'error.error', ...flagNames] : []),
  ];
}

function listUiNames(
  { path, isKey, content }: JsonLocation,
  screen: string,
  set: StudioDefinitions,
  { operations, flags, widgets }: StudioReferenceData,
): Names {
  const key = findInnermostKey(path);
  const fields = listFieldNames(set, screen);
  if (isKey) {
    const holder = String(path.at(-2));
    if (holder === 'actions' || holder === 'links') return listEntryNames(set, screen, holder); // in translations, the names of actions and links are keys
    return ['fields', 'visible', 'messages'].includes(holder) ? fields : [];
  }
  if (key === 'event') return listEventsToScreen(set, screen);
  if (key === 'ui:widget') return widgets;
  if (key === 'source') return Object.keys(operations);
  if (key === 'ui:order' || (key === 'fields' && path.includes('sections'))) return fields;
  if (key === 'var') return [...fields.map((name) => `form.${name}`), ...flags.map((flag) => `flags.${flag}`)];
  return isObject(content) && key.endsWith('Field') ? fields : [];
}

function listSchemaNames(
  { path, isKey, content }: JsonLocation,
  { shared }: StudioDefinitions,
  { keywords, flags }: StudioReferenceData,
): Names {
  const key = findInnermostKey(path);
  const fields = listKeysOfProperty(content, 'properties');
  if (isKey)
    return path.at(-3) === 'properties' || path.length === 1 ? keywords : path.at(-2) === 'computed' ? fields : [];
  if (key === '$ref') return shared.definitions;
  if (key === 'required') return fields;
  if (key === 'var') return [...fields.map((name) => `form.${name}`), ...flags.map((flag) => `flags.${flag}`)];
  return keywords.includes(String(path.at(-1))) ? fields : [];
}

function findInnermostKey(path: readonly (string | number)[]): string {
  return String(path.findLast((step) => typeof step === 'string') ?? '');
}

function listKeysOfProperty(content: Json, key: string): Names {
  return Object.keys(asObject(asObject(content)[key]));
}

function listStates(content: Json): readonly (readonly [name: string, state: JsonObject])[] {
  return Object.entries(asObject(asObject(content)['states'])).flatMap(([name, state]) => [
    [name, asObject(state)] as const,
    ...listStates(state),
  ]);
}

// Lists only leaf states, because a compound state cannot be a target.
function listStateNames(content: Json): Names {
  return listStates(content).flatMap(([name, state]) => (state['states'] === undefined ? name : []));
}

function findScreen(content: Json, path: readonly (string | number)[]): string {
  const name = path[path.lastIndexOf('states') + 1];
  return asTextOrEmpty(listStates(content).find(([known]) => known === name)?.[1]['screen']);
}

function listVariables(content: Json): Names {
  const assigned = (value: Json): Names =>
    listJsonChildren(value, '').flatMap(([key, inner]) => [
      ...(key === 'assign' ? [inner].flat().flatMap((part) => Object.keys(asObject(part))) : []),
      ...assigned(inner),
    ]);
  const declared = Object.values(asObject(asObject(content)['context'])).flatMap((names) =>
    Array.isArray(names) ? names.map(String) : Object.keys(asObject(names)),
  );
  return [...new Set([...declared, ...assigned(content)])];
}

function listFieldNames(set: StudioDefinitions, screen: string): Names {
  const within = (properties: Json | undefined, before: string): Names =>
    Object.entries(asObject(properties)).flatMap(([name, field]) => {
      const inner = asObject(field)['properties'];
      return inner === undefined ? [before + name] : within(inner, `${before}${name}.`);
    });
  return within(readScreenSchemaValue(set, screen, '/properties'), '');
}

function listEntryNames(set: StudioDefinitions, screen: string, list: 'actions' | 'links'): Names {
  return asListOrEmpty(readScreenUiValue(set, screen, `/${list}`)).flatMap((entry) => {
    const { to, event = to } = asObject(entry);
    return typeof event === 'string' ? event : [];
  });
}

function listEventsToScreen(set: StudioDefinitions, screen: string): Names {
  const states = Object.values(set.flows).flatMap((flow) => Object.values(flow.states));
  return [
    ...new Set(
      states.filter((state) => state.screen === screen).flatMap(({ on = {} }) => [...Object.keys(on), 'back']),
    ),
  ];
}
