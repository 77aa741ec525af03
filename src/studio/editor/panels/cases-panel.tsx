import { useState } from 'react';
import { isObject, type JsonObject } from '../../../engine/core/json.ts';
import type { StudioCase } from '../../studio-data.ts';
import { describeFault } from '../../describe-fault.ts';
import { t } from '../../texts.ts';
import { Task, TextField } from '../controls.tsx';
import type { Studio } from '../use-studio.ts';

interface CasesPanelProps {
  readonly studio: Studio;
  readonly screen: string;
  /** Null until they were read: a new one starts from one that stands. */
  readonly cases: readonly StudioCase[] | null;
}

/** The cases of a screen, whether the rules say what they expect, and the task that adds one. */
export function CasesPanel({ studio, screen, cases }: CasesPanelProps) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <h2>{t('casesOf', { name: screen })}</h2>
      <p>
        <button type="button" className="button" disabled={!cases} onClick={() => setAdding(true)}>
          {t('addCase')}
        </button>
      </p>
      {isAdding && cases && <CaseForm studio={studio} screen={screen} cases={cases} onDone={() => setAdding(false)} />}
      <ul className="studio-cases">
        {cases?.map((own) => (
          <li key={own.name} data-case={own.name}>
            <strong>{own.name}</strong> {own.note} {t('expects', { errors: errorsText(own.errors) })}{' '}
            {own.faults.length === 0 ? t('fits') : <Faults studio={studio} own={own} />}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the rules say in place of what a case expects, which its author may take over. */
function Faults({ studio, own }: { studio: Studio; own: StudioCase }) {
  const differing = own.faults.filter((fault) => fault.kind === 'differs');
  const errors = differing.reduce<Readonly<Record<string, string>>>((all, { field, actual }) => {
    const { [field]: _, ...others } = all;
    return actual === '' ? others : { ...others, [field]: actual };
  }, own.errors);
  return (
    <>
      {own.faults.map((fault) => (
        <span key={describeFault(fault)} className="gallery-mark">
          {describeFault(fault)}
        </span>
      ))}
      {differing.length > 0 && (
        <button
          type="button"
          className="button"
          disabled={studio.busy}
          onClick={() =>
            void studio.write([{ file: own.file, base: own.version, edits: [{ pointer: '/errors', value: errors }] }])
          }
        >
          {t('takeRules')}
        </button>
      )}
    </>
  );
}

interface CaseFormProps extends CasesPanelProps {
  readonly cases: readonly StudioCase[];
  readonly onDone: () => void;
}

function CaseForm({ studio, screen, cases, onDone }: CaseFormProps) {
  const base = cases.find(({ errors, faults }) => faults.length === 0 && Object.keys(errors).length === 0);
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const [data, setData] = useState(JSON.stringify(base?.data ?? {}, null, 2));
  const [context, setContext] = useState(JSON.stringify(base?.context ?? {}, null, 2));
  const [fault, setFault] = useState('');
  const file = `tests/fixtures/${screen}/${name}.json`;
  const submit = async (): Promise<void> => {
    const [values, facts] = [objectOf(data), objectOf(context)];
    if (!values || !facts) return setFault(t('jsonBroken', { detail: values ? t('context') : t('data') }));
    const value = { note, data: values, context: facts, errors: {} };
    if (await studio.write([{ file, base: null, edits: [{ pointer: '', value }] }])) onDone();
  };
  return (
    <Task
      title={t('addCase')}
      files={[file]}
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
