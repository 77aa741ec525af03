import type { ErrorObject } from 'ajv/dist/2020.js';
import flowFormat from './flow.4.schema.json' with { type: 'json' };
import screenFormat from './screen.schema.json' with { type: 'json' };
import uiFormat from './ui.schema.json' with { type: 'json' };
import { asObject, isObject, type Json } from '../../core/json.ts';
import { escapePointer, splitPointer } from '../../core/json-pointer.ts';
import { describeKeywordPlace } from './keyword-places.ts';
import { explain, findNearestName, localize, type ProblemExplanation } from '../sources/localized-text.ts';
import type { ProblemReporter } from '../sources/problem-collector.ts';

/** File name of the JSON Schema of each format. It contains the version number of the format. Version 1 has no number. */
const formatFileNames = { flow: 'flow.4.schema.json', screen: 'screen.schema.json', ui: 'ui.schema.json' } as const;

/** A misplaced keyword, and whether it explains a format error. */
export interface MisplacedKeyword extends ProblemExplanation {
  readonly pointer: string;
  readonly explains: (error: ErrorObject) => boolean;
}

/** Checks the version in `$schema`. Assumes the current version for files without `$schema`. */
export function checkFileFormatVersion(written: unknown, kind: string, report: ProblemReporter): void {
  const address = typeof written === 'string' ? written : '';
  const [name = '', format = ''] = /([a-z]+)(?:\.\d+)?\.schema\.json$/.exec(address) ?? [];
  if (kind === 'translation' && isVersioned(format))
    report('/$schema')(explain`A translation has a format of its own.
      Write "../_formats/translation.schema.json".`);
  if (!isVersioned(kind) || format !== kind || name === formatFileNames[kind]) return;
  report('/$schema')(explain`This file uses another version of the format than the portal: ${name}.
    Name ${formatFileNames[kind]}, and correct the keys that it does not know.`);
}

/** Explains a format error by a keyword that belongs elsewhere. Returns `null` for other errors. */
export function explainMisplacedKeyword(kind: string, file: Json, error: ErrorObject): MisplacedKeyword | null {
  return explainKeyword(kind, error) ?? explainNested(kind, file, error) ?? explainOtherPlace(kind, error);
}

/** Explains a key that is a keyword of another place, unless its own place has the plural, the singular, or the keyword with the prefix. */
function explainOtherPlace(kind: string, error: ErrorObject): MisplacedKeyword | null {
  const key = findUnknownKeyword(error);
  if (key === undefined || !isVersioned(kind)) return null;
  const { instancePath, params, parentSchema } = error;
  const explains = (other: ErrorObject) => other.instancePath === instancePath && other.params === params;
  const pointer = error.keyword === 'additionalProperties' ? `${instancePath}/${escapePointer(key)}` : instancePath;
  if (kind === 'flow' && /^(\/states\/[^/]+)+$/.test(instancePath) && isTransitionLike(key, asObject(error.data)[key]))
    return {
      pointer,
      explains,
      ...explain`"${key}" looks like an event.
        Move it into "on" of the state.`,
    };
  const known = Object.keys(asObject(parentSchema?.['properties']));
  const isSimilar = known.some((own) => [`${key}s`, `ui:${key}`].includes(own) || key === `${own}s`);
  const hint = isSimilar ? undefined : describeKeywordPlace(key, kind);
  return hint ? { pointer, explains, message: localize`"${key}" is in the wrong place.`, hint } : null;
}

/** A keyword without its "ui:" prefix looks like a nested field, so its error is that the value is not an object. */
export function findUnknownKeyword({ keyword, params, instancePath }: ErrorObject): string | undefined {
  const inUi = /^(\/fields\/[^/]+|\/\$defs\/[^/]+\/ui)(\/\w+)+$/;
  if (keyword === 'additionalProperties') return String(params.additionalProperty);
  const isWord =
    keyword === 'false schema' || (keyword === 'type' && params.type === 'object' && inUi.test(instancePath));
  return isWord ? instancePath.split('/').at(-1) : undefined;
}

