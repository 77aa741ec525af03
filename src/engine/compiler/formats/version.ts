import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { Report } from '../sources/source-file.ts';
import { explain, type Explanation, say, type Localized } from '../sources/say.ts';

/** A format with its version in the name of its JSON Schema: flow.4.schema.json. Without a number it is version 1. */
interface Version {
  readonly version: number;
  /** Keywords of earlier versions, with their replacements. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Other changes, in a sentence. May be empty. */
  readonly changes: Localized;
}

/** Current version of each format, and the changes for older files. */
const versions = {
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
    changes: say`The time of "after" stands in "delays" of the flow, under a name. "context" lists variables by where they come from: query, path, history, storage.`,
  },
  screen: { version: 1, renamed: {}, changes: say`` },
  ui: { version: 1, renamed: { groups: 'sections' }, changes: say`` },
} as const satisfies Readonly<Record<string, Version>>;

/** An outdated keyword, and a predicate for the errors that only result from it. */
interface RenamedKeyword extends Explanation {
  readonly pointer: string;
  readonly explains: (error: ErrorObject) => boolean;
}

/** Checks the version in `$schema`. Files without one are assumed to have the current version. */
export function checkVersion(written: unknown, kind: string, report: Report): void {
  const address = typeof written === 'string' ? written : '';
  const within = /^.*\/engine\/compiler\/formats\/(.+)$/.exec(address)?.[1];
  if (within !== undefined)
    report('/$schema')(explain`The formats have an address of their own, which stays where the engine moves.
      Write "${kind === 'flow' ? '../schemas' : '..'}/_formats/${within}".`);
  const [, format = '', number = '1'] = /(?:^|\/)([a-z]+)(?:\.(\d+))?\.schema\.json$/.exec(address) ?? [];
  if (kind === 'translation' && isVersioned(format))
    report('/$schema')(explain`A translation has a format of its own.
      Write "../_formats/translation.schema.json".`);
  if (!isVersioned(kind) || format !== kind) return;
  const { version, renamed, changes } = versions[kind];
  if (Number(number) === version) return;
  const words = Object.entries(renamed).map(([old, now]) => `"${old}" → "${now}"`);
  report('/$schema')({
    message: say`This file is written in version ${number} of the format; version ${version} is read.`,
    hint:
      Number(number) > version
        ? say`A newer portal reads it.`
        : say`In version ${version}: ${words.join(', ')}. ${changes} Then name _formats/${kind}.${version}.schema.json here.`,
  });
}

/** Explains a format error that results from an outdated keyword. Returns `null` for other errors. */
export function renamedWord(kind: string, { keyword, instancePath, params, data }: ErrorObject): RenamedKeyword | null {
  if (!isVersioned(kind)) return null;
  const at = instancePath;
  const old = /^((?:\/states\/[^/]+)+\/after)\/(?:at|secondsBefore|event)(?:\/|$)/.exec(at)?.[1];
  const explainAt = (pointer: string, explains: RenamedKeyword['explains']) => (problem: Explanation) => {
    return { pointer, ...problem, explains };
  };
  if (kind === 'flow' && old !== undefined)
    return explainAt(old, (error) => `${error.instancePath}/`.startsWith(`${old}/`))(explain`
      The time of "after" stands in "delays" of the flow now, under a name.
      Write "delays": { "<name>": { "at": …, "secondsBefore": … } } at the top, and "after": { "<name>": … } here.`);
  if (kind === 'flow' && at === '/context' && keyword === 'additionalProperties')
    return explainAt(
      `/context/${escapePointer(String(params.additionalProperty))}`,
      (error) => error.instancePath === '/context' && error.params === params,
    )(explain`Variables stand in "context" by where they come from now.
      Write "context": { "query": ["<name>"] }, or "path", or "history" or "storage" for what is kept there. One that a branch assigns needs none of it.`);
  const isCausedBy = (written: string, missing: string) => (error: ErrorObject) =>
    error.instancePath === at &&
    (error.params.additionalProperty === written || error.params.missingProperty === missing);
  // In an operation, an "invoke" with a name is the outdated keyword. Elsewhere it belongs to a state.
  if (kind === 'flow' && params.additionalProperty === 'invoke' && !(isOperation.test(at) && isNamed(data)))
    return explainAt(
      `${at}/invoke`,
      isCausedBy('invoke', 'src'),
    )(explain`
      "invoke" stands in a state alone: what it calls on the way in.
      An event calls by { "src": "<operation>", "onDone": …, "onError": … } in the place of its branches; a branch does by leading to a state with "invoke".`);
  if (kind === 'ui' && params.additionalProperty === '$ref' && /^\/notices\/[^/]+$/.test(at))
    return explainAt(
      at,
      (error) => error.instancePath === at,
    )(explain`
      A shared notice is taken by its name: it needs no "$ref".
      Remove this line. The notice of this name in schemas/_shared/notices.json stands where a flow raises it.`);
  const words: Readonly<Record<string, string>> = versions[kind].renamed;
  const word = keyword === 'additionalProperties' ? String(params.additionalProperty) : '';
  const now = Object.hasOwn(words, word) ? words[word] : undefined;
  if (now === undefined) return null;
  return explainAt(
    `${at}/${word}`,
    isCausedBy(word, now),
  )(explain`"${word}" is called "${now}" now.
    Write "${now}" in its place.`);
}

const isOperation = /^(\/states\/[^/]+)+\/(invoke|(on|after)\/[^/]+)$/;

function isNamed(operation: unknown): boolean {
  return isObject(operation) && typeof operation.invoke === 'string';
}

function isVersioned(kind: string): kind is keyof typeof versions {
  return Object.hasOwn(versions, kind);
}
