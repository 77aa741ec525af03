import { joinItemFieldName, joinFieldName } from '../../../engine/core/field-path.ts';
import type { Json } from '../../../engine/core/json.ts';
import { emptyBilingualText, readFileValue, type BilingualText } from '../definition-set.ts';
import type { ChoiceDependency } from './dependent-choices.ts';
import type { Formula } from './formulas.ts';
import type { StudioDefinitions } from '../../studio-api-types.ts';

export const fieldKinds = [
  'text',
  'paragraph',
  'number',
  'decimal',
  'date',
  'datetime',
  'time',
  'checkbox',
  'choice',
  'choices',
  'file',
  'group',
  'list',
  'computed',
] as const;
export type FieldKind = (typeof fieldKinds)[number];

export const fieldRules = ['none', 'maxLength', 'minLength', 'digits', 'pattern', 'minimum', 'maximum'] as const;
type FieldRule = (typeof fieldRules)[number];

export interface NewField {
  readonly name: string;
  readonly kind: FieldKind;
  /** Shared definition that the field refers to with `$ref`. If set, `kind` is ignored. */
  readonly shared: SharedKind | null;
  readonly label: BilingualText;
  readonly help: BilingualText;
  readonly required: boolean;
  readonly rule: FieldRule;
  readonly parameter: string;
  /** Message of the rule. If empty, the message catalogue's text is used. */
  readonly message: BilingualText;
  readonly choices: readonly { readonly value: string; readonly es: string; readonly pt: string }[];
  /** Valid value for the test cases. If empty, `findExampleFieldValue` derives one. */
  readonly good: string;
  readonly section: number | null;
  /** Name of the group or list items that contain the field. Empty for a top-level field. */
  readonly within: string;
  /** First field of a new group or list, because a group or list must not be empty. */
  readonly inner: NewField | null;
  readonly itemLabel: BilingualText;
  /** Minimum number of items. Empty for none. */
  readonly least: string;
  /** Maximum number of items. */
  readonly most: string;
  readonly formula: Formula;
  readonly dependence: ChoiceDependency | null;
}

export const emptyNewField: NewField = {
  name: '',
  kind: 'text',
  shared: null,
  label: emptyBilingualText,
  help: emptyBilingualText,
  required: false,
  rule: 'none',
  parameter: '',
  message: emptyBilingualText,
  choices: [],
  good: '',
  section: null,
  within: '',
  inner: null,
  itemLabel: emptyBilingualText,
  least: '',
  most: '10',
  formula: { operation: '+', operands: [] },
  dependence: null,
};

export function isContainerField({ kind, shared }: NewField): boolean {
  return !shared && (kind === 'group' || kind === 'list');
}

export function flattenNewField(field: NewField): readonly (readonly [name: string, field: NewField])[] {
  const name = joinFieldName(field.within, field.name);
  const within = field.kind === 'list' ? joinItemFieldName(name, '') : name;
  return [[name, field], ...(field.inner ? flattenNewField({ ...field.inner, within }) : [])];
}

export function resolveFieldRuleKeyword(rule: FieldRule): string {
  if (rule === 'none') return '';
  return rule === 'digits' ? 'pattern' : rule;
}

export function parseFieldValue({ kind, shared }: NewField, typed: string): Json {
  if (shared) return typed;
  if (kind === 'checkbox') return typed === 'true';
  if (kind === 'choices') return [typed];
  return kind === 'number' || kind === 'decimal' ? Number(typed) : typed;
}

const examples: Readonly<Partial<Record<FieldKind, string>>> = {
  text: 'Texto',
  paragraph: 'Texto',
  number: '1',
  decimal: '1',
  date: '2026-01-31',
  datetime: '2026-01-31T10:30:00Z',
  time: '10:30:00Z',
  checkbox: 'true',
};

/** Returns a valid value of a new field. Returns an empty text if no value follows from the rules, as for a pattern. */
export function findExampleFieldValue({ kind, shared, rule, parameter, choices, good }: NewField): string {
  const example = examples[kind] ?? choices[0]?.value ?? '';
  if (good !== '' || shared || rule === 'pattern') return good;
  if (rule === 'digits') return '1';
  if (rule === 'minLength' || rule === 'maxLength')
    return example.padEnd(rule === 'minLength' ? Number(parameter) : 0, 'o').slice(0, Number(parameter) || undefined);
  return rule === 'none' ? example : parameter;
}

export function buildAcceptedCaseName(field: string): string {
  return `con-${field}`.toLowerCase().replaceAll('_', '-');
}

interface SharedKind {
  /** `$ref` to the definition, relative to the folder of a screen. */
  readonly reference: string;
  readonly label: BilingualText;
}

export function listSharedFieldKinds(set: StudioDefinitions): readonly SharedKind[] {
  return set.shared.definitions.flatMap((reference) => {
    const [path = '', pointer = ''] = reference.replace('../', 'schemas/').split('#');
    const labelIn = (file: string): string | undefined => {
      let at = pointer;
      for (let depth = 0; depth < 5; depth += 1) {
        const own = readFileValue(set, file, `${at}/ui/ui:title`);
        const behind = readFileValue(set, path, `${at}/$ref`);
        if (typeof own === 'string') return own;
        if (typeof behind !== 'string' || !behind.startsWith('#')) return undefined;
        at = behind.slice(1); // continues at a reference within the same file
      }
      return undefined;
    };
    const [es, pt] = [labelIn(path), labelIn(path.replace(/json$/, 'pt.json'))];
    return es === undefined || pt === undefined ? [] : [{ reference, label: { es, pt } }];
  });
}