function explainKeyword(kind: string, { instancePath: at, params, data }: ErrorObject): MisplacedKeyword | null {
  const other = String(params.additionalProperty);
  const explainAt = (part: Omit<MisplacedKeyword, keyof ProblemExplanation>) => (problem: ProblemExplanation) => ({
    ...part,
    ...problem,
  });
  const isCausedBy = (written: string, missing: string) => (error: ErrorObject) =>
    error.instancePath === at &&
    (error.params.additionalProperty === written || error.params.missingProperty === missing);
  if (kind === 'flow' && at === '/context' && params.additionalProperty !== undefined) {
    const explains = (error: ErrorObject) => error.instancePath === at && error.params === params;
    return explainAt({ pointer: `/context/${escapePointer(other)}`, explains })(explain`
      "context" groups variables by their source.
      Write "context": { "query": ["<name>"] }, or "path", or "history" or "storage" for stored variables. A variable that a branch assigns needs no entry.`);
  }
  if (kind === 'flow' && other === 'invoke')
    return explainAt({ pointer: `${at}/invoke`, explains: isCausedBy('invoke', 'src') })(explain`
      "invoke" is allowed only in a state, which calls it on entry.
      To call an operation from an event, replace its branches with { "src": "<operation>", "onDone": …, "onError": … }. From a branch, target a state with "invoke".`);
  if (kind === 'flow' && at === '' && isStateLike(asObject(data)[other]))
    return explainAt({ pointer: `/${escapePointer(other)}`, explains: isCausedBy(other, other) })(explain`
      "${other}" looks like a state, but it is beside "states".
      Move it into "states".`);
  if (kind === 'ui' && at === '') {
    const unknown = Object.keys(asObject(data)).filter((key) => !Object.hasOwn(uiFormat.properties, key));
    const misplaced = unknown.filter((key) => Object.hasOwn(screenFormat.properties, key));
    const explains = (error: ErrorObject) =>
      error.instancePath === at && misplaced.includes(String(error.params.additionalProperty));
    if (other === misplaced[0])
      return explainAt({ pointer: `/${other}`, explains })(explain`
        This belongs in schema.json: ${misplaced.map((key) => `"${key}"`).join(', ')}.
        Move it there, beside "properties".`);
  }
  if (kind === 'ui' && other === '$ref' && /^\/notices\/[^/]+$/.test(at))
    return explainAt({ pointer: at, explains: (error) => error.instancePath === at })(explain`
      A shared notice is referenced by its name, without "$ref".
      Remove this line. A flow that raises this name shows the notice of schemas/_shared/notices.json.`);
  const [pointer, field = '', word = ''] =
    /^\/fields(?:\/[^/]+)*\/([^/]+)\/(visible|options|params|messages)(?=\/|$)/.exec(at) ?? [];
  if (kind !== 'ui' || pointer === undefined) return null;
  const explains = (error: ErrorObject) => `${error.instancePath}/`.startsWith(`${pointer}/`);
  if (word === 'visible')
    return explainAt({ pointer, explains })(explain`"visible" does not belong in a field.
      Write it beside "fields": "visible": { "${field}": … }.`);
  const place = word === 'options' ? localize`Did you mean "${'ui:options'}"?` : describeKeywordPlace(word, 'ui');
  return place ? { pointer, explains, message: localize`"${word}" is in the wrong place.`, hint: place } : null;
}

function isStateLike(value: unknown): boolean {
  return isObject(value) && ['screen', 'path', 'block'].some((key) => Object.hasOwn(value, key));
}

/** Whether an unknown key of a state is an event with a branch, an operation or the name of a state. */
function isTransitionLike(key: string, value: unknown): boolean {
  if (typeof value === 'string') return /^[\w-]+$/.test(value) && findNearestName(key, stateKeywords) === undefined;
  return isObject(value) && ['src', 'target', 'leave', 'onDone'].some((name) => Object.hasOwn(value, name));
}

const stateKeywords = Object.keys(flowFormat.$defs.state.properties);

function isVersioned(kind: string): kind is keyof typeof formatFileNames {
  return Object.hasOwn(formatFileNames, kind);
}

/** Explains errors in a top-level key of ui.json that ended up inside "fields" because of a missing or misplaced brace. */
function explainNested(kind: string, file: Json, { instancePath }: ErrorObject): MisplacedKeyword | null {
  const [part, key = '', ...within] = splitPointer(instancePath);
  const isNested = kind === 'ui' && part === 'fields' && within.length > 0 && Object.hasOwn(uiFormat.properties, key);
  if (!isNested || (isObject(file) && key in file)) return null;
  const pointer = `/fields/${escapePointer(key)}`;
  const explains = (error: ErrorObject) => error.instancePath.startsWith(`${pointer}/`);
  return {
    pointer,
    explains,
    ...explain`"${key}" is inside "fields".
    Move it beside "fields": a brace may close "fields" too late.`,
  };
}
