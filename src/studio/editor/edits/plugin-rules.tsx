import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import type { Json } from '../../../engine/core/json.ts';
import type { StudioFacts } from '../../dev-data.ts';
import { t } from '../../texts.ts';
import { BothFields, CheckField, ChecksField, ChoiceField, TextField } from '../controls.tsx';
import type { TypedField } from './field-edits.ts';
import {
  blankOf,
  parametersOf,
  readParameter,
  shownParameter,
  withParameter,
  type Parameter,
} from './rule-parameters.ts';

const noText = { es: '', pt: '' };

type Choices = readonly (readonly [value: string, text: string])[];

interface PluginRulesProps {
  readonly facts: StudioFacts;
  readonly type: string;
  /** Other fields of the screen, by name and label. */
  readonly others: Choices;
  readonly now: Typed;
  /** Values from the shared definitions that this place refers to. */
  readonly inherited: readonly { readonly name: string; readonly typed: Typed }[];
  readonly onChange: (part: Partial<Typed>) => void;
}

type Typed = Pick<TypedField, 'plugins' | 'messages'>;

export function PluginRules({ facts, type, others, now, inherited, onChange }: PluginRulesProps) {
  const { plugins: rules, messages } = now;
  const said = [rules, ...inherited.map(({ typed }) => typed.plugins)];
  const offered = Object.entries(facts.rules).filter(
    ([keyword, { types }]) => types.some((own) => own === type) && said.every((own) => !(keyword in own)),
  );
  const message = (keyword: string) => (
    <BothFields
      label={t('messageOf', { rule: titleOf(facts, keyword) })}
      value={messages[keyword] ?? noText}
      inherited={inherited.find(({ typed }) => typed.messages[keyword]?.es)?.typed.messages[keyword]}
      onChange={(own) => onChange({ messages: { ...messages, [keyword]: own } })}
    />
  );
  return (
    <>
      {Object.entries(rules).map(([keyword, written]) => {
        const schema = facts.rules[keyword]?.parameters ?? {};
        return (
          <fieldset key={keyword} className="studio-fields">
            <legend>{legendOf(facts, keyword)}</legend>
            {parametersOf(schema, written).map((own) => (
              <ParameterField
                key={own.name}
                label={
                  (own.name === '' ? facts.rules[keyword]?.title : facts.rules[keyword]?.labels[own.name]) ?? own.name
                }
                parameter={own}
                others={others}
                onChange={(value) =>
                  onChange({ plugins: { ...rules, [keyword]: withParameter(schema, written, own.name, value) } })
                }
              />
            ))}
            {message(keyword)}
            <Button
              onClick={() =>
                onChange({
                  plugins: Object.fromEntries(Object.entries(rules).filter(([other]) => other !== keyword)),
                  messages: { ...messages, [keyword]: noText },
                })
              }
            >
              {t('removeRule', { name: titleOf(facts, keyword) })}
            </Button>
          </fieldset>
        );
      })}
      {inherited.flatMap(({ name, typed }) =>
        Object.keys(typed.plugins).map((keyword) => (
          <fieldset key={`${name} ${keyword}`} className="studio-fields">
            <legend>{t('limitFrom', { label: legendOf(facts, keyword), name })}</legend>
            {message(keyword)}
          </fieldset>
        )),
      )}
      {offered.length > 0 && (
        <AddRule
          rules={offered.map(([keyword, { title }]) => [keyword, title])}
          onAdd={(keyword) =>
            onChange({ plugins: { ...rules, [keyword]: blankOf(facts.rules[keyword]?.parameters ?? {}) } })
          }
        />
      )}
    </>
  );
}

function AddRule({ rules, onAdd }: { readonly rules: Choices; readonly onAdd: (keyword: string) => void }) {
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
  readonly others: Choices;
  readonly onChange: (value: Json | undefined) => void;
}

function ParameterField({ label, parameter, others, onChange }: ParameterFieldProps) {
  const { kind, value, required } = parameter;
  const text = shownParameter(parameter);
  if (kind === undefined) return <p>{`${label}: ${text}`}</p>;
  if (kind === 'boolean')
    return (
      <CheckField
        label={label}
        checked={value === true}
        onChange={(checked) => onChange(checked || required ? checked : undefined)}
      />
    );
  if (kind === 'field')
    return (
      <ChoiceField
        label={label}
        value={text}
        required={required}
        options={[['', ''], ...withUnknown(others, [text])]}
        onChange={(name) => onChange(name === '' ? undefined : name)}
      />
    );
  if (kind === 'fields') {
    const names = Array.isArray(value) ? value.map(String) : [];
    return <ChecksField label={label} values={names} options={withUnknown(others, names)} onChange={onChange} />;
  }
  return (
    <TextField
      label={label}
      value={text}
      required={required}
      long={kind === 'lines'}
      onChange={(typed) => onChange(readParameter(kind, typed))}
    />
  );
}

/** Adds fields that the rule refers to but the screen does not have, because they belong to earlier steps. */
function withUnknown(choices: Choices, names: readonly string[]): Choices {
  const unknown = names.filter((name) => name !== '' && choices.every(([own]) => own !== name));
  return [...choices, ...unknown.map((name) => [name, name] as const)];
}

function titleOf(facts: StudioFacts, keyword: string): string {
  return facts.rules[keyword]?.title ?? keyword;
}

function legendOf(facts: StudioFacts, keyword: string): string {
  return `${titleOf(facts, keyword)}: ${facts.rules[keyword]?.message ?? ''}`;
}
