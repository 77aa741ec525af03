import type { Language } from '../contract/portal-config.ts';
import type { Flow, FlowDescriptions, Logic } from '../engine/core/definition.ts';
import type { Json, Values } from '../engine/core/json.ts';
import type { FixtureEntry, FixtureFault } from './dev-data.ts';

/** Addresses of the studio's calls; its page stands in `devAddresses`. */
export const studioAddresses = {
  set: '/_dev/estudio/conjunto',
  cases: '/_dev/estudio/casos',
  findings: '/_dev/estudio/revision',
  changes: '/_dev/estudio/cambios',
  committed: '/_dev/estudio/confirmado',
  rename: '/_dev/estudio/renombre',
  write: '/_dev/estudio/archivos',
  draw: '/_dev/estudio/dibujo',
  modules: '/_dev/estudio/modulos',
  undo: '/_dev/estudio/deshacer',
  redo: '/_dev/estudio/rehacer',
} as const;

/** Header in which a page of the studio proves that this server gave it out. */
export const tokenHeader = 'x-estudio-token';

/** A change of one value of a file: without `value` it goes; `before` names the key or the place that a new one stands before. */
export interface StudioEdit {
  readonly pointer: string;
  readonly value?: Json;
  readonly before?: string;
}

/** What is to become of one file: some edits, or a whole new text. */
export interface FileChange {
  /** Path below the project's folder. */
  readonly file: string;
  /** Version that was read; null: the file is new. */
  readonly base: string | null;
  readonly edits?: readonly StudioEdit[];
  readonly text?: string;
  /** The file goes. */
  readonly gone?: true;
}

/** Files that change together, or not at all. */
export interface WriteRequest {
  readonly changes: readonly FileChange[];
  /** The field of a screen that the rules must take or refuse as the cases among the files expect it. */
  readonly field?: string;
  /** Only says what would be written, and what would be wrong. */
  readonly dryRun?: boolean;
}

/** One text of a screen in each language; no text where it is not translated. */
export interface ScreenText {
  /** Where it stands in the file of the base language. */
  readonly pointer: string;
  /** Where it stands in the other files. */
  readonly address: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** What people see of a field in the base language. */
export interface DrawnField {
  readonly title: string;
  /** The label of each value that it can have, in their order; empty: it is no choice, or the choices come from an operation. */
  readonly choices: readonly (readonly [value: Json, label: string])[];
}

/** A guard of a flow, by where it stands in its file. */
export interface WrittenGuard {
  readonly pointer: string;
  /** The short forms of the file written out. */
  readonly logic: Logic;
}

/** The set as it stands on the disk. */
export interface StudioSet {
  /** Files of screens, flows and walks by their paths; cases come by `studioAddresses.cases`. */
  readonly files: Readonly<Record<string, VersionedFile>>;
  readonly texts: Readonly<Record<string, readonly ScreenText[]>>;
  /** The sentences of what no screen declares (header, overview, landing), the catalogue of messages, and the texts of shared definitions, by the name of their file. */
  readonly commonTexts: Readonly<Record<string, readonly ScreenText[]>>;
  /** The fields of each screen of the last good set, as people see them. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, DrawnField>>>>;
  /** The catalogue of messages by language. */
  readonly messages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The flows as they run, those of the last good set. */
  readonly flows: Readonly<Record<string, Flow>>;
  /** The guards of each flow of the files. */
  readonly guards: Readonly<Record<string, readonly WrittenGuard[]>>;
  /** What they say of themselves, by flow. */
  readonly descriptions: Readonly<Record<string, FlowDescriptions>>;
  /** What screens share: notices by name, and definitions as a field takes them by "$ref". */
  readonly shared: { readonly notices: readonly string[]; readonly definitions: readonly string[] };
  readonly problems: readonly StudioProblem[];
  readonly history: StudioHistory;
}

/** A writing that can be undone or redone, with the files that it changes. */
export interface TurnableWriting {
  readonly id: string;
  readonly files: readonly string[];
}

/** What comes next to be undone and redone of what was written; null: nothing. */
export type StudioHistory = Readonly<Record<'undo' | 'redo', TurnableWriting | null>>;

/** A case of a screen with its values and facts. */
export interface StudioCase extends FixtureEntry {
  readonly data: Values;
  readonly context: Values;
  /** Whether its values are its own: else they are those of the file, some of them changed. */
  readonly ownData: boolean;
}

/** The cases of a screen, the version of their file, and the values and facts of each that has none of its own. */
export interface StudioCases {
  readonly file: string;
  readonly version: string | null;
  readonly text: string;
  readonly data: Values;
  readonly context: Values;
  readonly list: readonly StudioCase[];
  /** What the screen looks like with its cases, a file each. */
  readonly pictures: readonly Pick<VersionedFile, 'file' | 'version'>[];
}

/** One difference since the last commit, in a sentence. */
export interface StudioChange {
  readonly breaking: boolean;
  readonly where: string;
  readonly text: string;
}

/** One thing wrong with the definitions. */
export interface StudioProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly message: string;
  readonly hint: string;
}

