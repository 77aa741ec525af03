import { useEffect, useState } from 'react';
import { studioAddresses, type StudioChange } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { Rows } from '../rows.tsx';
import type { Studio } from '../use-studio.ts';

export function ChangesPanel({ read, reading }: Pick<Studio, 'read' | 'reading'>) {
  const [changes, setChanges] = useState<readonly StudioChange[] | null>();
  useEffect(() => {
    void read<readonly StudioChange[] | null>(studioAddresses.changes).then(setChanges, (error: unknown) =>
      setChanges(() => {
        throw error; // thrown during rendering, for the error boundary
      }),
    );
  }, [read, reading]);
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
            <Rows
              label={t(breaking ? 'breaking' : 'others')}
              rows={own}
              keyOf={({ where, text }) => `${where} ${text}`}
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
