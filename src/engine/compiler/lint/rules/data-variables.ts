import type { ContextVariable, Flow, Template } from '../../../core/definition.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { listStateBranches, isDeclared, variablesRead, listTemplates } from '../../flow/flow-parts.ts';
import type { LintOptions } from '../options.ts';
import {
  type LintRule,
  type Finding,
  type LintedFlow,
  type Subject,
  branchesIn,
  listFlowEffects,
  groupBy,
  flowRule,
  setRule,
} from '../subject.ts';
import { say } from '../../sources/say.ts';
import { listVariables, isLogic } from '../../../core/logic.ts';
import { listScreenReads } from '../../explore/screens.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { reading } from '../../flow/short-forms.ts';
import { guess, nearest } from '../../sources/near.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import { findPropertyNames, shapeAt } from '../../explore/shapes.ts';
import { wordsIn } from '../wording/own-words.ts';

/** Reports the same value under two names if one of them suggests another value. Probably an incomplete copy. */
export const dataTwice = flowRule('data/twice', 'W', (linted, { contract }) =>
  listTables(linted).flatMap((table) => twice(table, linted, contract)),
);

interface TemplateTable {
  readonly at: string;
  /** The values are sent to an operation. Operations rarely need a value twice, whereas variables may share one. */
  readonly isSent?: true;
  readonly values: Readonly<Record<string, Template>>;
}

function listTables(linted: LintedFlow): readonly TemplateTable[] {
  const { flow, toSourcePointer } = linted;
  const ofStates = Object.entries(flow.states).flatMap(([name, { prefill = {}, carry = {} }]) => {
    const at = `/states/${escapePointer(name)}`;
    return [
      { at: toSourcePointer(`${at}/prefill`), values: prefill },
      { at: toSourcePointer(`${at}/carry`), values: carry },
    ];
  });
  const ofEffects = listFlowEffects(linted).flatMap(({ effect: { params = {}, input }, at }) => [
    { at: `${at}/params`, isSent: true as const, values: params },
    ...(isObject(input) && !isLogic(input)
      ? [{ at: `${at}/input`, isSent: true as const, values: input as TemplateTable['values'] }]
      : []),
  ]);
  const ofBranches = branchesIn(linted).map(([{ assign = {} }, at]) => ({ at: `${at}/assign`, values: assign }));
  return [...ofStates, ...ofEffects, ...ofBranches];
}

function twice({ at, values, isSent }: TemplateTable, { file }: LintedFlow, contract: LintOptions): readonly Finding[] {
  const read = Object.entries(values).flatMap(([name, value]) => {
    const path = isLogic(value) && Object.keys(value).length === 1 ? value['var'] : undefined;
    return typeof path === 'string' ? [{ name, path }] : [];
  });
  return [...groupBy(read, ({ path }) => path).values()].flatMap((same): readonly Finding[] => {
    const own = same.find(({ name, path }) => saysAll(path, name)) ?? same[0];
    if (same.length < 2 || !own) return [];
    const isOwn = saysAll(own.path, own.name);
    return same
      .filter((one) => one !== own && !saysAll(own.name, one.name))
      .filter(({ name, path }) => hasOwn(path, name, contract) || (isOwn && (isSent ?? sharesWord(name, own.name))))
      .map(({ name, path }) => ({
        file,
        pointer: `${at}/${escapePointer(name)}`,
        message: say`"${name}" and "${own.name}" are both given "${path}".`,
        hint: say`Give "${name}" the value of its own.`,
      }));
  });
}

