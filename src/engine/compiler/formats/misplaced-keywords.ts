import type { ErrorObject } from 'ajv/dist/2020.js';
import screenFormat from './screen.schema.json' with { type: 'json' };
import uiFormat from './ui.schema.json' with { type: 'json' };
import { asObject, isObject, type Json } from '../../core/json.ts';
import { escapePointer, splitPointer } from '../../core/json-pointer.ts';
import { explain, localize, type LocalizedText, type ProblemExplanation } from '../sources/localized-text.ts';
import type { ProblemReporter } from '../sources/problem-collector.ts';

/** A version of a format. The file name of its JSON Schema contains the version number, as in flow.4.schema.json. Version 1 has no number. */
interface Version {
  readonly version: number;
  readonly renamed: Readonly<Record<string, string>>;
  readonly changes: LocalizedText;
}

const formatVersions = {
  flow: {
    version: 4,
    renamed: {
      entry: 'requires',
      invoke: 'src',
      $comment: 'description',
      steps: 'challenges',
      step: 'challenge',
      calls: 'operations',
      call: 'operation',
    },
    changes: localize`The time of "after" is in "delays" of the flow, under a name. "context" groups variables by their source: query, path, history, storage.`,
  },
  screen: { version: 1, renamed: {}, changes: localize`` },
  ui: { version: 1, renamed: { groups: 'sections' }, changes: localize`` },
} as const satisfies Readonly<Record<string, Version>>;

/** A renamed or misplaced keyword, and whether it explains a format error. */
interface MisplacedKeyword extends ProblemExplanation {
  readonly pointer: string;
  readonly explains: (error: ErrorObject) => boolean;
}

/** Checks the version in `$schema`. Assumes the current version for files without `$schema`. */
export function checkFileFormatVersion(written: unknown, kind: string, report: ProblemReporter): void {
  const address = typeof written === 'string' ? written : '';
  const within = /^.*\/engine\/compiler\/formats\/(.+)$/.exec(address)?.[1];
  if (within !== undefined)
    report('/$schema')(explain`The formats have their own address, which does not change when the engine moves.
      Write "${kind === 'flow' ? '../schemas' : '..'}/_formats/${within}".`);
  const [, format = '', number = '1'] = /(?:^|\/)([a-z]+)(?:\.(\d+))?\.schema\.json$/.exec(address) ?? [];
  if (kind === 'translation' && isVersioned(format))
    report('/$schema')(explain`A translation has a format of its own.
      Write "../_formats/translation.schema.json".`);
  if (!isVersioned(kind) || format !== kind) return;
  const { version, renamed, changes } = formatVersions[kind];
  if (Number(number) === version) return;
  const words = Object.entries(renamed).map(([old, now]) => `"${old}" → "${now}"`);
  report('/$schema')({
    message: localize`This file uses version ${number} of the format, but the portal reads version ${version}.`,
    hint:
      Number(number) > version
        ? localize`Update the portal to read this file.`
        : localize`In version ${version}: ${words.join(', ')}. ${changes} Then name _formats/${kind}.${version}.schema.json here.`,
  });
}

/** Explains a format error by a keyword that has a new name or belongs elsewhere. Returns `null` for other errors. */
export function explainMisplacedKeyword(kind: string, file: Json, error: ErrorObject): MisplacedKeyword | null {
  return explainKeyword(kind, error) ?? explainNested(kind, file, error);
}

function explainKeyword(
  kind: string,
  { keyword, instancePath: at, params, data }: ErrorObject,
): MisplacedKeyword | null {
  if (!isVersioned(kind)) return null;
  const other = String(params.additionalProperty);
  const explainAt = (part: Omit<MisplacedKeyword, keyof ProblemExplanation>) => (problem: ProblemExplanation) => ({
    ...part,
    ...problem,
  });
  const isCausedBy = (written: string, missing: string) => (error: ErrorObject) =>
    error.instancePath === at &&
    (error.params.additionalProperty === written || error.params.missingProperty === missing);
  const pointer = /^((?:\/states\/[^/]+)+\/after)\/(?:at|secondsBefore|event)(?:\/|$)/.exec(at)?.[1];
  if (kind === 'flow' && pointer !== undefined) {
    const explains = (error: ErrorObject) => `${error.instancePath}/`.startsWith(`${pointer}/`);
    return explainAt({ pointer, explains })(explain`
      The time of "after" is now in "delays" of the flow, under a name.
      Write "delays": { "<name>": { "at": …, "secondsBefore": … } } at the top, and "after": { "<name>": … } here.`);
  }
  if (kind === 'flow' && at === '/context' && keyword === 'additionalProperties') {
    const explains = (error: ErrorObject) => error.instancePath === at && error.params === params;
    return explainAt({ pointer: `/context/${escapePointer(other)}`, explains })(explain`
      "context" now groups variables by their source.
      Write "context": { "query": ["<name>"] }, or "path", or "history" or "storage" for stored variables. A variable that a branch assigns needs no entry.`);
  }
  // Reports `invoke` outside a state. In an operation, `invoke` with a name is an outdated keyword, which is reported below.
  if (kind === 'flow' && other === 'invoke' && !(isOperation.test(at) && isNamed(data)))
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
  const inField = kind === 'ui' ? /^(\/fields(?:\/[^/]+)+\/visible)(?:\/|$)/.exec(at)?.[1] : undefined;
  if (inField !== undefined) {
    const explains = (error: ErrorObject) => `${error.instancePath}/`.startsWith(`${inField}/`);
    const [, field = '', word = ''] = /([^/]+)\/([^/]+)$/.exec(inField) ?? [];
    return explainAt({ pointer: inField, explains })(explain`"${word}" does not belong in a field.
      Write it beside "fields": "visible": { "${field}": … }.`);
  }
  const words: Readonly<Record<string, string>> = formatVersions[kind].renamed;
  const now = keyword === 'additionalProperties' && Object.hasOwn(words, other) ? words[other] : undefined;
  if (now === undefined) return null;
  return explainAt({ pointer: `${at}/${other}`, explains: isCausedBy(other, now) })(explain`
    "${other}" is now called "${now}".
    Write "${now}" in its place.`);
}

function isStateLike(value: unknown): boolean {
  return isObject(value) && ['screen', 'path', 'block'].some((key) => Object.hasOwn(value, key));
}

const isOperation = /^(\/states\/[^/]+)+\/(invoke|(on|after)\/[^/]+)$/;

function isNamed(operation: unknown): boolean {
  return isObject(operation) && typeof operation.invoke === 'string';
}

function isVersioned(kind: string): kind is keyof typeof formatVersions {
  return Object.hasOwn(formatVersions, kind);
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
