import { nameInItems, nameWithin } from '../../../engine/core/field-path.ts';
import type { Json } from '../../../engine/core/json.ts';
import type { Both } from '../tasks/screen-tasks.ts';
import type { Dependence } from './dependent-choices.ts';
import type { Formula } from './formulas.ts';
import type { SharedKind } from './shared-kinds.ts';

/** The kinds of fields that can be added, beside those of a shared definition. */
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

/** The rules that a new field can have. */
export const fieldRules = ['none', 'maxLength', 'minLength', 'digits', 'pattern', 'minimum', 'maximum'] as const;
export type FieldRule = (typeof fieldRules)[number];

/** A field that is to be added. */
export interface NewField {
  readonly name: string;
  readonly kind: FieldKind;
  /** The definition that says all of it; `kind` says nothing then. */
  readonly shared: SharedKind | null;
  readonly label: Both;
  readonly help: Both;
  readonly required: boolean;
  readonly rule: FieldRule;
  /** The limit, or the pattern. */
  readonly parameter: string;
  /** Without one the message of the catalogue stands. */
  readonly message: Both;
  /** Choices as they are sent, a line each, and their names in each language. */
  readonly choices: readonly { readonly value: string; readonly es: string; readonly pt: string }[];
  /** A value that the rules take, and one that they refuse. */
  readonly good: string;
  readonly bad: string;
  /** Number of the section that it goes into; null: none. */
  readonly section: number | null;
  /** The group, or the items of a list, that it goes into; empty: none. */
  readonly within: string;
  /** The first field of a group or of the items of a list, which cannot be without one. */
  readonly inner: NewField | null;
  /** What an item of a list is called, and how many there are at least (empty: none) and at most. */
  readonly itemLabel: Both;
  readonly least: string;
  readonly most: string;
  /** What it is computed from. */
  readonly formula: Formula;
  readonly dependence: Dependence | null;
}

const noText: Both = { es: '', pt: '' };

/** A field of which nothing is said yet. */
export const blankField: NewField = {
  name: '',
  kind: 'text',
  shared: null,
  label: noText,
  help: noText,
  required: false,
  rule: 'maxLength',
  parameter: '',
  message: noText,
  choices: [],
  good: '',
  bad: '',
  section: null,
  within: '',
  inner: null,
  itemLabel: noText,
  least: '',
  most: '10',
  formula: { operation: '+', operands: [] },
  dependence: null,
};

/** Whether a new field holds others. */
export function isHolder({ kind, shared }: NewField): boolean {
  return !shared && (kind === 'group' || kind === 'list');
}

/** A new field and those within it, each by its whole name. */
export function chainOf(field: NewField): readonly (readonly [name: string, field: NewField])[] {
  const name = nameWithin(field.within, field.name);
  const within = field.kind === 'list' ? nameInItems(name, '') : name;
  return [[name, field], ...(field.inner ? chainOf({ ...field.inner, within }) : [])];
}

/** The keyword of JSON Schema that says a rule; empty of none. */
export function keywordOf(rule: FieldRule): string {
  if (rule === 'none') return '';
  return rule === 'digits' ? 'pattern' : rule;
}

/** What is typed of a field, as a value of its kind. */
export function valueOf({ kind, shared }: NewField, typed: string): Json {
  if (shared) return typed;
  if (kind === 'checkbox') return typed === 'true';
  if (kind === 'choices') return [typed];
  return kind === 'number' || kind === 'decimal' ? Number(typed) : typed;
}
