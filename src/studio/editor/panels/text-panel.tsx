import { TableCell, TableHeaderCell, TableRow, Textarea } from '@fluentui/react-components';
import { memo, useMemo, useState } from 'react';
import { type TextWithTranslations, studioPaths } from '../../studio-api-types.ts';
import { baseLanguage, languages, type Language } from '../../../contract/portal-config.ts';
import { findByPointer } from '../../../engine/core/json-pointer.ts';
import { parseJsonOrUndefined } from '../../json-values.ts';
import { t } from '../../texts.ts';
import { ChoiceField } from '../form-controls.tsx';
import { EditableTable } from '../sorted-table.tsx';
import type { BilingualText } from '../definition-set.ts';
import { createTextPlaceDescriber } from '../titles.ts';
import type { PendingEdits } from '../pending-edits.ts';
import { useStudioResource, useStudio, type StudioContextValue } from '../use-studio.ts';
import type { Json } from '../../../engine/core/json.ts';

const textKinds = ['All', 'Missing', 'Same', 'Long', 'Changed'] as const;
type TextKind = (typeof textKinds)[number];

/** Maximum length of a translation as a multiple of the original. A longer one may not fit. */
const maxLengthRatio = 1.3;
/** Minimum number of additional letters for a warning, because short texts easily exceed the ratio. */
const minExtraLetters = 10;

function isOfKind(kind: TextKind, { es, pt }: BilingualText): boolean {
  const [own, other] = [countLetters(es), countLetters(pt)];
  if (kind === 'Missing') return own > 0 && other === 0;
  if (kind === 'Same') return own > 0 && es.trim() === pt.trim();
  return kind === 'All' || (other > own * maxLengthRatio && other > own + minExtraLetters);
}

/** Counts letters. A letter with an accent is one letter. */
function countLetters(text: string): number {
  return [...text.trim().normalize('NFC')].length;
}

function getPointer({ pointer, address }: TextWithTranslations, language: Language): string {
  return language === baseLanguage ? pointer : address;
}

interface TextPanelProps {
  readonly name: string;
  readonly texts: readonly TextWithTranslations[];
  readonly files: Readonly<Record<Language, string>>;
}

export function TextPanel({ name, texts, files }: TextPanelProps) {
  const { set, pending, stage } = useStudio();
  const [kind, setKind] = useState<TextKind>('All');
  const committed = { es: useCommittedFile(files.es), pt: useCommittedFile(files.pt) };
  const describePlace = createTextPlaceDescriber(set, files[baseLanguage]);
  if (texts.length === 0) return <p>{t('noTexts')}</p>;
  const now = texts.map((text) => {
    const resolveText = (language: Language): string =>
      findPendingText(pending, files[language], getPointer(text, language)) ?? text.texts[language] ?? '';
    return { ...text, now: { es: resolveText('es'), pt: resolveText('pt') } };
  });
  // Filters by the saved text, so that a text does not disappear while the user edits it.
  const isShown = (own: TextKind) => (text: (typeof now)[number]) =>
    own === 'Changed'
      ? languages.some((language) => {
          const before = findByPointer(committed[language], getPointer(text, language)) ?? '';
          return [text.texts[language] ?? '', text.now[language]].some((after) => after !== before);
        })
      : isOfKind(own, { es: text.texts['es'] ?? '', pt: text.texts['pt'] ?? '' });
  const kinds = textKinds.filter(
    (own) => own !== 'Changed' || (committed.es !== undefined && committed.pt !== undefined),
  );
  const shown = now.filter(isShown(kind));
  return (
    <>
      <ChoiceField
        label={t('textsShown')}
        value={kind}
        options={kinds.map((own) => [own, t(`texts${own}`, { count: now.filter(isShown(own)).length })])}
        onChange={setKind}
      />
      {shown.length === 0 ? (
        <p>{t('noTextsShown')}</p>
      ) : (
        <EditableTable
          caption={t('textsOf', { name })}
          titles={[t('pointer'), ...languages.map((language) => t(language))]}
          even
        >
          {shown.map((text) => (
            <TextRow
              key={text.pointer}
              set={set}
              stage={stage}
              files={files}
              text={text}
              place={describePlace(text.pointer)}
              es={text.now.es}
              pt={text.now.pt}
            />
          ))}
        </EditableTable>
      )}
    </>
  );
}

interface TextRowProps extends Pick<StudioContextValue, 'set' | 'stage'>, Readonly<Record<Language, string>> {
  readonly files: TextPanelProps['files'];
  readonly text: TextWithTranslations;
  readonly place: string;
}

/** Memoized, because edits in other rows do not change its props. */
const TextRow = memo(
  function TextRow({ stage, files, text, place, ...now }: TextRowProps) {
    return (
      <TableRow>
        <TableHeaderCell scope="row">{place}</TableHeaderCell>
        {languages.map((language) => (
          <TableCell key={language}>
            <Textarea
              aria-label={`${t(language)}: ${place}`}
              value={now[language]}
              onChange={(_, { value }) => stage(files[language], { pointer: getPointer(text, language), value })}
            />
            <span className="studio-aside">{t('letters', { count: countLetters(now[language]) })}</span>
          </TableCell>
        ))}
      </TableRow>
    );
  },
  (before, after) => before.set === after.set && before.es === after.es && before.pt === after.pt,
);

export function findPendingText(pending: PendingEdits, file: string, pointer: string): string | undefined {
  // An edit of an enclosing value replaces this value too.
  for (const edit of pending[file]?.edits ?? []) {
    if (edit.pointer !== pointer && !pointer.startsWith(`${edit.pointer}/`)) continue;
    const value = findByPointer(edit.value, pointer.slice(edit.pointer.length));
    return typeof value === 'string' ? value : '';
  }
  return undefined;
}

/** Reads a file as it is in the last commit. Returns an empty object for a new file. Returns `undefined` until loaded, and if there is no commit. */
function useCommittedFile(file: string): Json | undefined {
  const text = useStudioResource<string | null>(`${studioPaths.committed}?${new URLSearchParams({ file })}`);
  return useMemo(() => (text == null ? undefined : (parseJsonOrUndefined(text) ?? {})), [text]);
}
