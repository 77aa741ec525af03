import { useState } from 'react';
import { joinFieldName, isFieldGroupSchema } from '../../../engine/core/field-path.ts';
import { studioPaths, type RenamePlan, type RenameRequest, type StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { EditTaskFrame, IndexSelectField, TextField } from '../form-controls.tsx';
import { getParentFieldName, getLastFieldNameSegment, listSchemaFields } from '../fields/field-pointers.ts';
import { DryRunResult } from '../sorted-table.tsx';
import { listLabelledFields } from '../titles.ts';
import { useStudio } from '../use-studio.ts';
import { listFlowStates } from './flow-states.ts';
import { listScreenEvents } from '../definition-set.ts';

type RenameTarget = Omit<RenameRequest, 'to'>;

interface RenameFormProps {
  readonly names: readonly RenameTarget[];
  readonly onDone: (wish: RenameRequest) => void;
  readonly onCancel: () => void;
}

export function listScreenRenameTargets(set: StudioDefinitions, screen: string): readonly RenameTarget[] {
  const own = (kind: RenameTarget['kind']) => (from: string) => ({ kind, of: screen, from });
  const schemaFields = listSchemaFields(set, screen);
  const isField = (name: string): boolean =>
    name.includes('.')
      ? getLastFieldNameSegment(name) !== 'items' || isFieldGroupSchema(schemaFields[getParentFieldName(name)] ?? {}) // excludes the items of a list, which have no name
      : name in schemaFields;
  return [
    own('screen')(screen),
    ...Object.keys(listLabelledFields(set, screen)).filter(isField).map(own('field')),
    ...listScreenEvents(set, screen).map(own('event')),
  ];
}

export function listFlowRenameTargets(set: StudioDefinitions, flow: string): readonly RenameTarget[] {
  const states = listFlowStates(set, flow).map(({ name }) => ({ kind: 'state', of: flow, from: name }) as const);
  return [{ kind: 'flow', of: flow, from: flow }, ...states];
}

export function RenameForm({ names, onDone, onCancel }: RenameFormProps) {
  const studio = useStudio();
  const [chosen, setChosen] = useState(0);
  const [to, setTo] = useState('');
  const [plan, setPlan] = useState<RenamePlan | null>(null);
  const [isAsking, setAsking] = useState(false);
  const selected = names[chosen];
  if (!selected) return null;
  const wish: RenameRequest = { ...selected, to };
  const isGood = plan?.answer?.outcome === 'fine';
  const previewRename = async (): Promise<void> => {
    setAsking(true);
    try {
      setPlan(await studio.read<RenamePlan>(`${studioPaths.rename}?${new URLSearchParams({ ...wish })}`));
    } finally {
      setAsking(false);
    }
  };
  const write = async (changes: RenamePlan['changes']): Promise<void> => {
    const field = joinFieldName(getParentFieldName(wish.from), to);
    if (await studio.write(changes, wish.kind === 'field' ? { field } : {})) onDone(wish);
    else setPlan(null);
  };
  return (
    <EditTaskFrame
      title={t('rename')}
      action={plan && isGood ? t('renameWrite', { count: plan.files.length }) : t('renameLook')}
      disabled={studio.busy || isAsking}
      onSubmit={() => void (plan && isGood ? write(plan.changes) : previewRename())}
      onCancel={onCancel}
    >
      <div className="studio-fields">
        <IndexSelectField
          label={t('renameWhat')}
          value={chosen}
          options={names.map(({ kind, from }) => t(`rename${kind}`, { name: from }))}
          onChange={(next) => {
            setChosen(next);
            setPlan(null);
          }}
        />
        <TextField
          label={t('renameTo')}
          value={to}
          required
          onChange={(next) => {
            setTo(next);
            setPlan(null);
          }}
        />
      </div>
      {plan && <RenamePlanView plan={plan} />}
    </EditTaskFrame>
  );
}

function RenamePlanView({ plan: { refused, files, answer } }: { plan: RenamePlan }) {
  const lines = files.reduce((sum, file) => sum + file.lines.length, 0);
  return (
    <>
      {refused !== null && <p role="alert">{t(`renameRefused${refused}`)}</p>}
      {answer && <DryRunResult answer={answer} problems={t('renameBreaks')} />}
      {refused === null && <p role="status">{t('renameCount', { lines, files: files.length })}</p>}
      <ul className="studio-renames">
        {files.map(({ file, path, lines: own }) => (
          <li key={file}>
            <code>{path === file ? file : t('renameMoved', { file, path })}</code>
            <ul>
              {own.map(({ line, before, after }) => (
                <li key={line}>
                  {t('renameLine', { line })} <del>{before}</del> <ins>{after}</ins>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </>
  );
}
