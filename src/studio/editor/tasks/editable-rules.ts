import { escapePointer, splitPointer } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject, type Json } from '../../../engine/core/json.ts';
import type { JsonLogic } from '../../../engine/core/flow-and-screen-types.ts';
import type { StudioReferenceData } from '../../dev-page-data.ts';
import type { FileChange, StudioDefinitions } from '../../studio-api-types.ts';
import { findTextByComputedKey, t } from '../../texts.ts';
import {
  isListItemName,
  getLastFieldNameSegment,
  findEnclosingList,
  listSchemaFields,
} from '../fields/field-pointers.ts';
import { createRequiredConditionEdits, findRequiredCondition } from '../fields/required-condition.ts';
import { asListOrEmpty, asTextOrEmpty, listJsonChildren } from '../../json-values.ts';
import {
  findFileVersion,
  createValueEdit,
  buildScreenFilePaths,
  buildFlowFilePath,
  readFileObject,
  readFileValue,
} from '../definition-set.ts';
import {
  listLabelledFields,
  createFlowLabelFormatter,
  createTextPlaceDescriber,
  type FlowLabelFormatter,
} from '../titles.ts';
import type { ConditionSubjectKind, ConditionSubjects, ConditionValue } from './rule-conditions.ts';
import { listFlowStates } from './flow-states.ts';
import { describeConditionSubject, type LogicDescriptionNames } from './describe-json-logic.ts';
import { isFieldGroupSchema } from '../../../engine/core/field-path.ts';

export interface EditableRule {
  readonly kind: 'visible' | 'guard' | 'requiredWhen';
  readonly pointer: string;
  readonly place: string;
  /** Condition of the rule. `undefined` if the rule is always true. */
  readonly logic: JsonLogic | undefined;
  readonly subjects: ConditionSubjects;
  readonly names: LogicDescriptionNames;
  readonly change: (logic: JsonLogic | undefined) => FileChange;
}

const hideable = new Set(['title', 'intro', 'sections', 'actions', 'links', 'parts']);

/** Returns the rules of the titles, paragraphs, sections, buttons and links of a screen, but not those of its fields. */
export function listScreenRules(set: StudioDefinitions, referenceData: StudioReferenceData, screen: string) {
  const { ui } = buildScreenFilePaths(screen);
  const fields = listLabelledFields(set, screen);
  const describePlace = createTextPlaceDescriber(set, ui);
  const subjects = createSubjects(listFieldSubjects(set, screen), referenceData, { fields });
  const within = (value: Json | undefined, at: string, isListed: boolean): readonly EditableRule[] => {
    const own: EditableRule = {
      kind: 'visible',
      pointer: `${at}/visible`,
      place: describePlace(at),
      logic: asObject(value)['visible'],
      subjects,
      names: { fields },
      change: (logic) => createChange(set, ui, `${at}/visible`, logic),
    };
    const lists = listJsonChildren(asObject(value), at).flatMap(([key, part, pointer]) => {
      if (key === 'aside') return within(part, pointer, false);
      return hideable.has(key)
        ? listJsonChildren(asListOrEmpty(part), pointer).flatMap(([, entry, place]) => within(entry, place, true))
        : [];
    });
    return isListed && isObject(value) ? [own, ...lists] : lists;
  };
  return within(readFileValue(set, ui), '', false);
}

export function findVisibilityRule(
  set: StudioDefinitions,
  referenceData: StudioReferenceData,
  screen: string,
  field: string,
): EditableRule {
  const { ui } = buildScreenFilePaths(screen);
  const names = createFieldLogicNames(set, screen, field);
  const pointer = `/visible/${escapePointer(field)}`;
  const own = [`form.${field}`, `item.${getLastFieldNameSegment(field)}`];
  return {
    kind: 'visible',
    pointer,
    place: names.fields[field]?.title ?? field,
    logic: readFileValue(set, ui, pointer),
    subjects: createSubjects(
      listFieldSubjects(set, screen, names.list).filter(([path]) => !own.includes(path)),
      referenceData,
      names,
    ),
    names,
    change: (logic) => createVisibilityChange(set, screen, field, logic),
  };
}

