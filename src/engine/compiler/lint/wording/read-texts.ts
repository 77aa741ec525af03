import { escapePointer } from '../../../core/json-pointer.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { textTable } from '../../files/text-table.ts';
import { pairsOf, textsOf } from '../../shared/texts.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { Subject } from '../subject.ts';
import type { ReadText } from './faults.ts';

/** A text of a set, and where it stands. */
export interface PlacedText extends ReadText {
  readonly file: SourceFile;
  readonly pointer: string;
  /** Where it stands in the base language: of a translation where its original does. */
  readonly origin: { readonly file: SourceFile; readonly pointer: string };
}

/** What several rules ask of a set is read once. */
const known = new WeakMap<Subject, Map<string, readonly PlacedText[]>>();

/** The texts of one language that a set brings: those of screens, of their shared parts and of the catalogue. */
export function textsIn(language: string, subject: Subject): readonly PlacedText[] {
  const ofSubject = known.get(subject) ?? new Map<string, readonly PlacedText[]>();
  known.set(subject, ofSubject);
  const texts = ofSubject.get(language) ?? readTexts(language, subject);
  ofSubject.set(language, texts);
  return texts;
}

function readTexts(language: string, subject: Subject): readonly PlacedText[] {
  return [
    ...pairedFiles(language, subject).flatMap(([base, file]) => textsOfFile(base, file)),
    ...pairedTables(language, subject).flatMap(([base, file]) =>
      Object.entries(textTable(file)).map(([key, text]): PlacedText => {
        const pointer = `/${escapePointer(key)}`;
        return { file, pointer, origin: { file: base, pointer }, text, readers: 'everybody' };
      }),
    ),
  ];
}

/** The files of a language, each behind the one that it translates: itself in the base language. */
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

/** Whether a file is of a language by its name: `portal.pt.json`, and `portal.json` of the base language. */
function isOfLanguage(name: string, language: string, { baseLanguage, languages }: Subject['set']): boolean {
  if (language !== baseLanguage) return name.endsWith(`.${language}.json`);
  return languages.slice(1).every((other) => !name.endsWith(`.${other}.json`));
}

function isCatalogue(file: SourceFile, { catalogues }: Subject['set']): boolean {
  return [...catalogues.values()].includes(file);
}

/** Files of a language that hold a sentence behind each key, each behind the one that it translates. */
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

function textsOfFile(base: SourceFile, file: SourceFile): readonly PlacedText[] {
  const errors = errorsOf(base);
  if (file === base)
    return [...textsOf(file.value)].map(([pointer, text]) => ({
      file,
      pointer,
      origin: { file, pointer },
      text,
      readers: 'everybody',
      isError: errors.has(pointer),
    }));
  return pairsOf(base.value, file.value).flatMap(({ pointer, address, translated: text }) =>
    text === undefined
      ? []
      : [
          {
            file,
            pointer: address,
            origin: { file: base, pointer },
            text,
            readers: 'everybody' as const,
            isError: errors.has(pointer),
          },
        ],
  );
}

/** Where the notices of errors say what they say, but for those with a link, which leads on. */
function errorsOf({ value }: SourceFile): ReadonlySet<string> {
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
