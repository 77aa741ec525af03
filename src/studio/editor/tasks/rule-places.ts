import { escapePointer, pointerSteps } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject, type Json } from '../../../engine/core/json.ts';
import type { Logic } from '../../../engine/core/definition.ts';
import type { StudioFacts } from '../../dev-data.ts';
import type { FileChange, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { isGroup, isItems, lastStep, findList, writtenFields } from '../fields/field-place.ts';
import { asList, asText, partsWithin } from '../../json-parts.ts';
import { baseOf, editAt, resolveScreenFiles, flowFile, objectIn, valueIn } from '../files.ts';
import { drawnFields, createFlowNames, placesIn, type FlowNames } from '../titles.ts';
import type { SubjectKind, Subjects, Value } from './value-field.tsx';
import { listStates } from './flow-tasks.ts';
import { subjectName, type Names } from './logic-sentence.ts';

export interface RulePlace {
  readonly kind: 'visible' | 'guard';
  readonly pointer: string;
  readonly place: string;
  /** `undefined` for always. */
  readonly logic: Logic | undefined;
  readonly subjects: Subjects;
  readonly names: Names;
  readonly change: (logic: Logic | undefined) => FileChange;
}

const hideable = new Set(['title', 'intro', 'sections', 'actions', 'links', 'parts']);

/** Returns the rules of everything on a screen except fields: titles, paragraphs, sections, buttons, links. */
export function listScreenRules(set: StudioSet, facts: StudioFacts, screen: string): readonly RulePlace[] {
  const { ui } = resolveScreenFiles(screen);
  const fields = drawnFields(set, screen);
  const describePlace = placesIn(set, ui);
  const subjects = createSubjects(fieldSubjects(set, screen), facts, { fields });
  const within = (value: Json | undefined, at: string, isListed: boolean): readonly RulePlace[] => {
    const own: RulePlace = {
      kind: 'visible',
      pointer: `${at}/visible`,
      place: describePlace(at),
      logic: asObject(value)['visible'],
      subjects,
      names: { fields },
      change: (logic) => changeAt(set, ui, `${at}/visible`, logic),
    };
    const lists = partsWithin(asObject(value), at).flatMap(([key, part, pointer]) => {
      if (key === 'aside') return within(part, pointer, false);
      return hideable.has(key)
        ? partsWithin(asList(part), pointer).flatMap(([, entry, place]) => within(entry, place, true))
        : [];
    });
    return isListed && isObject(value) ? [own, ...lists] : lists;
  };
  return within(valueIn(set, ui), '', false);
}

export function findFieldRule(set: StudioSet, facts: StudioFacts, screen: string, field: string): RulePlace {
  const { ui } = resolveScreenFiles(screen);
  const names = namesFor(set, screen, field);
  const pointer = `/visible/${escapePointer(field)}`;
  const own = [`form.${field}`, `item.${lastStep(field)}`];
  return {
    kind: 'visible',
    pointer,
    place: names.fields[field]?.title ?? field,
    logic: valueIn(set, ui, pointer),
    subjects: createSubjects(
      fieldSubjects(set, screen, names.list).filter(([path]) => !own.includes(path)),
      facts,
      names,
    ),
    names,
    change: (logic) => visibleChange(set, screen, field, logic),
  };
}

export function namesFor(set: StudioSet, screen: string, field: string) {
  return { fields: drawnFields(set, screen), list: findList(set, screen, field) } satisfies Names;
}

export function listFlowGuards(set: StudioSet, facts: StudioFacts, flow: string): readonly RulePlace[] {
  const file = flowFile(flow);
  const states = listStates(set, flow);
  const called = createFlowNames(set, flow);
  const guards = Object.keys(objectIn(set, file, '/guards'));
  const context = Object.keys(set.flows[flow]?.context ?? {}).map((name) => [`context.${name}`, text] as const);
  return (set.guards[flow] ?? []).map(({ pointer, logic }) => {
    const state = states.filter((own) => pointer.startsWith(`${own.pointer}/`)).at(-1)?.state;
    const screen = asText(state?.['screen']);
    const names = { fields: drawnFields(set, screen), guards };
    const own = [...context, ...fieldSubjects(set, screen), ...answerSubjects(set, facts, file, pointer)];
    return {
      kind: 'guard',
      pointer,
      place: formatStep(set, file, pointer, called) ?? guardPlace(pointer, called),
      logic,
      subjects: createSubjects([...own, ...guards.map((name) => [name, boolean] as const)], facts, names),
      names,
      change: (next) => changeAt(set, file, pointer, next && shortForm(next)),
    };
  });
}

function formatStep(set: StudioSet, file: string, pointer: string, { formatState }: FlowNames): string | null {
  const step = pointer.startsWith('/progress/') ? valueIn(set, file, `${pointer.replace(/\/guard$/, '')}/state`) : null;
  return typeof step === 'string' ? t('guardStep', { name: formatState(step) }) : null;
}

function changeAt(set: StudioSet, file: string, pointer: string, value: Logic | undefined): FileChange {
  return { file, base: baseOf(set, file), edits: [editAt(pointer, value)] };
}

/** Returns the change that sets the `visible` rule of a field. `undefined` removes it, and the table of rules if it becomes empty. */
export function visibleChange(set: StudioSet, screen: string, name: string, logic: Logic | undefined): FileChange {
  const { ui } = resolveScreenFiles(screen);
  const isOnly = Object.keys(objectIn(set, ui, '/visible')).join() === name;
  return changeAt(set, ui, logic === undefined && isOnly ? '/visible' : `/visible/${escapePointer(name)}`, logic);
}

/** Abbreviates a guard as flow files do: a variable without operator, or `{ "error.code": "en_uso" }` for a comparison. */
function shortForm(logic: Logic): Logic {
  const [[operator, operand] = ['', null]] = Object.entries(asObject(logic));
  if (operator === 'var' && typeof operand === 'string') return operand;
  if ((operator === 'and' || operator === 'or') && Array.isArray(operand))
    return { [operator]: asList(operand).map(shortForm) };
  if (operator === '!') return { '!': shortForm(operand) };
  if (!Array.isArray(operand) || operand.length !== 2) return logic;
  const [subject, value] = operand as readonly Json[];
  const name = asObject(subject)['var'];
  const isShort = operator === '==' ? !isObject(value) : operator === 'in' && Array.isArray(value);
  return isShort && typeof name === 'string' && name.includes('.') && value !== undefined ? { [name]: value } : logic;
}

type KnownSubject = readonly [path: string, kind: SubjectKind];

const text: SubjectKind = { kind: 'text' };
const boolean: SubjectKind = { kind: 'boolean' };

function createSubjects(own: readonly KnownSubject[], { flags }: StudioFacts, names: Names): Subjects {
  const known: readonly KnownSubject[] = [
    ...own,
    ...flags.map((flag) => [`flags.${flag}`, boolean] as const),
    ['authenticated', boolean],
  ];
  const formatSubject = (path: string): string => {
    if (path === 'authenticated') return t('saySignedIn');
    return names.guards?.includes(path) ? t('guardNamed', { name: path }) : subjectName({ var: path }, names);
  };
  return { list: known.map(([path]) => [path, formatSubject(path)]), kinds: Object.fromEntries(known) };
}

function fieldSubjects(set: StudioSet, screen: string, list: string | null = null): readonly KnownSubject[] {
  const drawn = drawnFields(set, screen);
  return Object.entries(writtenFields(set, screen)).flatMap(([name, schema]): readonly KnownSubject[] => {
    const around = findList(set, screen, name);
    if (isGroup(schema) || isItems(set, screen, name) || (around !== null && around !== list)) return [];
    const { type } = schema;
    const kind = type === 'boolean' ? type : type === 'integer' || type === 'number' ? 'number' : 'text';
    const choices = (drawn[name]?.choices ?? []) as readonly (readonly [Value, string])[]; // choices in conditions are texts, numbers or booleans
    const path = around === null ? `form.${name}` : `item.${name.slice(around.length + '.items.'.length)}`;
    return [[path, choices.length > 0 ? { kind, choices } : { kind }]];
  });
}

/** Returns the variables that a guard after an operation can read: those of the response, or of the error with the codes of the contract. */
function answerSubjects(set: StudioSet, facts: StudioFacts, file: string, pointer: string): readonly KnownSubject[] {
  const [, before = '', outcome] = /^(.*)\/(onDone|onError)(?:\/|$)/.exec(pointer) ?? [];
  const operation = String(valueIn(set, file, `${before}/src`) ?? '');
  if (outcome === 'onDone') {
    return Object.entries(asObject(facts.samples[operation])).map(([name, value]) => {
      const type = typeof value;
      return [`result.${name}`, { kind: type === 'number' || type === 'boolean' ? type : 'text' }];
    });
  }
  if (outcome === undefined && !pointer.startsWith('/branches/')) return [];
  const codes = [...new Set([...(facts.operations[operation] ?? []), ...facts.commonErrors])];
  return [
    ['error.code', { kind: 'text', choices: codes.map((code) => [code, code]) }],
    ['error.status', { kind: 'number' }],
    ['error.field', text],
  ];
}

/** Describes the place of a guard, e.g. "Tus datos, Continuar, si falla, rama 2". */
export function guardPlace(pointer: string, { formatState, formatEvent }: FlowNames): string {
  const words = {
    requires: t('guardRequires'),
    always: t('always'),
    invoke: t('invoke'),
    onDone: t('done'),
    onError: t('failed'),
  };
  const steps = pointerSteps(pointer);
  const [area = '', name = ''] = steps;
  const starts = {
    guards: t('guardNamed', { name }),
    branches: t('guardBranches', { name }),
    operations: t('guardOperations', { name }),
  };
  const isShared = Object.hasOwn(starts, area);
  const rest = isShared ? steps.slice(2) : steps;
  let state = '';
  return [
    ...(isShared ? [starts[area as keyof typeof starts]] : []),
    ...rest.flatMap((step, index) => {
      const before = rest[index - 1];
      if (before === 'states' && rest[index - 2] !== 'on') {
        state = step;
        return rest[index + 1] === 'states' ? [] : [formatState(step)]; // only the innermost of nested states is described
      }
      if (before === 'on' && rest[index - 2] !== 'on') return [formatEvent(state, step)];
      if (['states', 'on', 'guard', 'branches'].includes(step)) return [];
      if (/^\d+$/.test(step)) return [t('guardBranch', { number: Number(step) + 1 })];
      return [Object.hasOwn(words, step) ? words[step as keyof typeof words] : step];
    }),
  ].join(', ');
}