/** What the checker found by walking the flows. */
export interface StudioFinding extends StudioProblem {
  readonly rule?: string;
  readonly severity?: 'E' | 'W' | 'N';
  readonly walk?: string;
  /** Edits that mend it. */
  readonly fix?: readonly (StudioEdit & { readonly file: string })[];
}

/** A file as it stands on the disk. */
export interface VersionedFile {
  readonly file: string;
  /** Null: there is no such file. */
  readonly version: string | null;
  readonly text: string;
}

/** A case that expects of a field what the rules do not say. */
export interface MismatchedCase {
  readonly file: string;
  /** Of the case. */
  readonly name: string;
  readonly fault: FixtureFault;
}

/** What became of changes: `partial` where a file that cannot be read kept the set from being checked across files; `refused` says why in a word. */
export type WriteAnswer =
  | {
      readonly outcome: 'written';
      readonly files: readonly VersionedFile[];
      readonly partial: boolean;
    }
  | {
      readonly outcome: 'fine';
      readonly files: readonly VersionedFile[];
      readonly partial: boolean;
      /** Cases that the rules of now fulfil and those of then would not. */
      readonly breaks: readonly MismatchedCase[];
    }
  | { readonly outcome: 'conflict'; readonly files: readonly VersionedFile[] }
  | { readonly outcome: 'problems'; readonly problems: readonly StudioProblem[] }
  | { readonly outcome: 'mismatched'; readonly cases: readonly MismatchedCase[] }
  | { readonly outcome: 'refused'; readonly reason: string };

/** A screen as it would be drawn after some changes of its files, whatever version they were begun on. */
export interface DrawRequest {
  readonly screen: string;
  readonly language: Language;
  readonly changes: readonly FileChange[];
}

/** Where the compiled screen is: that of the last good set where the changes have problems; null: the set has no such screen. */
export type DrawAnswer =
  | { readonly outcome: 'drawn' | 'problems'; readonly url: string | null; readonly problems: readonly StudioProblem[] }
  | { readonly outcome: 'refused'; readonly reason: string };

/** What has a name that stands in several files. */
export const renamed = ['screen', 'field', 'state', 'event'] as const;

/** Another name for something: a field or an event `of` a screen, a state `of` a flow, the screen itself. */
export interface RenameWish {
  readonly kind: (typeof renamed)[number];
  readonly of: string;
  readonly from: string;
  readonly to: string;
}

/** What a rename would write, by file and line, and what would be wrong then; or why there is none, in a word. */
export interface RenamePlan {
  readonly refused: 'name' | 'unknown' | 'own' | 'taken' | null;
  readonly changes: readonly FileChange[];
  readonly files: readonly {
    readonly file: string;
    /** Its path then. */
    readonly path: string;
    readonly lines: readonly { readonly line: number; readonly before: string; readonly after: string }[];
  }[];
  /** What writing it would come to; null where it is refused. */
  readonly answer: WriteAnswer | null;
}
