import { useState } from 'react';
import { nameWithin } from '../../../engine/core/field-path.ts';
import type { StudioCases, StudioSet } from '../../studio-data.ts';
import { keyOf } from '../../key-of.ts';
import { t } from '../../texts.ts';
import { CheckField, ChoiceField, Task, TextField } from '../controls.tsx';
import { partsOf } from '../edits/field-edits.ts';
import type { Both } from '../tasks/screen-tasks.ts';
import { drawnFields } from '../titles.ts';
import type { Done } from '../tasks/use-arrival.ts';
import type { Studio } from '../use-studio.ts';
import { DependenceFields } from './dependence-fields.tsx';
import { holderOf, isGroup, lastStep, listOf, writtenFields } from './field-place.ts';
import { FormulaFields } from './formula-fields.tsx';
import { startFormula } from './formulas.ts';
import { nameInCase } from './new-cases.ts';
import { addField } from './add-field.ts';
import { blankField, chainOf, fieldKinds, fieldRules, isHolder, type FieldKind, type NewField } from './new-field.ts';
import { sharedKinds } from './shared-kinds.ts';

interface FieldFormProps {
  readonly studio: Studio;
  readonly screen: string;
  readonly cases: StudioCases;
  readonly sections: readonly string[];
  readonly onDone: Done;
}

/**
 * Form to add a field. Writes schema, texts and a rejected case together. Groups and lists cannot be empty, so the form continues with their first
 * field.
 */
