import { useState } from 'react';
import { builtInWidgets, type BuiltInWidget } from '../../../engine/core/built-in-widgets.ts';
import type { StudioReferenceData } from '../../dev-page-data.ts';
import type { StudioDefinitions } from '../../studio-api-types.ts';
import { findTextByComputedKey, t } from '../../texts.ts';
import { BilingualFields, ChoiceField, IndexSelectField, TextField } from '../form-controls.tsx';
import { isComputedField, isListItemName, isItemListSchema, listSchemaFields } from '../fields/field-pointers.ts';
import { createScreenOnlyEdits, ScreenOnlyFields, type ScreenOnlyEdits } from '../fields/screen-only-fields.tsx';
import { buildScreenFilePaths, emptyBilingualText } from '../definition-set.ts';
import { listLabelledFields } from '../titles.ts';
import { useStudio } from '../use-studio.ts';
import {
  createFieldEdits,
  fieldTextKeys,
  fieldHasChoices,
  listFieldDefinitions,
  listLimitKeywords,
  formatScreenTitles,
  parseChoices,
  readEditableField,
  resolveFieldType,
  appendFileEdits,
  splitLinesAtEqualsSigns,
  type EditableField,
} from './field-edits.ts';
import { ConfirmedEditForm } from './confirmed-edit-form.tsx';
import { PluginRuleFields } from './plugin-rule-fields.tsx';
import { isFieldGroupSchema } from '../../../engine/core/field-path.ts';

export function FieldEditForm({ screen, field, onDone }: { screen: string; field: string; onDone: () => void }) {
  const { set, referenceData } = useStudio();
  const homes = listFieldDefinitions(set, screen, field);
  const type = resolveFieldType(set, homes);
  const keywords = fieldHasChoices(set, homes) ? [] : listLimitKeywords(type);
  const drawn = listLabelledFields(set, screen);
  const [chosen, setChosen] = useState(0);
  const home = homes[chosen] ?? homes[0];
  const [typed, setTyped] = useState<EditableField>();
  const [ownEdits, setOwnEdits] = useState<ScreenOnlyEdits>({});
  if (!home) return null;
  const nature = classifyField(set, screen, field);
  const plugins = Object.keys(referenceData.rules);
  const before = readEditableField(set, home, keywords, plugins);
  const now = typed ?? before;
  const change = (part: Partial<EditableField>): void => setTyped({ ...now, ...part });
  const knownChoices = splitLinesAtEqualsSigns(before.choices).map(([value]) => value);
  const choices = parseChoices(now.choices, knownChoices);
  const inherited = homes
    .slice(chosen + 1)
    .map((from) => ({ name: from.name, typed: readEditableField(set, from, keywords, plugins) }));
  return (
    <ConfirmedEditForm
      title={t('editField', { name: drawn[field]?.title ?? field })}
      changes={appendFileEdits(
        set,
        createFieldEdits(set, home, before, now),
        buildScreenFilePaths(screen).schema,
        home.name === '' ? createScreenOnlyEdits(set, screen, { field, type, lines: now.choices, own: ownEdits }) : [],
      )}
      onDone={onDone}
    >
      {homes.length > 1 && (
        <IndexSelectField
          label={t('where')}
          value={chosen}
          options={homes.map(({ name, screens }) =>
            name === '' ? t('hereAlone') : t('everywhere', { name, count: screens.length }),
          )}
          onChange={(next) => {
            setChosen(next);
            setTyped(undefined);
          }}
        />
      )}
      {home.name !== '' && <p>{t('everywhereIs', { screens: formatScreenTitles(set, home.screens) })}</p>}
      {(nature === 'field' || nature === 'list') && (
        <RuleFields inherited={inherited} now={now} keywords={keywords} onChange={change} />
      )}
      {nature === 'field' && (
        <PluginRuleFields
          type={type}
          others={Object.entries(drawn).flatMap(([name, { title }]) =>
            name === field || name.includes('.') ? [] : [[name, title] as const],
          )}
          now={now}
          inherited={inherited}
          onChange={change}
        />
      )}
      {home.name === '' && (
        <ScreenOnlyFields
          screen={screen}
          field={field}
          type={type}
          lines={now.choices}
          own={ownEdits}
          onChange={(part) => setOwnEdits({ ...ownEdits, ...part })}
        />
      )}
      <fieldset className="studio-fields">
        <legend>{t('texts')}</legend>
        {formTexts[nature].map((key) => (
          <BilingualFields
            key={key}
            label={t(`edit-${key}`)}
            value={now.texts[key]}
            inherited={inherited.find(({ typed: own }) => own.texts[key].es !== '')?.typed.texts[key]}
            onChange={(own) => change({ texts: { ...now.texts, [key]: own } })}
          />
        ))}
        {nature === 'field' && (
          <>
            <ChoiceField
              label={t('widget')}
              value={now.widget}
              options={[['', t('widgetOfType')], ...listWidgetChoices(referenceData, type, now.widget)]}
              onChange={(widget) => change({ widget })}
            />
            {before.choices !== '' && (
              <TextField
                label={t('choicesLines')}
                value={now.choices}
                long
                onChange={(choices) => change({ choices })}
              />
            )}
            {before.choices !== now.choices && (
              <p>{t('choiceValues', { values: choices.map(({ value }) => value).join(', ') })}</p>
            )}
            <TextField label={t('linkLines')} value={now.links} long onChange={(links) => change({ links })} />
          </>
        )}
      </fieldset>
    </ConfirmedEditForm>
  );
}