function parts(name: string): readonly string[] {
  return wordsIn((name.split('.').at(-1) ?? '').replaceAll(/[_-]/g, ' ').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
}

/** Whether the last segment of a path contains all words of a name. */
function saysAll(path: string, name: string): boolean {
  const said = parts(path);
  return parts(name).every((word) => said.includes(word));
}

/** Whether the parent of the value at a path has a property with that name. */
function hasOwn(path: string, name: string, { factShapes = {} }: LintOptions): boolean {
  const [root = '', ...steps] = path.split('.');
  const schema = factShapes[root];
  const around = schema && shapeAt({ schema, optional: true }, steps.slice(0, -1));
  return around ? (findPropertyNames(around)?.includes(name) ?? false) : false;
}

function sharesWord(one: string, other: string): boolean {
  return parts(one).some((word) => parts(other).includes(word));
}

/** Reports properties that a fact does not have: `user.nombre` where the record has `primer_nombre`. */
export const dataFact = setRule('data/fact', 'E', (subject) => {
  const uis = [...subject.screens.values()].flatMap(({ files }) => files.ui ?? []);
  return [...subject.set.flows, ...uis].flatMap((file) => inFile(file, subject));
});

function inFile(file: SourceFile, { contract: { factShapes = {} } }: Subject): readonly Finding[] {
  const found: Finding[] = [];
  const look = (path: string, pointer: string, isKey: boolean): void => {
    const [root = '', ...steps] = path.split('.');
    const schema = factShapes[root];
    if (!schema || steps.length === 0 || !reading.test(path) || shapeAt({ schema, optional: true }, steps)) return;
    const holder = shapeAt({ schema, optional: true }, steps.slice(0, -1));
    const names = (holder && findPropertyNames(holder)) ?? [];
    const near = nearest(steps.at(-1) ?? '', names);
    const mended = near === undefined ? undefined : [root, ...steps.slice(0, -1), near].join('.');
    found.push({
      file,
      pointer,
      message: say`"${path}" does not exist.`,
      hint: say`${guess(steps.at(-1) ?? '', names)}There is: ${names.join(', ') || '–'}.`,
      ...(mended !== undefined && !isKey && { fix: [{ file: file.path, pointer, value: mended }] }),
    });
  };
  const visit = (node: Json | undefined, pointer: string): void => {
    if (typeof node === 'string') return look(node, pointer, false);
    if (Array.isArray(node)) return node.forEach((part: Json, index) => visit(part, `${pointer}/${index}`));
    if (!isObject(node)) return;
    for (const [key, part] of Object.entries(node as Readonly<Record<string, Json>>)) {
      const at = `${pointer}/${escapePointer(key)}`;
      look(key, at, true);
      visit(part, at);
    }
  };
  visit(file.value, '');
  return found;
}

/** Reports variables that a step reads from earlier steps but that are not saved. They are missing when the journey is resumed. */
export const dataUnsaved = setRule('data/unsaved', 'E', (subject) =>
  subject.flows.filter(({ flow }) => flow.save).flatMap((linted) => checkDataUnsaved(linted, subject)),
);

function checkDataUnsaved({ flow, file, pointers }: LintedFlow, { screens }: Subject): readonly Finding[] {
  return (flow.progress ?? []).flatMap((journey) =>
    journey.flatMap((step, index) => {
      const before = new Set(journey.slice(0, index).flatMap(({ state }) => assignedIn(flow, state)));
      const ui = screens.get(flow.states[step.state]?.screen ?? '')?.ui;
      const read = [...(ui ? listScreenReads(ui) : []), ...listDependencies(flow, step.state)];
      const names = new Set(read.flatMap((path) => /^context\.(\w+)/.exec(path)?.[1] ?? []));
      return [...names]
        .filter((name) => before.has(name) && !flow.context?.[name]?.saved)
        .map((name) => ({
          file,
          pointer: pointers.get(step) ?? '/progress',
          message: say`The step "${step.state}" reads "${name}", which an earlier step assigns and which is not saved: who goes on another day lacks it.`,
          hint: say`Write "${name}" in "saved" of "context".`,
        }));
    }),
  );
}

function assignedIn({ states }: Flow, name: string): readonly string[] {
  return listStateBranches(states[name] ?? {}).flatMap(({ assign = {} }) => Object.keys(assign));
}

function listDependencies(flow: Flow, name: string): readonly string[] {
  const own: Flow = { id: flow.id, initial: name, states: { [name]: flow.states[name] ?? {} } };
  return listTemplates(own).flatMap(listVariables);
}

export const dataUnread = setRule('data/unread', 'W', unread(isDeclared));

/** Reports variables that are assigned but never read. */
export const dataAssigned = setRule(
  'data/assigned',
  'E',
  unread((variable) => !isDeclared(variable)),
);

export const dataUnset = flowRule('data/unset', 'E', (linted, subject) => {
  const { flow, file } = linted;
  const read = readIn(linted, subject);
  const assigned = new Set(
    Object.values(flow.states).flatMap((state) =>
      listStateBranches(state).flatMap(({ assign = {} }) =>
        Object.keys(assign).filter((name) => assign[name] !== null),
      ),
    ),
  );
  return Object.entries(flow.context ?? {})
    .filter(([name, variable]) => {
      const isGiven = ['query', 'path'].includes(variable.from) || variable.default !== undefined;
      return !isGiven && !assigned.has(name) && (read?.has(name) ?? false);
    })
    .map(([name]) => ({
      file,
      pointer: linted.toSourcePointer(`/context/${escapePointer(name)}`),
      message: say`Nothing sets "${name}", which is read.`,
      hint: say`Assign it in a branch, or remove it.`,
    }));
});

function unread(isMeant: (variable: ContextVariable) => boolean): LintRule<Subject>['find'] {
  return (subject) =>
    subject.flows.flatMap((linted) => {
      const read = readIn(linted, subject);
      if (read === null) return [];
      return Object.entries(linted.flow.context ?? {})
        .filter(([name, variable]) => isMeant(variable) && !read.has(name))
        .map(([name]) => ({
          file: linted.file,
          pointer: linted.toSourcePointer(`/context/${escapePointer(name)}`),
          message: say`Nothing reads the variable "${name}".`,
          hint: say`Remove it, and what assigns it.`,
        }));
    });
}

/** Returns the variables that a flow, its screens and its blocks read. Returns `null` if a block may read any. */
function readIn({ flow }: LintedFlow, { screens, contract }: Subject): ReadonlySet<string> | null {
  const ofBlocks = Object.values(flow.states).flatMap(({ block }) =>
    block === undefined ? [] : [contract.blocks[block]?.reads],
  );
  if (ofBlocks.includes(null)) return null;
  return new Set([
    ...variablesRead(flow, (screen) => screens.get(screen)?.ui),
    ...ofBlocks.flatMap((reads) => reads ?? []),
  ]);
}
