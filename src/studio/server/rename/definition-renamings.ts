import { splitPointer, escapePointer } from '../../../engine/core/json-pointer.ts';
import { asObject, type Json } from '../../../engine/core/json.ts';
import { asListOrEmpty } from '../../json-values.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { applyEdits, parse, visit, type Edit } from 'jsonc-parser';

export type JsonPath = readonly (string | number)[];

/** A string in a JSON file: a value or a key. The path of a key ends with the key. */
export interface JsonString {
  readonly path: JsonPath;
  readonly value: string;
  readonly isKey: boolean;
}

type Replace = (string: JsonString) => string;

/** Preserves the formatting. `start` receives the parsed content. Throws a `SyntaxError` for invalid JSON. */
export function replaceJsonStrings(text: string, start: (file: Json) => Replace): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const plain = text.slice(mark.length);
  const content = parse(plain) as Json | undefined; // `parse` returns `any`, but always plain JSON, or `undefined` for an empty text
  if (content === undefined) throw new SyntaxError('The file is not valid JSON.');
  const replace = start(content);
  const edits: Edit[] = [];
  const edit = (string: JsonString, offset: number, length: number): void => {
    const value = replace(string);
    if (value !== string.value) edits.push({ offset, length, content: JSON.stringify(value) });
  };
  visit(plain, {
    onObjectProperty: (value, offset, length, _line, _character, getPath) =>
      edit({ path: [...getPath(), value], value, isKey: true }, offset, length),
    onLiteralValue: (value: unknown, offset, length, _line, _character, getPath) => {
      if (typeof value === 'string') edit({ path: getPath(), value, isKey: false }, offset, length);
    },
  });
  return mark + applyEdits(plain, edits);
}

export function formatJsonPointer(path: JsonPath): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join('');
}

export function listEnclosingStates(flow: Json, inner: ReadonlySet<string>): ReadonlySet<string> {
  const enclosing = new Set<string>();
  const visit = (node: Json): boolean => {
    const holding = Object.entries(asObject(asObject(node)['states'])).filter(([name, state]) => {
      const holds = visit(state);
      return holds || inner.has(name);
    });
    for (const [name] of holding) enclosing.add(name);
    return holding.length > 0;
  };
  visit(flow);
  return enclosing;
}

export function findStateInPath(path: JsonPath): string | null {
  let state: string | null = null;
  for (let at = 0; path[at] === 'states' && at + 1 < path.length; at += 2) state = String(path[at + 1]);
  return state;
}

function isStateKey({ path, isKey }: JsonString): boolean {
  return isKey && path.length % 2 === 0 && path.every((step, at) => at % 2 === 1 || step === 'states');
}

// Matches the part of a pointer between a transition and its targets: the target of the transition itself, of its
// branches, or of an operation's outcomes. Does not match the name of shared branches, which is not a state.
const targets = String.raw`(?:/(?:\d+|target|onDone|onError|branches(?=/)))*`;
const transition = `(?:always|invoke|(?:on|after)/[^/]+)${targets}`;
const references = [
  '/initial',
  '/challenges/[^/]+',
  String.raw`/progress(?:/[^/]+)*/\d+(?:/state)?`,
  `/onError${targets}`,
  `/(?:branches|operations)/[^/]+${targets}`,
  `(?:/states/[^/]+)+/(?:requires/else|back|${transition})`,
];
const reference = new RegExp(`^(?:${references.join('|')})$`);

/** Creates the replacement function for a file from its parsed content and its name without folder and extension. */
type Renamer = (file: Json, name: string) => Replace;

/** By kind of file. `ui` also applies to translations, `lint` to schemas/_lint.json, `reasons` to the exceptions for untested rules and texts. */
export type DefinitionRenaming = Readonly<
  Partial<Record<'schema' | 'ui' | 'cases' | 'flow' | 'walks' | 'lint' | 'reasons', Renamer>>
> & {
  /** Text that occurs in every affected file. Files without it are not parsed. */
  readonly word: string;
  readonly snapshot?: (html: string) => string;
};

/** Paths of the lists in which the name of a state identifies an item. */
const listsOfStates = /(?:^|\/)(?:progress(?:\/[^/]+)?|always|onDone|onError|on\/[^/]+)$/;

export interface RenameContext {
  readonly from: string;
  readonly to: string;
  /** States by flow that are renamed, or that show the renamed screen. */
  readonly states: Readonly<Record<string, ReadonlySet<string>>>;
  readonly initial: Readonly<Record<string, string>>;
}

