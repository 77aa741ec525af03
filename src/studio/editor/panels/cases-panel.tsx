import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { isObject, type JsonObject, type Values } from '../../../engine/core/json.ts';
import type { FileChange, StudioCase, StudioCases } from '../../studio-data.ts';
import { describeFault } from '../../describe-fault.ts';
import { t } from '../../texts.ts';
import { Task, TextField } from '../controls.tsx';
import { Rows } from '../rows.tsx';
import type { Studio } from '../use-studio.ts';

interface CasesPanelProps {
  readonly studio: Studio;
  readonly screen: string;
  /** `null` until loaded. A new case starts from an existing one. */
  readonly cases: StudioCases | null;
}

export function CasesPanel({ studio, screen, cases }: CasesPanelProps) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <h2>{t('casesOf', { name: screen })}</h2>
      <p>
        <Button disabled={!cases} onClick={() => setAdding(true)}>
          {t('addCase')}
        </Button>
      </p>
      {isAdding && cases && <CaseForm studio={studio} cases={cases} onDone={() => setAdding(false)} />}
      {cases && cases.list.length > 0 && (
        <Rows
          label={t('casesOf', { name: screen })}
          rows={cases.list}
          keyOf={({ name }) => name}
          columns={[
            {
              title: t('case'),
              cell: ({ note, name }) => (
                <span>
                  {note} <code>{name}</code>
                </span>
              ),
            },
            { title: t('expects'), cell: ({ errors }) => errorsText(errors) },
            {
              title: t('rules'),
              cell: (own) => (own.faults.length === 0 ? t('fits') : <Faults studio={studio} cases={cases} own={own} />),
            },
          ]}
        />
      )}
    </>
  );
}

function Faults({ studio, cases, own }: { studio: Studio; cases: StudioCases; own: StudioCase }) {
  const differing = own.faults.filter((fault) => fault.kind === 'differs');
  const errors = differing.reduce<Readonly<Record<string, string>>>((all, { field, actual }) => {
    const { [field]: _, ...others } = all;
    return actual === '' ? others : { ...others, [field]: actual };
  }, own.errors);
  return (
    <div>
      {own.faults.map((fault) => (
        <span key={describeFault(fault)} className="gallery-mark">
          {describeFault(fault)}
        </span>
      ))}
      {differing.length > 0 && (
        <Button
          disabled={studio.busy}
          onClick={() =>
            void studio.write([
              { ...fileOf(cases), edits: [{ pointer: `/cases/${escapePointer(own.name)}/errors`, value: errors }] },
            ])
          }
        >
          {t('takeRules')}
        </Button>
      )}
    </div>
  );
}

interface CaseFormProps extends Omit<CasesPanelProps, 'screen'> {
  readonly cases: StudioCases;
  readonly onDone: () => void;
}

function CaseForm({ studio, cases, onDone }: CaseFormProps) {
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const [data, setData] = useState(JSON.stringify(cases.data, null, 2));
  const [context, setContext] = useState(JSON.stringify(cases.context, null, 2));
  const [fault, setFault] = useState('');
  const submit = async (): Promise<void> => {
    const [values, facts] = [objectOf(data), objectOf(context)];
    if (!values || !facts) return setFault(t('jsonBroken', { detail: values ? t('context') : t('data') }));
    if (cases.list.some((known) => known.name === name)) return setFault(t('caseTaken'));
    const value: JsonObject = { note, ...differenceOf(cases.data, values), ...contextOf(cases.context, facts) };
    if (await studio.write([{ ...fileOf(cases), edits: [{ pointer: `/cases/${escapePointer(name)}`, value }] }]))
      onDone();
  };
  return (
    <Task
      title={t('addCase')}
      files={[cases.file]}
      busy={studio.busy}
      hint={fault}
      onSubmit={() => void submit()}
      onCancel={onDone}
    >
      <TextField label={t('caseName')} value={name} required onChange={setName} />
      <TextField label={t('note')} value={note} required onChange={setNote} />
      <TextField label={t('data')} value={data} long onChange={setData} />
      <TextField label={t('context')} value={context} long onChange={setContext} />
    </Task>
  );
}

function fileOf({ file, version }: StudioCases): Pick<FileChange, 'file' | 'base'> {
  return { file, base: version };
}

/** Returns a case as changes to the shared values, or in full if that is shorter. */
function differenceOf(shared: Values, values: JsonObject): JsonObject {
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

function contextOf(shared: Values, context: JsonObject): JsonObject {
  return JSON.stringify(shared) === JSON.stringify(context) ? {} : { context };
}

function objectOf(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : null; // parsed JSON
  } catch {
    return null;
  }
}

function errorsText(errors: StudioCase['errors']): string {
  const parts = Object.entries(errors).map(([field, message]) => `${field} «${message}»`);
  return parts.length === 0 ? t('noErrors') : parts.join(', ');
}
