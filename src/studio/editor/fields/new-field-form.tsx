import { useState } from 'react';
import { joinFieldName, isFieldGroupSchema } from '../../../engine/core/field-path.ts';
import { deriveKeyFromLabel } from '../definition-set.ts';
import type { StudioCases, StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import {
  BilingualFields,
  CheckboxField,
  ChoiceField,
  EditTaskForm,
  TextField,
  useFormFields,
  type EditTaskEndCallback,
} from '../form-controls.tsx';
import { listLabelledFields } from '../titles.ts';
import { useStudio } from '../use-studio.ts';
import { parseChoices } from '../edits/field-edits.ts';
import { createNewFieldChanges, getFieldNameInTestCase } from './new-field-changes.ts';
import { getParentFieldName, getLastFieldNameSegment, findEnclosingList, listSchemaFields } from './field-pointers.ts';
import { FormulaFields } from './formula-fields.tsx';
import { createInitialFormula } from './formulas.ts';
import {
  emptyNewField,
  flattenNewField,
  findExampleFieldValue,
  fieldKinds,
  fieldRules,
  isContainerField,
  listSharedFieldKinds,
  type FieldKind,
  type NewField,
} from './new-field.ts';
import { ChoiceDependencyFields } from './screen-only-fields.tsx';

interface FieldFormProps {
  readonly screen: string;
  readonly cases: StudioCases;
  readonly sections: readonly string[];
  readonly onDone: EditTaskEndCallback;
}

/** Form that adds a field to a screen. A group or list cannot be empty, so the form continues with its first field. */
export function NewFieldForm({ screen, cases, sections, onDone }: FieldFormProps) {
  const { set } = useStudio();
  const [outer, setOuter] = useState<NewField | null>(null);
  const section = sections.length > 0 ? sections.length - 1 : null;
  const [field, change, bind] = useFormFields<NewField>({ ...emptyNewField, section });
  const [lines, setLines] = useState('');
  const is = (...kinds: readonly FieldKind[]): boolean => !field.shared && kinds.includes(field.kind);
  const isRuled = is('text', 'paragraph', 'number', 'decimal');
  const isChosen = is('choice', 'choices');
  const shared = listSharedFieldKinds(set);
  const siblings = Object.keys(listSchemaFields(set, screen)).filter(
    (own) => !outer && getParentFieldName(own) === field.within,
  );
  const name =
    field.name === '' ? deriveKeyFromLabel(field.label.es, '_', siblings.map(getLastFieldNameSegment)) : field.name;
  const newField: NewField = {
    ...field,
    name,
    rule: isRuled ? field.rule : 'none',
    choices: isChosen ? parseChoices(lines) : [],
    dependence: !outer && isChosen ? field.dependence : null,
    required: field.required && !is('computed'),
  };
  const added = outer ? { ...outer, inner: newField } : newField;
  const names = flattenNewField(added).map(([own]) => own);
  const isFirstPart = isContainerField(newField);
  const addAnother = (): void => {
    setOuter(newField);
    change({ ...emptyNewField, required: newField.kind === 'list' });
    setLines('');
  };
  const kinds = fieldKinds.filter((kind) => {
    if (kind === 'computed') return !outer && field.within === '';
    if (kind === 'list') return !outer && canContainList(set, screen, field.within);
    return kind !== 'group' || !outer;
  });
  const canContainField = (within: string): boolean =>
    !(within !== '' && is('computed')) && !(is('list') && !canContainList(set, screen, within));
  const places = listContainers(set, screen, sections);
  return (
    <EditTaskForm
      key={outer?.name}
      title={outer ? t('firstField', { name: outer.label.es }) : t('newField')}
      changes={isFirstPart ? [] : createNewFieldChanges(set, screen, added, cases)}
      checks={{ field: getFieldNameInTestCase(set, screen, added), propose: { screen, fields: names } }}
      added={names[0]}
      hint={isFirstPart ? '' : `${t('proposes')} ${t('snapshots')}`}
      action={isFirstPart ? t('goOn') : t('add')}
      onSubmit={isFirstPart ? addAnother : undefined}
      onDone={onDone}
    >
      <BilingualFields label={t('label')} {...bind('label')} required />
      <TextField label={t('key')} {...bind('name')} value={name} required />
      <ChoiceField
        label={t('kind')}
        value={field.shared?.reference ?? field.kind}
        options={[
          ...kinds.map((kind) => [kind, t(`kind_${kind}`)] as const),
          ...shared.map(
            ({ reference, label }) =>
              [reference, t('kindShared', { label: label.es, name: formatDefinitionName(reference) })] as const,
          ),
        ]}
        onChange={(next) => {
          const chosen = shared.find(({ reference }) => reference === next) ?? null;
          const isNamed = field.label.es !== '' && field.label.es !== field.shared?.label.es;
          change({
            kind: fieldKinds.find((kind) => kind === next) ?? 'text',
            shared: chosen,
            ...(next === 'computed' && { formula: createInitialFormula(set, screen, { operation: '+', own: name }) }),
            ...(!isNamed && { label: chosen?.label ?? emptyNewField.label }),
          });
        }}
      />
      <BilingualFields label={t('help')} {...bind('help')} />
      {is('list') && (
        <>
          <BilingualFields label={t('itemName')} {...bind('itemLabel')} required />
          <TextField label={t('limit-minItems')} {...bind('least')} />
          <TextField label={t('limit-maxItems')} {...bind('most')} required />
        </>
      )}
      {!outer && places.length > 1 && (
        <ChoiceField
          label={t('goesInto')}
          value={field.within === '' ? String(field.section ?? '') : field.within}
          options={places}
          onChange={(next) =>
            change(
              /^\d+$/.test(next)
                ? { section: Number(next), within: '' }
                : { section: null, within: next, ...(!canContainField(next) && { kind: 'text' }) },
            )
          }
        />
      )}
      {/* The first field of list items is always required: otherwise an empty item would count as an item. */}
      {!is('computed') && outer?.kind !== 'list' && <CheckboxField label={t('required')} {...bind('required')} />}
      {isChosen && <TextField label={t('choicesLines')} value={lines} required long onChange={setLines} />}
      {newField.choices.length > 0 && (
        <p>{t('choiceValues', { values: newField.choices.map(({ value }) => value).join(', ') })}</p>
      )}
      {!outer && isChosen && (
        <ChoiceDependencyFields
          key={field.within}
          screen={screen}
          field={joinFieldName(field.within, name)}
          choices={newField.choices.map(({ value, es }) => [value, es] as const)}
          {...bind('dependence')}
        />
      )}
      {is('computed') && <FormulaFields screen={screen} field={name} {...bind('formula')} />}
      {isRuled && (
        <ChoiceField
          label={t('rule')}
          {...bind('rule')}
          options={fieldRules.map((rule) => [rule, t(`limit-${rule}`)])}
        />
      )}
      {isRuled && field.rule !== 'none' && (
        <>
          {field.rule !== 'digits' && <TextField label={t('parameter')} {...bind('parameter')} required />}
          <BilingualFields label={t('ownMessage')} {...bind('message')} />
        </>
      )}
      {!isFirstPart && !is('computed') && (
        <TextField
          label={t('good')}
          {...bind('good')}
          value={findExampleFieldValue(newField)}
          required={newField.required || newField.rule === 'pattern'}
        />
      )}
    </EditTaskForm>
  );
}

/** Whether a field at this level may be a list. Lists can be nested once. */
function canContainList(set: StudioDefinitions, screen: string, within: string): boolean {
  const enclosingList = findEnclosingList(set, screen, `${within}.`);
  return enclosingList === null || findEnclosingList(set, screen, enclosingList) === null;
}

function listContainers(set: StudioDefinitions, screen: string, sections: readonly string[]) {
  const drawnFields = listLabelledFields(set, screen);
  const holders = Object.entries(listSchemaFields(set, screen)).filter(([, schema]) => isFieldGroupSchema(schema));
  return [
    ['', t('noSection')] as const,
    ...sections.map((title, index) => [String(index), t('orderSection', { name: title })] as const),
    ...holders.map(([name]) => [name, t('orderGroup', { name: drawnFields[name]?.title ?? name })] as const),
  ];
}

function formatDefinitionName(reference: string): string {
  return reference.replace('../_shared/', '').replace('.json#/$defs/', ' ');
}
