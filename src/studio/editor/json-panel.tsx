import { useState } from 'react';
import { t } from '../texts.ts';
import { ChoiceField } from './controls.tsx';
import type { Studio } from './use-studio.ts';

/** A file as it is written, to be edited as a whole: what is no JSON or is refused by the compiler is told and not written. */
export function JsonPanel({ studio, files }: { studio: Studio; files: readonly string[] }) {
  const [chosen, setFile] = useState('');
  const file = files.includes(chosen) ? chosen : (files[0] ?? '');
  const typed = studio.drafts[file];
  const own = studio.set.files[file];
  const text = typed?.text ?? own?.text ?? '';
  const fault = typed ? faultOf(text) : null;
  const save = async (): Promise<void> => {
    if (!typed) return;
    if (await studio.write([{ file, base: typed.base, text }])) studio.draft(file, null);
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
          value={text}
          onChange={({ target }) =>
            studio.draft(file, { text: target.value, base: typed?.base ?? own?.version ?? null })
          }
        />
      </label>
      {fault !== null && <p role="alert">{t('jsonBroken', { detail: fault })}</p>}
      {typed && typed.base !== own?.version && (
        <div role="alert" className="studio-told">
          <p>{t('conflict', { files: file })}</p>
          <button
            type="button"
            className="button"
            onClick={() => studio.draft(file, { ...typed, base: own?.version ?? null })}
          >
            {t('takeNow')}
          </button>
        </div>
      )}
      <p className="studio-buttons">
        <button
          type="button"
          className="button"
          disabled={!typed || fault !== null || studio.busy}
          onClick={() => void save()}
        >
          {t('apply_')}
        </button>
        {typed && (
          <button type="button" className="button" onClick={() => studio.draft(file, null)}>
            {t('discard')}
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
