import { useState } from 'react';
import type { StudioCases } from '../../studio-data.ts';
import { keyOf } from '../../key-of.ts';
import { t } from '../../texts.ts';
import { CheckField, ChoiceField, Task, TextField } from '../controls.tsx';
import { addField, fieldKinds, fieldRules, fieldsOf, sharedKinds, type Both, type NewField } from './screen-tasks.ts';
import type { Studio } from '../use-studio.ts';

const empty: Both = { es: '', pt: '' };

interface FieldFormProps {
  readonly studio: Studio;
  readonly screen: string;
  readonly cases: StudioCases;
  readonly sections: readonly string[];
  readonly onDone: () => void;
}

/** Asks for all that a new field needs, and writes it at once: schema, both languages, and a case that its rule refuses. */
export function FieldForm({ studio, screen, cases, sections, onDone }: FieldFormProps) {
  const [field, setField] = useState<NewField>({
    name: '',
    kind: 'text',
    shared: null,
    label: empty,
    help: empty,
    required: false,
    rule: 'maxLength',
    parameter: '',
    message: empty,
    choices: [],
    good: '',
    bad: '',
    section: sections.length > 0 ? sections.length - 1 : null,
  });
  const [lines, setLines] = useState('');
  const change = (part: Partial<NewField>): void => setField((before) => ({ ...before, ...part }));
  const both = (key: 'label' | 'help' | 'message', language: keyof Both) => (text: string) =>
    change({ [key]: { ...field[key], [language]: text } });
  const hasChoices = !field.shared && (field.kind === 'choice' || field.kind === 'choices');
  const isRuled = !field.shared && ['text', 'paragraph', 'number', 'decimal'].includes(field.kind);
  const shared = sharedKinds(studio.set);
  const name = field.name === '' ? keyOf(field.label.es, '_', Object.keys(fieldsOf(studio.set, screen))) : field.name;
  const whole: NewField = {
    ...field,
    name,
    rule: isRuled ? field.rule : 'none',
    choices: hasChoices ? choicesOf(lines) : [],
  };
  const changes = addField(studio.set, screen, whole, cases);
  return (
    <Task
      title={t('newField')}
      files={changes.map(({ file }) => file)}
      busy={studio.busy}
      hint={t('snapshots')}
      onSubmit={() => void studio.write(changes, whole.name).then((isWritten) => isWritten && onDone())}
      onCancel={onDone}
    >
      <TextField label={t('labelEs')} value={field.label.es} required onChange={both('label', 'es')} />
      <TextField label={t('labelPt')} value={field.label.pt} required onChange={both('label', 'pt')} />
      <TextField label={t('key')} value={name} required onChange={(own) => change({ name: own })} />
      <ChoiceField
        label={t('kind')}
        value={field.shared?.reference ?? field.kind}
        options={[
          ...fieldKinds.map((kind) => [kind, t(`kind_${kind}`)] as const),
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
            ...(!isNamed && { label: chosen?.label ?? empty }),
          });
        }}
      />
      <TextField label={t('helpEs')} value={field.help.es} onChange={both('help', 'es')} />
      <TextField label={t('helpPt')} value={field.help.pt} onChange={both('help', 'pt')} />
      {sections.length > 0 && (
        <ChoiceField
          label={t('section')}
          value={String(field.section ?? '')}
          options={[['', t('noSection')], ...sections.map((title, index) => [String(index), title] as const)]}
          onChange={(next) => change({ section: next === '' ? null : Number(next) })}
        />
      )}
      <CheckField label={t('required')} checked={field.required} onChange={(required) => change({ required })} />
      {hasChoices && <TextField label={t('choicesLines')} value={lines} required long onChange={setLines} />}
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
      {field.required && (
        <TextField label={t('good')} value={field.good} required onChange={(good) => change({ good })} />
      )}
    </Task>
  );
}

/** What a definition is called in its file: `person.json email`. */
function nameOf(reference: string): string {
  return reference.replace('../_shared/', '').replace('.json#/$defs/', ' ');
}

function choicesOf(lines: string): NewField['choices'] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [value = '', es = value, pt = es] = line.split('=').map((part) => part.trim());
      return { value, es, pt };
    });
}