/** Finds the condition under which a field is required. Returns `null` if the form cannot represent the condition. */
export function findRequiredRule(set: StudioDefinitions, screen: string, field: string): EditableRule | null {
  const { schema } = buildScreenFilePaths(screen);
  const names = createFieldLogicNames(set, screen, field);
  const logic = findRequiredCondition(set, screen, field);
  const subjects = listFieldSubjects(set, screen).filter(([path]) => path !== `form.${field}`);
  if (logic === null || subjects.length === 0) return null;
  return {
    kind: 'requiredWhen',
    pointer: field,
    place: names.fields[field]?.title ?? field,
    logic,
    subjects: {
      list: subjects.map(([path]) => [path, describeConditionSubject({ var: path }, names)]),
      kinds: Object.fromEntries(subjects),
      isConstant: true,
    },
    names,
    change: (next) => ({
      file: schema,
      base: findFileVersion(set, schema),
      edits: createRequiredConditionEdits(set, screen, field, next),
    }),
  };
}

export function createFieldLogicNames(set: StudioDefinitions, screen: string, field: string) {
  return {
    fields: listLabelledFields(set, screen),
    list: findEnclosingList(set, screen, field),
  } satisfies LogicDescriptionNames;
}

export function listFlowGuards(
  set: StudioDefinitions,
  referenceData: StudioReferenceData,
  flow: string,
): readonly EditableRule[] {
  const file = buildFlowFilePath(flow);
  const states = listFlowStates(set, flow);
  const called = createFlowLabelFormatter(set, flow);
  const guards = Object.keys(readFileObject(set, file, '/guards'));
  const context = Object.keys(set.flows[flow]?.context ?? {}).map((name) => [`context.${name}`, text] as const);
  return (set.guards[flow] ?? []).map(({ pointer, logic }) => {
    const state = states.filter((own) => pointer.startsWith(`${own.pointer}/`)).at(-1)?.state;
    const screen = asTextOrEmpty(state?.['screen']);
    const names = { fields: listLabelledFields(set, screen), guards };
    const own = [
      ...context,
      ...listFieldSubjects(set, screen),
      ...listResponseSubjects(set, referenceData, file, pointer),
    ];
    return {
      kind: 'guard',
      pointer,
      place: formatStep(set, file, pointer, called) ?? describeGuardPlace(pointer, called),
      logic,
      subjects: createSubjects([...own, ...guards.map((name) => [name, boolean] as const)], referenceData, names),
      names,
      change: (next) => createChange(set, file, pointer, next && abbreviateGuard(next)),
    };
  });
}

function formatStep(set: StudioDefinitions, file: string, pointer: string, { formatState }: FlowLabelFormatter) {
  const step = pointer.startsWith('/progress/')
    ? readFileValue(set, file, `${pointer.replace(/\/guard$/, '')}/state`)
    : null;
  return typeof step === 'string' ? t('guardStep', { name: formatState(step) }) : null;
}

function createChange(set: StudioDefinitions, file: string, pointer: string, value: JsonLogic | undefined): FileChange {
  return { file, base: findFileVersion(set, file), edits: [createValueEdit(pointer, value)] };
}

/** `undefined` removes the rule, and the `visible` object if it becomes empty. */
export function createVisibilityChange(
  set: StudioDefinitions,
  screen: string,
  name: string,
  logic: JsonLogic | undefined,
): FileChange {
  const { ui } = buildScreenFilePaths(screen);
  const isOnly = Object.keys(readFileObject(set, ui, '/visible')).join() === name;
  return createChange(set, ui, logic === undefined && isOnly ? '/visible' : `/visible/${escapePointer(name)}`, logic);
}

/** Abbreviates a guard as flow files do: `"x"` for `{ "var": "x" }`, `{ "error.code": "en_uso" }` for a comparison. */
function abbreviateGuard(logic: JsonLogic): JsonLogic {
  const [[operator, operand] = ['', null]] = Object.entries(asObject(logic));
  if (operator === 'var' && typeof operand === 'string') return operand;
  if ((operator === 'and' || operator === 'or') && Array.isArray(operand))
    return { [operator]: asListOrEmpty(operand).map(abbreviateGuard) };
  if (operator === '!') return { '!': abbreviateGuard(operand) };
  if (!Array.isArray(operand) || operand.length !== 2) return logic;
  const [subject, value] = operand as readonly Json[];
  const name = asObject(subject)['var'];
  const isShort = operator === '==' ? !isObject(value) : operator === 'in' && Array.isArray(value);
  return isShort && typeof name === 'string' && name.includes('.') && value !== undefined ? { [name]: value } : logic;
}

