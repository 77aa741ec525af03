import { useState } from 'react';
import { studioAddresses, type FileChange, type StudioFinding, type StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { valueIn } from '../pending.ts';
import type { Studio } from '../use-studio.ts';

/** What the checker finds when it is asked to walk the flows, with a button where it knows the edits that mend it. */
export function Findings({ studio }: { studio: Studio }) {
  const [state, setState] = useState<'idle' | 'walking' | 'failed' | readonly StudioFinding[]>('idle');
  const walk = async (): Promise<void> => {
    setState('walking');
    setState(await studio.read<readonly StudioFinding[]>(studioAddresses.findings).catch(() => 'failed' as const));
  };
  const mend = async (changes: readonly FileChange[]): Promise<void> => {
    if (await studio.write(changes)) await walk();
  };
  return (
    <>
      <p>
        <button type="button" className="button" disabled={state === 'walking'} onClick={() => void walk()}>
          {t('walk')}
        </button>{' '}
        <span role="status">
          {state === 'walking' && t('walking')}
          {state === 'failed' && t('walkFailed')}
          {typeof state !== 'string' && t('walked', { count: state.length })}
        </span>
      </p>
      {typeof state !== 'string' && (
        <ul>
          {state.map((finding) => (
            <Finding
              key={`${finding.rule ?? ''} ${finding.file} ${finding.pointer} ${finding.message}`}
              finding={finding}
              changes={fixChanges(studio.set, finding)}
              busy={studio.busy}
              onMend={(changes) => void mend(changes)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface FindingProps {
  readonly finding: StudioFinding;
  readonly changes: readonly FileChange[];
  readonly busy: boolean;
  readonly onMend: (changes: readonly FileChange[]) => void;
}

function Finding({ finding, changes, busy, onMend }: FindingProps) {
  const { file, line, column, rule, severity, message, hint, walk } = finding;
  return (
    <li>
      <code>{`${file}:${line}:${column}`}</code> {severity} <code>{rule}</code> {message}{' '}
      {walk !== undefined && <code>{walk}</code>} {hint}{' '}
      {changes.length > 0 && (
        <button type="button" className="button" disabled={busy} onClick={() => onMend(changes)}>
          {t('mend', { files: changes.map((change) => change.file).join(', ') })}
        </button>
      )}
    </li>
  );
}

/** The edits of a fix, those that take something away in the translation too; none where one of its files is not the studio's. */
function fixChanges(set: StudioSet, { fix = [] }: StudioFinding): readonly FileChange[] {
  const all = fix.flatMap((edit) => {
    const twin = edit.file.replace(/\/ui\.json$/, '/ui.pt.json');
    const isTwin = twin !== edit.file && edit.value === undefined && valueIn(set, twin, edit.pointer) !== undefined;
    return isTwin ? [edit, { ...edit, file: twin }] : [edit];
  });
  const files = [...new Set(all.map(({ file }) => file))];
  if (!files.every((file) => set.files[file])) return [];
  return files.map((file) => ({
    file,
    base: set.files[file]?.version ?? null,
    edits: all.filter((edit) => edit.file === file).map(({ file: _, ...edit }) => edit),
  }));
}
