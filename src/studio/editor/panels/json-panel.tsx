import { useState } from 'react';
import { t } from '../../texts.ts';
import { ChoiceField } from '../controls.tsx';
import type { Studio } from '../use-studio.ts';

/** Files of a screen or flow as they are written, to be edited whole and saved together: what is no JSON or is refused by the compiler is told and not written. */
export function JsonPanel({ studio, files }: { studio: Studio; files: readonly string[] }) {
  const [chosen, setFile] = useState('');
  const file = files.includes(chosen) ? chosen : (files[0] ?? '');
  const typed = studio.drafts[file];
  const own = studio.set.files[file];
  const drafts = files.flatMap((name) => {
    const draft = studio.drafts[name];
    return draft ? [{ file: name, ...draft }] : [];
  });
  const faults = drafts.flatMap(({ file: name, text }) => {
    const detail = faultOf(text);
    return detail === null ? [] : [{ file: name, detail }];
  });
  const overtaken = drafts.filter(({ file: name, base }) => base !== (studio.set.files[name]?.version ?? null));
  const save = async (): Promise<void> => {
    if (await studio.write(drafts)) for (const draft of drafts) studio.draft(draft.file, null);
  };
  return (
    <>
      <ChoiceField label={t('file')} value={file} options={files.map((each) => [each, each])} onChange={setFile} />
      <label className="studio-field">
        {t('content')}
        <textarea
          className="studio-code"
          spellCheck={false}
          rows={24}
          readOnly={studio.busy}
          value={typed?.text ?? own?.text ?? ''}
          onChange={({ target }) =>
            studio.draft(file, { text: target.value, base: typed?.base ?? own?.version ?? null })
          }
        />
      </label>
      {faults.map(({ file: name, detail }) => (
        <p key={name} role="alert">
          <code>{name}</code> {t('jsonBroken', { detail })}
        </p>
      ))}
      {overtaken.length > 0 && (
        <div role="alert" className="studio-told">
          <p>{t('conflict', { files: overtaken.map((draft) => draft.file).join(', ') })}</p>
          <button
            type="button"
            className="button"
            onClick={() => {
              for (const { file: name, text } of overtaken)
                studio.draft(name, { text, base: studio.set.files[name]?.version ?? null });
            }}
          >
            {t('takeNow')}
          </button>
        </div>
      )}
      {drafts.length > 0 && <p>{t('willWrite', { files: drafts.map((draft) => draft.file).join(', ') })}</p>}
      <p className="studio-buttons">
        <button
          type="button"
          className="button"
          disabled={drafts.length === 0 || faults.length > 0 || studio.busy}
          onClick={() => void save()}
        >
          {t('apply_')}
        </button>
        {typed && (
          <button type="button" className="button" onClick={() => studio.draft(file, null)}>
            {t('discardFile')}
          </button>
        )}
      </p>
    </>
  );
}

function faultOf(text: string): string | null {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