type KnownSubject = readonly [path: string, kind: ConditionSubjectKind];

const text: ConditionSubjectKind = { kind: 'text' };
const boolean: ConditionSubjectKind = { kind: 'boolean' };

function createSubjects(
  own: readonly KnownSubject[],
  { flags }: StudioReferenceData,
  names: LogicDescriptionNames,
): ConditionSubjects {
  const known: readonly KnownSubject[] = [
    ...own,
    ...flags.map((flag) => [`flags.${flag}`, boolean] as const),
    ['authenticated', boolean],
  ];
  const formatSubject = (path: string): string => {
    if (path === 'authenticated') return t('saySignedIn');
    return names.guards?.includes(path)
      ? t('guard-guards', { name: path })
      : describeConditionSubject({ var: path }, names);
  };
  return { list: known.map(([path]) => [path, formatSubject(path)]), kinds: Object.fromEntries(known) };
}

function listFieldSubjects(set: StudioDefinitions, screen: string, list: string | null = null) {
  const drawn = listLabelledFields(set, screen);
  return Object.entries(listSchemaFields(set, screen)).flatMap(([name, schema]): readonly KnownSubject[] => {
    const around = findEnclosingList(set, screen, name);
    if (isFieldGroupSchema(schema) || isListItemName(set, screen, name) || (around !== null && around !== list))
      return [];
    const { type } = schema;
    const kind = type === 'boolean' ? type : type === 'integer' || type === 'number' ? 'number' : 'text';
    const choices = (drawn[name]?.choices ?? []) as readonly (readonly [ConditionValue, string])[]; // the cast is safe, because choices in conditions are texts, numbers or booleans
    const path = around === null ? `form.${name}` : `item.${name.slice(around.length + '.items.'.length)}`;
    const hasSeveral = type === 'array';
    return [[path, { kind, ...(choices.length > 0 && { choices }), ...(hasSeveral && { hasSeveral }) }]];
  });
}

function listResponseSubjects(
  set: StudioDefinitions,
  referenceData: StudioReferenceData,
  file: string,
  pointer: string,
): readonly KnownSubject[] {
  const [, before = '', outcome] = /^(.*)\/(onDone|onError)(?:\/|$)/.exec(pointer) ?? [];
  const operation = String(readFileValue(set, file, `${before}/src`) ?? '');
  if (outcome === 'onDone') {
    return Object.entries(asObject(referenceData.samples[operation])).map(([name, value]) => {
      const type = typeof value;
      return [`result.${name}`, { kind: type === 'number' || type === 'boolean' ? type : 'text' }];
    });
  }
  if (outcome === undefined && !pointer.startsWith('/branches/')) return [];
  const codes = [...new Set([...(referenceData.operations[operation] ?? []), ...referenceData.commonErrors])];
  return [
    ['error.code', { kind: 'text', choices: codes.map((code) => [code, code]) }],
    ['error.status', { kind: 'number' }],
    ['error.field', text],
  ];
}

/** Describes the location of a guard, for example "Tus datos, Continuar, si falla, rama 2". */
export function describeGuardPlace(pointer: string, { formatState, formatEvent }: FlowLabelFormatter): string {
  const words: Readonly<Record<string, string>> = {
    requires: t('guardRequires'),
    always: t('always'),
    invoke: t('invoke'),
    onDone: t('done'),
    onError: t('failed'),
  };
  const steps = splitPointer(pointer);
  const shared = findTextByComputedKey(`guard-${steps[0]}`, { name: steps[1] ?? '' });
  const rest = shared === undefined ? steps : steps.slice(2);
  return [
    shared ?? [],
    rest.flatMap((step, index) => {
      const before = rest[index - 1];
      if (before === 'states' && rest[index - 2] !== 'on') return rest[index + 1] === 'states' ? [] : formatState(step); // describes only the innermost of nested states
      if (before === 'on' && rest[index - 2] !== 'on') return formatEvent(rest[index - 2] ?? '', step);
      if (['states', 'on', 'guard', 'branches'].includes(step)) return [];
      return /^\d+$/.test(step) ? t('guardBranch', { number: Number(step) + 1 }) : (words[step] ?? step);
    }),
  ]
    .flat()
    .join(', ');
}
