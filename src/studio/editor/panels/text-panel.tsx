import type { ScreenText } from '../../studio-data.ts';
import { baseLanguage, languages, type Language } from '../../../contract/portal-config.ts';
import { valueAt } from '../../../engine/core/json-pointer.ts';
import { t } from '../../texts.ts';
import { placesIn } from '../titles.ts';
import type { Pending } from '../pending.ts';
import type { Studio } from '../use-studio.ts';

interface TextPanelProps {
  readonly studio: Studio;
  readonly name: string;
  readonly texts: readonly ScreenText[];
  /** The file of each language. */
  readonly files: Readonly<Record<Language, string>>;
}

/** The texts of a screen, or of what no screen declares, in both languages, side by side. */
export function TextPanel({ studio, name, texts, files }: TextPanelProps) {
  const placeOf = placesIn(studio.set, files[baseLanguage]);
  if (texts.length === 0) return <p>{t('noTexts')}</p>;
  return (
    <table className="studio-table studio-texts-table">
      <caption>{t('textsOf', { name })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('pointer')}</th>
          {languages.map((language) => (
            <th key={language} scope="col">
              {t(language)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {texts.map((text) => {
          const place = placeOf(text.pointer);
          return (
            <tr key={text.pointer}>
              <th scope="row">{place}</th>
              {languages.map((language) => {
                const pointer = language === baseLanguage ? text.pointer : text.address;
                return (
                  <td key={language}>
                    <TextCell
                      label={`${t(language)}: ${place}`}
                      value={pendingText(studio.pending, files[language], pointer) ?? text.texts[language] ?? ''}
                      onChange={(value) => studio.stage(files[language], { pointer, value })}
                    />
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function TextCell({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return <textarea aria-label={label} rows={1} value={value} onChange={({ target }) => onChange(target.value)} />;
}

/** A text that was typed and not yet written. */
export function pendingText(pending: Pending, file: string, pointer: string): string | undefined {
  // The whole of which it is a part may be what was changed.
  for (const edit of pending[file]?.edits ?? []) {
    if (edit.pointer !== pointer && !pointer.startsWith(`${edit.pointer}/`)) continue;
    const value = valueAt(edit.value, pointer.slice(edit.pointer.length));
    return typeof value === 'string' ? value : '';
  }
  return undefined;
}
