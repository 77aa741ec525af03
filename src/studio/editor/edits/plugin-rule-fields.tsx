import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { asObject, isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { asListOrEmpty } from '../../json-values.ts';
import type { StudioReferenceData } from '../../dev-page-data.ts';
import { t } from '../../texts.ts';
import { BilingualFields, CheckboxField, CheckboxGroupField, ChoiceField, TextField } from '../form-controls.tsx';
import { type SelectOptions, emptyBilingualText } from '../definition-set.ts';
import { useStudio } from '../use-studio.ts';
import type { EditableField } from './field-edits.ts';

interface PluginRulesProps {
  readonly type: string;
  readonly others: SelectOptions;
  readonly now: EditableRules;
  readonly inherited: readonly { readonly name: string; readonly typed: EditableRules }[];
  readonly onChange: (part: Partial<EditableRules>) => void;
}

type EditableRules = Pick<EditableField, 'plugins' | 'messages'>;

export function PluginRuleFields({ type, others, now, inherited, onChange }: PluginRulesProps) {
  const { referenceData } = useStudio();
  const { plugins: rules, messages } = now;
  const ruleSources = [rules, ...inherited.map(({ typed }) => typed.plugins)];
  const offered = Object.entries(referenceData.rules).filter(
    ([keyword, { types }]) => types.some((own) => own === type) && ruleSources.every((own) => !(keyword in own)),
  );
  const message = (keyword: string) => (
    <BilingualFields
      label={t('messageOf', { rule: resolveRuleTitle(referenceData, keyword) })}
      value={messages[keyword] ?? emptyBilingualText}
      inherited={inherited.find(({ typed }) => typed.messages[keyword]?.es)?.typed.messages[keyword]}
      onChange={(own) => onChange({ messages: { ...messages, [keyword]: own } })}
    />
  );
  return (
    <>
      {Object.entries(rules).map(([keyword, written]) => {
        const schema = referenceData.rules[keyword]?.parameters ?? {};
        return (
          <fieldset key={keyword} className="studio-fields">
            <legend>{formatLegend(referenceData, keyword)}</legend>
            {listRuleParameters(schema, written).map((own) => (
              <ParameterField
                key={own.name}
                label={
                  (own.name === ''
                    ? referenceData.rules[keyword]?.title
                    : referenceData.rules[keyword]?.labels[own.name]) ?? own.name
                }
                parameter={own}
                others={others}
                onChange={(value) =>
                  onChange({ plugins: { ...rules, [keyword]: setRuleParameter(schema, written, own.name, value) } })
                }
              />
            ))}
            {message(keyword)}
            <Button
              onClick={() =>
                onChange({
                  plugins: Object.fromEntries(Object.entries(rules).filter(([other]) => other !== keyword)),
                  messages: { ...messages, [keyword]: emptyBilingualText },
                })
              }
            >
              {t('removeRule', { name: resolveRuleTitle(referenceData, keyword) })}
            </Button>
          </fieldset>
        );
      })}
      {inherited.flatMap(({ name, typed }) =>
        Object.keys(typed.plugins).map((keyword) => (
          <fieldset key={`${name} ${keyword}`} className="studio-fields">
            <legend>{t('limitFrom', { label: formatLegend(referenceData, keyword), name })}</legend>
            {message(keyword)}
          </fieldset>
        )),
      )}
      {offered.length > 0 && (
        <AddRule
          rules={offered.map(([keyword, { title }]) => [keyword, title])}
          onAdd={(keyword) =>
            onChange({
              plugins: { ...rules, [keyword]: createInitialRuleValue(referenceData.rules[keyword]?.parameters ?? {}) },
            })
          }
        />
      )}
    </>
  );
}

function AddRule({ rules, onAdd }: { readonly rules: SelectOptions; readonly onAdd: (keyword: string) => void }) {
  const [chosen, setChosen] = useState('');
  const known = rules.find(([keyword]) => keyword === chosen) ?? rules[0];
  if (!known) return null;
  return (
    <div className="studio-fields">
      <ChoiceField label={t('otherRule')} value={known[0]} options={rules} onChange={setChosen} />
      <Button onClick={() => onAdd(known[0])}>{t('addRuleHere')}</Button>
    </div>
  );
}

interface ParameterFieldProps {
  readonly label: string;
  readonly parameter: Parameter;
  readonly others: SelectOptions;
  readonly onChange: (value: Json | undefined) => void;
}

function ParameterField({ label, parameter, others, onChange }: ParameterFieldProps) {
  const { kind, value, required } = parameter;
  const separator = kind === 'lines' ? '\n' : ', ';
  const text = [value ?? '']
    .flat()
    .map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part)))
    .join(separator);
  if (kind === undefined) return <p>{`${label}: ${text}`}</p>;
  if (kind === 'boolean')
    return (
      <CheckboxField
        label={label}
        value={value === true}
        onChange={(checked) => onChange(checked || required ? checked : undefined)}
      />
    );
  if (kind === 'field')
    return (
      <ChoiceField
        label={label}
        value={text}
        required={required}
        options={[['', ''], ...addUnknownFields(others, [text])]}
        onChange={(name) => onChange(name === '' ? undefined : name)}
      />
    );
  if (kind === 'fields') {
    const names = asListOrEmpty(value).map(String);
    return (
      <CheckboxGroupField label={label} value={names} options={addUnknownFields(others, names)} onChange={onChange} />
    );
  }
  return (
    <TextField
      label={label}
      value={text}
      required={required}
      long={kind === 'lines'}
      onChange={(typed) => onChange(parseRuleParameter(kind, typed))}
    />
  );
}

