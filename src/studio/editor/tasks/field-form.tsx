import { useState } from 'react';
import type { StudioCases } from '../../studio-data.ts';
import { keyOf } from '../../key-of.ts';
import { t } from '../../texts.ts';
import { CheckField, ChoiceField, Task, TextField } from '../controls.tsx';
import { addField, fieldKinds, fieldRules, fieldsOf, type Both, type NewField } from './screen-tasks.ts';
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
  const isPlain = field.kind === 'checkbox' || field.kind === 'choice';
  const name = field.name === '' ? keyOf(field.label.es, '_', Object.keys(fieldsOf(studio.set, screen))) : field.name;
  const whole: NewField = { ...field, name, rule: isPlain ? 'none' : field.rule, choices: choicesOf(lines) };
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
        value={field.kind}
        options={fieldKinds.map((kind) => [kind, t(`kind_${kind}`)])}
        onChange={(next) => change({ kind: fieldKinds.find((kind) => kind === next) ?? 'text' })}
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
      {field.kind === 'choice' && (
        <TextField label={t('choicesLines')} value={lines} required long onChange={setLines} />
      )}
      {!isPlain && (
        <ChoiceField
          label={t('rule')}
          value={field.rule}
          options={fieldRules.map((rule) => [rule, t(`rule_${rule}`)])}
          onChange={(next) => change({ rule: fieldRules.find((rule) => rule === next) ?? 'none' })}
        />
      )}
      {!isPlain && field.rule !== 'none' && (
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

function choicesOf(lines: string): NewField['choices'] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [value = '', es = value, pt = es] = line.split('=').map((part) => part.trim());
      return { value, es, pt };
    });
}
