import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { t } from '../../texts.ts';
import { CodeEditor } from '../code/code-editor.tsx';
import {
  findJsonCompletions,
  listCompletionNames,
  resolveDefinitionFileFormat,
  type JsonLocation,
} from '../code/completions.ts';
import { ChoiceField } from '../form-controls.tsx';
import { useStudio } from '../use-studio.ts';

export function JsonPanel({ files }: { files: readonly string[] }) {
  const studio = useStudio();
  const { referenceData } = studio;
  const [chosen, setFile] = useState('');
  const file = files.includes(chosen) ? chosen : (files[0] ?? '');
  const typed = studio.drafts[file];
  const own = studio.set.files[file];
  const drafts = files.flatMap((name) => {
    const draft = studio.drafts[name];
    return draft ? [{ file: name, ...draft }] : [];
  });
  const faults = drafts.flatMap(({ file: name, text }) => {
    const detail = findSyntaxError(text);
    return detail === null ? [] : [{ file: name, detail }];
  });
  const names = (place: JsonLocation) => listCompletionNames(place, studio.set, referenceData);
  return (
    <>
      <ChoiceField label={t('file')} value={file} options={files.map((each) => [each, each])} onChange={setFile} />
      <CodeEditor
        key={file}
        label={t('content')}
        text={typed?.text ?? own?.text ?? ''}
        readOnly={studio.busy}
        file={file}
        problems={studio.set.problems}
        complete={(text, caret) =>
          findJsonCompletions(text, caret, {
            file,
            format: referenceData.formats[resolveDefinitionFileFormat(file)],
            names,
          })
        }
        onChange={(text) => studio.draft(file, { text, base: typed?.base ?? own?.version ?? null })}
      />
      <p className="gallery-quiet">{t('codeKeys')}</p>
      {faults.map(({ file: name, detail }) => (
        <p key={name} role="alert">
          <code>{name}</code> {t('jsonBroken', { detail })}
        </p>
      ))}
      {drafts.length > 0 && <p>{t('willWrite', { files: drafts.map((draft) => draft.file).join(', ') })}</p>}
      <p className="studio-buttons">
        <Button
          disabled={drafts.length === 0 || faults.length > 0 || studio.busy}
          onClick={() => void studio.write(drafts)}
        >
          {t('apply_')}
        </Button>
        {typed && <Button onClick={() => studio.draft(file, null)}>{t('discardFile')}</Button>}
      </p>
    </>
  );
}

function findSyntaxError(text: string): string | null {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