const formTexts = {
  field: fieldTextKeys,
  list: ['ui:title', 'ui:help'],
  group: ['ui:title', 'ui:help'],
  computed: ['ui:title', 'ui:help'],
  item: ['ui:title'],
} as const;

function classifyField(set: StudioDefinitions, screen: string, field: string): keyof typeof formTexts {
  const schema = listSchemaFields(set, screen)[field] ?? {};
  if (isComputedField(set, screen, field)) return 'computed';
  if (isFieldGroupSchema(schema)) return isListItemName(set, screen, field) ? 'item' : 'group';
  return isItemListSchema(schema) ? 'list' : 'field';
}

function listWidgetChoices({ widgets, widgetTitles }: StudioReferenceData, type: string, chosen: string) {
  const findWidgetTypes = (name: string): readonly string[] | undefined => builtInWidgets[name as BuiltInWidget];
  return widgets
    .filter((name) => name === chosen || (findWidgetTypes(name)?.includes(type) ?? true))
    .map((name) => [name, findTextByComputedKey(`widget-${name}`) ?? widgetTitles[name] ?? name] as const);
}

interface RulesProps {
  /** Values from shared definitions, which apply where this definition sets no value. */
  readonly inherited: readonly { readonly name: string; readonly typed: EditableField }[];
  readonly now: EditableField;
  readonly keywords: readonly string[];
  readonly onChange: (part: Partial<EditableField>) => void;
}

function RuleFields({ inherited, now, keywords, onChange }: RulesProps) {
  const hasKeyword = (keyword: string) =>
    [now, ...inherited.map(({ typed }) => typed)].some(
      ({ rules, messages }) => (rules[keyword] ?? '') !== '' || (messages[keyword]?.es ?? '') !== '',
    );
  return (
    <fieldset className="studio-fields">
      <legend>{t('rules')}</legend>
      {keywords.map((keyword) => {
        const from = inherited.find(({ typed }) => typed.rules[keyword] !== '');
        const label = t(`limit-${keyword as 'minLength'}`);
        return (
          <TextField
            key={keyword}
            label={from ? t('limitFrom', { label, name: from.name }) : label}
            placeholder={from?.typed.rules[keyword]}
            value={now.rules[keyword] ?? ''}
            onChange={(value) => onChange({ rules: { ...now.rules, [keyword]: value } })}
          />
        );
      })}
      {['required', ...keywords.filter(hasKeyword)].map((keyword) => (
        <BilingualFields
          key={keyword}
          label={t('messageOf', { rule: t(`limit-${keyword as 'minLength'}`) })}
          value={now.messages[keyword] ?? emptyBilingualText}
          inherited={inherited.find(({ typed }) => typed.messages[keyword]?.es)?.typed.messages[keyword]}
          onChange={(own) => onChange({ messages: { ...now.messages, [keyword]: own } })}
        />
      ))}
    </fieldset>
  );
}
