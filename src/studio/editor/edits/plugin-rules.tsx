import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { StudioFacts } from '../../dev-data.ts';
import { t } from '../../texts.ts';
import { TextField } from '../controls.tsx';

/** The parameters of rules of plugins by keyword, as they are written. */
export type WrittenRules = Readonly<Record<string, Json>>;

interface PluginRulesProps {
  readonly facts: StudioFacts;
  readonly rules: WrittenRules;
  /** What the definitions say that the place takes. */
  readonly inherited: readonly { readonly name: string; readonly rules: WrittenRules }[];
  readonly onChange: (rules: WrittenRules) => void;
}

/** The rules of plugins at a field: what each says, with its parameters, of which a text or a number is edited. */
export function PluginRules({ facts, rules, inherited, onChange }: PluginRulesProps) {
  return (
    <>
      {Object.entries(rules).map(([keyword, parameters]) => (
        <fieldset key={keyword} className="studio-fields">
          <legend>{legendOf(facts, keyword)}</legend>
          {parametersOf(facts.rules[keyword]?.parameters ?? {}, parameters).map(({ name, type, value }) =>
            type === undefined ? (
              <p key={name}>{`${name === '' ? keyword : name}: ${shown(value)}`}</p>
            ) : (
              <TextField
                key={name}
                label={name === '' ? keyword : t('ruleParameter', { rule: keyword, name })}
                value={shown(value)}
                onChange={(typed) =>
                  onChange({ ...rules, [keyword]: withParameter(parameters, name, read(type, typed)) })
                }
              />
            ),
          )}
          <button
            type="button"
            className="button"
            onClick={() => onChange(Object.fromEntries(Object.entries(rules).filter(([other]) => other !== keyword)))}
          >
            {t('removeRule', { name: keyword })}
          </button>
        </fieldset>
      ))}
      {inherited.flatMap(({ name, rules: own }) =>
        Object.keys(own).map((keyword) => (
          <p key={`${name} ${keyword}`}>{t('limitFrom', { label: legendOf(facts, keyword), name })}</p>
        )),
      )}
    </>
  );
}

function legendOf(facts: StudioFacts, keyword: string): string {
  return `${keyword}: ${facts.rules[keyword]?.message ?? ''}`;
}

type Scalar = 'string' | 'number' | 'integer';

interface Parameter {
  /** Empty: the rule has this one alone. */
  readonly name: string;
  /** Absent: it is shown alone. */
  readonly type: Scalar | undefined;
  readonly value: Json | undefined;
}

/** The parameters that the schema of a rule declares, in the form in which they are written. */
function parametersOf(schema: JsonObject, written: Json): readonly Parameter[] {
  const { anyOf } = schema;
  const forms = (Array.isArray(anyOf) ? (anyOf as readonly Json[]) : [schema]).filter(
    isObject,
  ) as readonly JsonObject[]; // its format is checked
  if (!isObject(written)) {
    const type = forms
      .map(scalarOf)
      .find((own) => own !== undefined && (own === 'string') === (typeof written === 'string'));
    return typeof written === 'boolean' ? [] : [{ name: '', type, value: written }];
  }
  const properties = forms.map((form) => form['properties']).find(isObject) ?? {};
  return Object.entries(properties as JsonObject).flatMap(([name, own]) => {
    const type = isObject(own) ? scalarOf(own as JsonObject) : undefined;
    const value = (written as JsonObject)[name];
    return type === undefined && value === undefined ? [] : [{ name, type, value }];
  });
}

function scalarOf({ type }: JsonObject): Scalar | undefined {
  return type === 'string' || type === 'number' || type === 'integer' ? type : undefined;
}

function read(type: Scalar, typed: string): Json | undefined {
  if (typed === '') return undefined;
  return type === 'string' || Number.isNaN(Number(typed)) ? typed : Number(typed);
}

/** `value`: absent, the parameter is left out. */
function withParameter(written: Json, name: string, value: Json | undefined): Json {
  if (name === '' || !isObject(written)) return value ?? '';
  const { [name]: _, ...others } = written as JsonObject;
  return value === undefined ? others : { ...(written as JsonObject), [name]: value };
}

function shown(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}
