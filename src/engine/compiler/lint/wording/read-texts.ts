import { escapePointer } from '../../../core/json-pointer.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { textTable } from '../../files/plugin-table.ts';
import { listTextPairs, indexTexts } from '../../shared/texts.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { Subject } from '../subject.ts';
import type { ReadText } from './faults.ts';

export interface LocatedText extends ReadText {
  readonly file: SourceFile;
  readonly pointer: string;
  /** Location of the original text. */
  readonly origin: { readonly file: SourceFile; readonly pointer: string };
}

/** Cached: several rules read the same texts. */
const known = new WeakMap<Subject, Map<string, readonly LocatedText[]>>();

/** Returns the texts of one language in screens, shared definitions, common texts and the catalogue. */
export function textsIn(language: string, subject: Subject): readonly LocatedText[] {
  const ofSubject = known.get(subject) ?? new Map<string, readonly LocatedText[]>();
  known.set(subject, ofSubject);
  const texts = ofSubject.get(language) ?? readTexts(language, subject);
  ofSubject.set(language, texts);
  return texts;
}

function readTexts(language: string, subject: Subject): readonly LocatedText[] {
  return [
    ...pairedFiles(language, subject).flatMap(([base, file]) => listFileTexts(base, file)),
    ...pairedTables(language, subject).flatMap(([base, file]) =>
      Object.entries(textTable(file)).map(([key, text]): LocatedText => {
        const pointer = `/${escapePointer(key)}`;
        return { file, pointer, origin: { file: base, pointer }, text, readers: 'everybody' };
      }),
    ),
  ];
}

/** Returns the files of a language, each with its original. In the base language both are the same. */
export function pairedFiles(
  language: string,
  { set, screens }: Subject,
): readonly (readonly [base: SourceFile, file: SourceFile])[] {
  const isBase = language === set.baseLanguage;
  const all = new Map([...set.shared, ...set.sharedTexts]);
  const shared = [...all].flatMap(([name, base]) => {
    if (!isOfLanguage(name, set.baseLanguage, set) || isCatalogue(base, set)) return [];
    const file = isBase ? base : all.get(name.replace(/json$/, `${language}.json`));
    return file ? [[base, file] as const] : [];
  });
  const own = [...screens.values()].flatMap(({ files: { ui, translations } }) => {
    const file = isBase ? ui : translations.get(language);
    return ui && file ? [[ui, file] as const] : [];
  });
  return [...shared, ...own];
}

/** Whether a file name belongs to a language: `portal.pt.json`, or `portal.json` for the base language. */
function isOfLanguage(name: string, language: string, { baseLanguage, languages }: Subject['set']): boolean {
  if (language !== baseLanguage) return name.endsWith(`.${language}.json`);
  return languages.slice(1).every((other) => !name.endsWith(`.${other}.json`));
}

function isCatalogue(file: SourceFile, { catalogues }: Subject['set']): boolean {
  return [...catalogues.values()].includes(file);
}

/** Returns the files of a language that are tables of texts, each with its original. */
export function pairedTables(
  language: string,
  { set }: Subject,
): readonly (readonly [base: SourceFile, file: SourceFile])[] {
  const isBase = language === set.baseLanguage;
  const common = [...set.commonTexts].flatMap(([name, base]) => {
    if (!isOfLanguage(name, set.baseLanguage, set)) return [];
    const file = isBase ? base : set.commonTexts.get(name.replace(/json$/, `${language}.json`));
    return file ? [[base, file] as const] : [];
  });
  const [base, file] = [set.catalogues.get(set.baseLanguage), set.catalogues.get(language)];
  return base && file ? [[base, file], ...common] : common;
}

function listFileTexts(base: SourceFile, file: SourceFile): readonly LocatedText[] {
  const errors = listErrorPointers(base);
  if (file === base)
    return [...indexTexts(file.value)].map(([pointer, text]) => ({
      file,
      pointer,
      origin: { file, pointer },
      text,
      readers: 'everybody',
      isError: errors.has(pointer),
    }));
  return listTextPairs(base.value, file.value).flatMap(({ pointer, address, translated: text }) =>
    text === undefined
      ? []
      : {
          file,
          pointer: address,
          origin: { file: base, pointer },
          text,
          readers: 'everybody' as const,
          isError: errors.has(pointer),
        },
  );
}

/** Returns the pointers of error texts without a link. */
function listErrorPointers({ value }: SourceFile): ReadonlySet<string> {
  const found = new Set<string>();
  for (const part of ['notices', '$defs']) {
    const notices: Json | undefined = isObject(value) ? (value[part] as Json) : undefined;
    for (const [name, notice] of Object.entries(isObject(notices) ? notices : {})) {
      if (isObject(notice) && notice['intent'] === 'error' && notice['link'] === undefined)
        found.add(`/${part}/${escapePointer(name)}/text`);
    }
  }
  return found;
}
