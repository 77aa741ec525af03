import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject, type JsonObject, type ValuesByName } from '../../../engine/core/json.ts';
import type { StudioCase, StudioCases } from '../../studio-api-types.ts';
import { describeScreenCaseFault, t } from '../../texts.ts';
import { parseJsonOrUndefined } from '../../json-values.ts';
import { buildCaseFileChanges } from '../definition-set.ts';
import { EditTaskForm, TextField, useFormFields } from '../form-controls.tsx';
import { SortedTable } from '../sorted-table.tsx';
import { useStudio } from '../use-studio.ts';

interface CasesPanelProps {
  readonly screen: string;
  /** Existing test cases, as templates for a new one. `null` until loaded. */
  readonly cases: StudioCases | null;
}

export function CasesPanel({ screen, cases }: CasesPanelProps) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <h2>{t('casesOf', { name: screen })}</h2>
      <p>
        <Button disabled={!cases} onClick={() => setAdding(true)}>
          {t('addCase')}
        </Button>
      </p>
      {isAdding && cases && <CaseForm cases={cases} onDone={() => setAdding(false)} />}
      {cases && cases.list.length > 0 && (
        <SortedTable
          label={t('casesOf', { name: screen })}
          rows={cases.list}
          createKey={({ name }) => name}
          columns={[
            {
              title: t('case'),
              cell: ({ note, name }) => (
                <span>
                  {note} <code>{name}</code>
                </span>
              ),
            },
            { title: t('expects'), cell: ({ errors }) => formatErrors(errors) },
            {
              title: t('rules'),
              cell: (own) => (own.faults.length === 0 ? t('fits') : <Faults cases={cases} own={own} />),
            },
          ]}
        />
      )}
    </>
  );
}

function Faults({ cases, own }: { cases: StudioCases; own: StudioCase }) {
  const studio = useStudio();
  const differing = own.faults.filter((fault) => fault.kind === 'differs');
  const errors = differing.reduce<Readonly<Record<string, string>>>((all, { field, actual }) => {
    const { [field]: _, ...others } = all;
    return actual === '' ? others : { ...others, [field]: actual };
  }, own.errors);
  return (
    <div>
      {own.faults.map((fault) => (
        <span key={describeScreenCaseFault(fault)} className="gallery-mark">
          {describeScreenCaseFault(fault)}
        </span>
      ))}
      {differing.length > 0 && (
        <Button
          disabled={studio.busy}
          onClick={() =>
            void studio.write(
              buildCaseFileChanges(cases, [{ pointer: `/cases/${escapePointer(own.name)}/errors`, value: errors }]),
            )
          }
        >
          {t('takeRules')}
        </Button>
      )}
    </div>
  );
}

function CaseForm({ cases, onDone }: { cases: StudioCases; onDone: () => void }) {
  const studio = useStudio();
  const [{ name, note, data, context }, , bind] = useFormFields({
    name: '',
    note: '',
    data: JSON.stringify(cases.data, null, 2),
    context: JSON.stringify(cases.context, null, 2),
  });
  const [fault, setFault] = useState('');
  const submit = async (): Promise<void> => {
    const [values, facts] = [parseJsonOrUndefined(data), parseJsonOrUndefined(context)];
    if (!isObject(values)) return setFault(t('jsonBroken', { detail: t('data') }));
    if (!isObject(facts)) return setFault(t('jsonBroken', { detail: t('context') }));
    if (cases.list.some((known) => known.name === name)) return setFault(t('caseTaken'));
    const isShared = JSON.stringify(cases.context) === JSON.stringify(facts);
    const own = {
      note,
      ...compareValues(cases.data, asObject(values)),
      ...(!isShared && { context: asObject(facts) }),
    };
    if (await studio.write(buildCaseFileChanges(cases, [{ pointer: `/cases/${escapePointer(name)}`, value: own }])))
      onDone();
  };
  return (
    <EditTaskForm
      title={t('addCase')}
      changes={[{ file: cases.file, base: cases.version }]}
      hint={fault}
      onSubmit={() => void submit()}
      onDone={onDone}
    >
      <TextField label={t('caseName')} {...bind('name')} required />
      <TextField label={t('note')} {...bind('note')} required />
      <TextField label={t('data')} {...bind('data')} long />
      <TextField label={t('context')} {...bind('context')} long />
    </EditTaskForm>
  );
}

/** Returns the values of a case as changes to the shared values, or completely if that is shorter. */
function compareValues(shared: ValuesByName, values: JsonObject): JsonObject {
  const others = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(shared[name]),
  );
  const lacking = Object.keys(shared).filter((name) => !Object.hasOwn(values, name));
  const difference: JsonObject = {
    ...(others.length > 0 && { with: Object.fromEntries(others) }),
    ...(lacking.length > 0 && { without: lacking }),
  };
  const isShorter = JSON.stringify(difference).length < JSON.stringify({ data: values }).length;
  return isShorter ? difference : { data: values };
}

function formatErrors(errors: StudioCase['errors']): string {
  const parts = Object.entries(errors).map(([field, message]) => `${field} «${message}»`);
  return parts.length === 0 ? t('noErrors') : parts.join(', ');
}