export function FieldForm({ studio, screen, cases, sections, onDone }: FieldFormProps) {
  const { set } = studio;
  const [outer, setOuter] = useState<NewField | null>(null);
  const [field, setField] = useState<NewField>({
    ...blankField,
    section: sections.length > 0 ? sections.length - 1 : null,
  });
  const [lines, setLines] = useState('');
  const change = (part: Partial<NewField>): void => setField((before) => ({ ...before, ...part }));
  const both = (key: 'label' | 'help' | 'message' | 'itemLabel', language: keyof Both) => (text: string) =>
    change({ [key]: { ...field[key], [language]: text } });
  const is = (...kinds: readonly FieldKind[]): boolean => !field.shared && kinds.includes(field.kind);
  const isRuled = is('text', 'paragraph', 'number', 'decimal');
  const isTop = outer === null && field.within === '';
  const written = writtenFields(set, screen);
  const shared = sharedKinds(set);
  const siblings = Object.keys(written).filter((name) => outer === null && holderOf(name) === field.within);
  const name = field.name === '' ? keyOf(field.label.es, '_', siblings.map(lastStep)) : field.name;
  const whole: NewField = {
    ...field,
    name,
    rule: isRuled ? field.rule : 'none',
    choices: is('choice', 'choices') ? choicesIn(lines) : [],
    dependence: outer === null && is('choice', 'choices') ? field.dependence : null,
    required: field.required && !is('computed'),
  };
  const added = outer ? { ...outer, inner: whole } : whole;
  const isFirstPart = isHolder(whole);
  const changes = isFirstPart ? [] : addField(set, screen, added, cases);
  const submit = (): void => {
    if (isFirstPart) {
      setOuter(whole);
      setField({ ...blankField, required: whole.kind === 'list' });
      setLines('');
    } else
      void studio
        .write(changes, nameInCase(set, screen, added))
        .then((isWritten) => isWritten && onDone(chainOf(added)[0]?.[0]));
  };
  const kinds = fieldKinds.filter((kind) => {
    if (kind === 'computed') return isTop;
    if (kind === 'list') return outer === null && takesList(set, screen, field.within);
    return kind !== 'group' || outer === null;
  });
  const mayGo = (within: string): boolean =>
    !(within !== '' && is('computed')) && !(is('list') && !takesList(set, screen, within));
  const places = placesIn(studio, screen, sections);
  // Users add items to a list. Without a required field, an empty item would count.
  const mustBe = outer?.kind === 'list';
  return (
    <Task
      key={outer?.name}
      title={outer ? t('firstField', { name: outer.label.es }) : t('newField')}
      files={changes.map(({ file }) => file)}
      busy={studio.busy}
      hint={isFirstPart ? '' : t('snapshots')}
      action={isFirstPart ? t('goOn') : t('add')}
      onSubmit={submit}
      onCancel={() => onDone()}
    >
      <TextField label={t('labelEs')} value={field.label.es} required onChange={both('label', 'es')} />
      <TextField label={t('labelPt')} value={field.label.pt} required onChange={both('label', 'pt')} />
      <TextField label={t('key')} value={name} required onChange={(own) => change({ name: own })} />
      <ChoiceField
        label={t('kind')}
        value={field.shared?.reference ?? field.kind}
        options={[
          ...kinds.map((kind) => [kind, t(`kind_${kind}`)] as const),
          ...shared.map(
            ({ reference, label }) =>
              [reference, t('kindShared', { label: label.es, name: nameOf(reference) })] as const,
          ),
        ]}
        onChange={(next) => {
          const chosen = shared.find(({ reference }) => reference === next) ?? null;
          const isNamed = field.label.es !== '' && field.label.es !== field.shared?.label.es;
          change({
            kind: fieldKinds.find((kind) => kind === next) ?? 'text',
            shared: chosen,
            ...(next === 'computed' && { formula: startFormula(set, screen, { operation: '+', own: name }) }),
            ...(!isNamed && { label: chosen?.label ?? blankField.label }),
          });
        }}
      />
      <TextField label={t('helpEs')} value={field.help.es} onChange={both('help', 'es')} />
      <TextField label={t('helpPt')} value={field.help.pt} onChange={both('help', 'pt')} />
      {is('list') && (
        <>
          <TextField label={t('itemEs')} value={field.itemLabel.es} required onChange={both('itemLabel', 'es')} />
          <TextField label={t('itemPt')} value={field.itemLabel.pt} required onChange={both('itemLabel', 'pt')} />
          <TextField label={t('limit-minItems')} value={field.least} onChange={(least) => change({ least })} />
          <TextField label={t('limit-maxItems')} value={field.most} required onChange={(most) => change({ most })} />
        </>
      )}
      {outer === null && places.length > 1 && (
        <ChoiceField
          label={t('goesInto')}
          value={field.within === '' ? String(field.section ?? '') : field.within}
          options={places}
          onChange={(next) =>
            change(
              /^\d+$/.test(next)
                ? { section: Number(next), within: '' }
                : { section: null, within: next, ...(!mayGo(next) && { kind: 'text' }) },
            )
          }
        />
      )}
      {!is('computed') && !mustBe && (
        <CheckField label={t('required')} checked={field.required} onChange={(required) => change({ required })} />
      )}
      {is('choice', 'choices') && (
        <TextField label={t('choicesLines')} value={lines} required long onChange={setLines} />
      )}
      {outer === null && is('choice', 'choices') && (
        <DependenceFields
          key={field.within}
          set={set}
          screen={screen}
          field={nameWithin(field.within, name)}
          choices={whole.choices.map(({ value, es }) => [value, es] as const)}
          dependence={field.dependence}
          onChange={(dependence) => change({ dependence })}
        />
      )}
      {is('computed') && (
        <FormulaFields
          set={set}
          screen={screen}
          field={name}
          formula={field.formula}
          onChange={(formula) => change({ formula })}
        />
      )}
      {isRuled && (
        <ChoiceField
          label={t('rule')}
          value={field.rule}
          options={fieldRules.map((rule) => [rule, t(`rule_${rule}`)])}
          onChange={(next) => change({ rule: fieldRules.find((rule) => rule === next) ?? 'none' })}
        />
      )}
      {isRuled && field.rule !== 'none' && (
        <>
          {field.rule !== 'digits' && (
            <TextField
              label={t('parameter')}
              value={field.parameter}
              required
              onChange={(parameter) => change({ parameter })}
            />
          )}
          <TextField label={t('messageEs')} value={field.message.es} onChange={both('message', 'es')} />
          <TextField label={t('messagePt')} value={field.message.pt} onChange={both('message', 'pt')} />
          <TextField label={t('bad')} value={field.bad} required onChange={(bad) => change({ bad })} />
        </>
      )}
      {whole.required && !isFirstPart && (outer === null || outer.required) && (
        <TextField label={t('good')} value={field.good} required onChange={(good) => change({ good })} />
      )}
    </Task>
  );
}

/** Whether a list can be nested here. Lists may have two levels. */
function takesList(set: StudioSet, screen: string, within: string): boolean {
  const around = listOf(set, screen, `${within}.`);
  return around === null || listOf(set, screen, around) === null;
}

/** Returns the places for a new field: the form, a section by index, or a group or list items by name. */
function placesIn({ set }: Studio, screen: string, sections: readonly string[]) {
  const drawn = drawnFields(set, screen);
  const holders = Object.entries(writtenFields(set, screen)).filter(([, schema]) => isGroup(schema));
  return [
    ['', t('noSection')] as const,
    ...sections.map((title, index) => [String(index), t('orderSection', { name: title })] as const),
    ...holders.map(([name]) => [name, t('orderGroup', { name: drawn[name]?.title ?? name })] as const),
  ];
}

/** Returns the short name of a definition: `person.json email`. */
function nameOf(reference: string): string {
  return reference.replace('../_shared/', '').replace('.json#/$defs/', ' ');
}

function choicesIn(lines: string): NewField['choices'] {
  return partsOf(lines).map(([value = '', es = value, pt = es]) => ({ value, es, pt }));
}