export function createStateRenaming(flow: string, { from, to }: RenameContext): DefinitionRenaming {
  const inFlow =
    (isName: (string: JsonString) => boolean): Renamer =>
    (_, name) =>
    (string) =>
      name === flow && string.value === from && isName(string) ? to : string.value;
  return {
    word: from,
    flow: inFlow((string) => isStateKey(string) || (!string.isKey && reference.test(formatJsonPointer(string.path)))),
    walks: inFlow(({ path, isKey }) => {
      const isAt = path.length === 3 ? path[2] === 'at' : path.at(-2) === 'then' && path.at(-1) === 'state';
      return !isKey && isAt;
    }),
    lint: createLintRenamer((file, steps) => {
      const isKey = (at: number): boolean =>
        isStateKey({ path: steps.slice(0, at + 1), value: steps[at] ?? '', isKey: true });
      const isItem = (at: number): boolean => listsOfStates.test(steps.slice(0, at).join('/'));
      return file === `flows/${flow}.json`
        ? steps.map((step, at) => (step === from && (isKey(at) || isItem(at)) ? to : step))
        : steps;
    }),
  };
}

export function createEventRenaming(screen: string, around: RenameContext): DefinitionRenaming {
  const { from, to, states } = around;
  const none: ReadonlySet<string> = new Set();
  return {
    word: from,
    ui: () => (string) => {
      const { path, isKey, value } = string;
      return value === from && (isKey ? isKeyOfButton(path) : path.at(-1) === 'event') ? to : value;
    },
    flow: (file, flow) => {
      const concerned = listEnclosingStates(file, states[flow] ?? none);
      return ({ path, isKey, value }) =>
        isKey && value === from && path.at(-2) === 'on' && concerned.has(findStateInPath(path) ?? '') ? to : value;
    },
    walks: createScenarioRenamer(around, ({ path, isKey, value }) =>
      !isKey && path.length === 5 && path[4] === 'raise' && value === from ? to : value,
    ),
    lint: createLintRenamer((file, steps) => {
      const concerned = states[/^flows\/(.+)\.json$/.exec(file)?.[1] ?? ''] ?? none;
      const isConcerned = concerned.has(findStateInPath(steps) ?? '');
      const isOfScreen = file.startsWith(`schemas/${screen}/`);
      return steps.map((step, at) => {
        const names = (isConcerned && steps[at - 1] === 'on') || (isOfScreen && isKeyOfButton(steps.slice(0, at + 1)));
        return names && step === from ? to : step;
      });
    }),
  };
}

/** Whether a key of a translation is the event of a button or link. */
function isKeyOfButton(path: JsonPath): boolean {
  return /^(actions|links|aside\/parts\/\d+\/links)$/.test(path.slice(0, -1).join('/'));
}

export function createScreenRenaming({ from, to }: RenameContext): DefinitionRenaming {
  const at =
    (key: string, rename: (value: string, path: JsonPath) => string): Renamer =>
    () =>
    ({ path, isKey, value }) =>
      !isKey && path.at(-1) === key ? rename(value, path) : value;
  const start = (before: string, after: string) => (value: string) =>
    value.startsWith(before) ? after + value.slice(before.length) : value;
  return {
    word: from,
    schema: at('$ref', start(`../${from}/`, `../${to}/`)),
    snapshot: (html) => html.replaceAll(`data-screen="${from}"`, `data-screen="${to}"`),
    flow: at('screen', (value, path) => (value === from && findStateInPath(path) !== null ? to : value)),
    reasons: at('screen', (value) => (value === from ? to : value)),
    lint: at('file', start(`schemas/${from}/`, `schemas/${to}/`)),
  };
}

export function createFlowRenaming({ from, to }: RenameContext): DefinitionRenaming {
  return {
    word: from,
    lint:
      () =>
      ({ path, isKey, value }) =>
        !isKey && path.at(-1) === 'file' && value === `flows/${from}.json` ? `flows/${to}.json` : value,
  };
}

/** Replaces strings in the scenarios of a flow, only in the steps at the affected states. */
export function createScenarioRenamer({ states, initial }: RenameContext, replace: Replace): Renamer {
  return (file, flow) => {
    const walks = asListOrEmpty(asObject(file)['walks']) as unknown as readonly Scenario[]; // the cast is safe, because the checker has validated the file against its format
    return (string) =>
      states[flow]?.has(findScenarioState(walks, initial[flow] ?? '', string) ?? '') ? replace(string) : string.value;
  };
}

export function createLintRenamer(replace: (file: string, steps: readonly string[]) => readonly string[]): Renamer {
  return (entries) =>
    ({ path: [index, key], isKey, value }) => {
      const { file } = asObject(asListOrEmpty(entries)[Number(index)]);
      return isKey || key !== 'pointer' ? value : formatJsonPointer(replace(String(file), splitPointer(value)));
    };
}

/** Returns the state in which a step starts, or that its expected result names. Returns `null` if the state is unknown. */
function findScenarioState(walks: readonly Scenario[], initial: string, { path }: JsonString): string | null {
  const [, index, part, step, ...rest] = path;
  const walk = walks[Number(index)];
  if (!walk) return null;
  const comesTo = part === 'then' || (part === 'steps' && rest[0] === 'then');
  const done = part === 'steps' ? Number(step) : -1;
  const places = [walk.then, ...(walk.steps ?? []).map(({ then }) => then)];
  if (comesTo) return places[done + 1]?.state ?? null;
  return done < 0 ? (walk.at ?? initial) : (places[done]?.state ?? (done === 0 ? (walk.at ?? initial) : null));
}
