import { Button } from '@fluentui/react-components';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  studioPaths,
  type FileChange,
  type StudioFinding,
  type StudioDefinitions,
  type StudioDefinitionChange,
} from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { buildFileChanges, readFileValue } from '../definition-set.ts';
import { SortedTable } from '../sorted-table.tsx';
import { useStudio } from '../use-studio.ts';
import { groupBy } from '../../../engine/core/json.ts';

/** Findings of the checker, which runs on request and after each change of the definitions. */
export function FindingsPanel() {
  const studio = useStudio();
  const { revision } = studio;
  const [state, setState] = useState<'idle' | 'walking' | 'failed' | 'walked'>('idle');
  const [found, setFound] = useState<readonly StudioFinding[]>([]);
  const [asked, setAsked] = useState(0);
  const walked = useRef(`${revision} ${asked}`);
  const turn = useRef(0);
  const walk = useEffectEvent(async (): Promise<void> => {
    turn.current += 1;
    const own = turn.current;
    setState('walking');
    const list = await studio.read<readonly StudioFinding[]>(studioPaths.findings).catch(() => null);
    if (own !== turn.current) return; // discards the findings, because a newer request has replaced this one
    if (list) setFound(list);
    setState(list ? 'walked' : 'failed');
  });
  useEffect(() => {
    const now = `${revision} ${asked}`;
    if (walked.current === now) return;
    walked.current = now;
    void walk();
  }, [revision, asked]);
  return (
    <>
      <p>
        <Button disabled={state === 'walking'} onClick={() => setAsked((n) => n + 1)}>
          {t('walk')}
        </Button>{' '}
        <span role="status">
          {state === 'walking' && t('walking')}
          {state === 'failed' && t('walkFailed')}
          {state === 'walked' && t('walked', { count: found.length })}
        </span>
      </p>
      {found.length > 0 && (
        <SortedTable
          label={t('findings')}
          rows={found}
          createKey={({ file, rule, pointer, message }) => `${file} ${rule ?? ''} ${pointer} ${message}`}
          columns={[
            {
              title: t('file'),
              cell: ({ file, line, column }) => <code>{`${file}:${line}:${column}`}</code>,
              by: ({ file, line }) => `${file} ${String(line).padStart(6)}`,
            },
            {
              title: t('rule'),
              cell: ({ rule, severity }) => (
                <span>
                  {severity} <code>{rule}</code>
                </span>
              ),
              by: ({ rule = '' }) => rule,
            },
            {
              title: t('finding'),
              cell: (finding) => {
                const changes = createFixChanges(studio.set, finding);
                return (
                  <div>
                    {finding.message} {finding.path !== undefined && <code>{finding.path}</code>} {finding.hint}{' '}
                    {changes.length > 0 && (
                      <Button disabled={studio.busy} onClick={() => void studio.write(changes)}>
                        {t('mend', { files: changes.map(({ file }) => file).join(', ') })}
                      </Button>
                    )}
                  </div>
                );
              },
            },
          ]}
        />
      )}
    </>
  );
}

/** Fixes the translation too. Returns an empty list if the studio may not edit one of the files. */
function createFixChanges(set: StudioDefinitions, { fix = [] }: StudioFinding): readonly FileChange[] {
  const all = fix.flatMap((edit) => {
    const twin = edit.file.replace(/\/ui\.json$/, '/ui.pt.json');
    const isTwin =
      twin !== edit.file && edit.value === undefined && readFileValue(set, twin, edit.pointer) !== undefined;
    return isTwin ? [edit, { ...edit, file: twin }] : [edit];
  });
  const byFile = [...groupBy(all, ({ file }) => file)];
  if (!byFile.every(([file]) => set.files[file])) return [];
  return byFile.flatMap(([path, own]) =>
    buildFileChanges(
      set,
      path,
      own.map(({ file: _, ...edit }) => edit),
    ),
  );
}

export function DefinitionChangesPanel() {
  const { read, revision } = useStudio();
  const [changes, setChanges] = useState<readonly StudioDefinitionChange[] | null>();
  useEffect(() => {
    void read<readonly StudioDefinitionChange[] | null>(studioPaths.changes).then(setChanges, (error: unknown) =>
      setChanges(() => {
        throw error; // thrown during rendering, so that the error boundary catches the error
      }),
    );
  }, [read, revision]);
  if (changes === undefined) return null;
  if (changes === null) return <p>{t('noCommit')}</p>;
  return (
    <>
      <h2>{t('changesOf')}</h2>
      {changes.length === 0 && <p>{t('noChanges')}</p>}
      {[true, false].map((breaking) => {
        const own = changes.filter((change) => change.breaking === breaking);
        if (own.length === 0) return null;
        return (
          <section key={String(breaking)}>
            <h3>{t(breaking ? 'breaking' : 'others')}</h3>
            <SortedTable
              label={t(breaking ? 'breaking' : 'others')}
              rows={own}
              createKey={({ where, text }) => `${where} ${text}`}
              columns={[
                { title: t('where'), cell: ({ where }) => where },
                { title: t('whatChanged'), cell: ({ text }) => text },
              ]}
            />
          </section>
        );
      })}
    </>
  );
}