/** Adds options for the fields that a rule names but the screen lacks: fields of earlier steps. */
function addUnknownFields(choices: SelectOptions, names: readonly string[]): SelectOptions {
  const unknown = names.filter((name) => name !== '' && choices.every(([own]) => own !== name));
  return [...choices, ...unknown.map((name) => [name, name] as const)];
}

function resolveRuleTitle(referenceData: StudioReferenceData, keyword: string): string {
  return referenceData.rules[keyword]?.title ?? keyword;
}

function formatLegend(referenceData: StudioReferenceData, keyword: string): string {
  return `${resolveRuleTitle(referenceData, keyword)}: ${referenceData.rules[keyword]?.message ?? ''}`;
}

/** Type of a rule's parameter. `lines` is a list of texts, one per line. */
type ParameterKind = 'string' | 'number' | 'integer' | 'boolean' | 'field' | 'fields' | 'lines';

interface Parameter {
  /** Name of the parameter. Empty if the rule's only parameter has no name. */
  readonly name: string;
  /** Type of the parameter. `undefined` if the form can show the parameter but not edit it. */
  readonly kind: ParameterKind | undefined;
  readonly required: boolean;
  readonly value: Json | undefined;
}

export function listRuleParameters(schema: JsonObject, written: Json): readonly Parameter[] {
  const forms = listAlternatives(schema);
  const [named] = forms.filter(isObjectSchema);
  if (named && (isObject(written) || written === findConstant(forms))) {
    const own = asObject(written);
    const required = listRequiredParameters(named);
    return Object.entries(named['properties']).flatMap(([name, part]) => {
      const [kind, value] = [findKind(part), own[name]];
      return kind === undefined && value === undefined
        ? []
        : [{ name, kind, required: required.includes(name), value }];
    });
  }
  if (written === findConstant(forms)) return [];
  const kinds = forms.map(findKind).filter((kind) => kind !== undefined);
  return [{ name: '', kind: kinds[0], required: true, value: written }];
}

export function createInitialRuleValue(schema: JsonObject): Json {
  const forms = listAlternatives(schema);
  const constant = findConstant(forms);
  if (constant !== undefined) return constant;
  const [named] = forms.filter(isObjectSchema);
  if (!named) return createEmptyValue(findKind(forms[0])) ?? '';
  return Object.fromEntries(
    listRequiredParameters(named).flatMap((name): readonly (readonly [string, Json])[] => {
      const empty = createEmptyValue(findKind(named['properties'][name]));
      return empty === undefined ? [] : [[name, empty]];
    }),
  );
}

function createEmptyValue(kind: ParameterKind | undefined): Json | undefined {
  if (kind === 'boolean') return false;
  return kind === 'fields' || kind === 'lines' ? [] : undefined;
}

export function setRuleParameter(schema: JsonObject, written: Json, name: string, value: Json | undefined): Json {
  if (name === '') return value ?? '';
  const { [name]: _, ...others } = asObject(written);
  const next: JsonObject = value === undefined ? others : { ...asObject(written), [name]: value };
  const constant = findConstant(listAlternatives(schema));
  return Object.keys(next).length === 0 && constant !== undefined ? constant : next;
}

/** Returns `undefined` for an empty input. An incomplete number such as `0.` remains a text. */
export function parseRuleParameter(kind: ParameterKind | undefined, typed: string): Json | undefined {
  if (typed === '') return undefined;
  if (kind === 'lines') return typed.split('\n');
  const isNumber = (kind === 'number' || kind === 'integer') && String(Number(typed)) === typed;
  return isNumber ? Number(typed) : typed;
}

type ObjectSchema = JsonObject & { readonly properties: Readonly<Record<string, Json>> };

function isObjectSchema(form: JsonObject): form is ObjectSchema {
  return isObject(form['properties']);
}

function listAlternatives(schema: JsonObject): readonly JsonObject[] {
  const { anyOf } = schema;
  return (Array.isArray(anyOf) ? anyOf : [schema]).filter(isObject) as readonly JsonObject[]; // excludes boolean subschemas, which are no alternatives
}

function findConstant(forms: readonly JsonObject[]): Json | undefined {
  return forms.find((form) => form['const'] !== undefined)?.['const'];
}

function listRequiredParameters({ required }: JsonObject): readonly string[] {
  return asListOrEmpty(required) as readonly string[]; // `required` of a JSON Schema is a list of names
}

function findKind(part: Json | undefined): ParameterKind | undefined {
  const { type, items, names } = asObject(part);
  if (names === 'field') return 'field';
  if (type === 'array') {
    const of = findKind(items);
    return of === 'field' ? 'fields' : of === 'string' ? 'lines' : undefined;
  }
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean' ? type : undefined;
}
