import type { Language } from '../contract/portal-config.ts';
import type { Flow, FlowDescriptions, JsonLogic } from '../engine/core/flow-and-screen-types.ts';
import type { Json, ValuesByName } from '../engine/core/json.ts';
import type { ScreenCaseEntry, ScreenCaseFault } from './dev-page-data.ts';

export const studioPaths = {
  set: '/_dev/estudio/conjunto',
  cases: '/_dev/estudio/casos',
  findings: '/_dev/estudio/revision',
  changes: '/_dev/estudio/cambios',
  committed: '/_dev/estudio/confirmado',
  rename: '/_dev/estudio/renombre',
  write: '/_dev/estudio/archivos',
  draw: '/_dev/estudio/dibujo',
  modules: '/_dev/estudio/modulos',
  drawMail: '/_dev/estudio/correo',
  undo: '/_dev/estudio/deshacer',
  redo: '/_dev/estudio/rehacer',
} as const;

export const studioTokenHeader = 'x-estudio-token';

/** Sets the value at a JSON pointer, or removes it if `value` is absent. `before` is the key or index before which a new value is inserted. */
export interface JsonEdit {
  readonly pointer: string;
  readonly value?: Json;
  readonly before?: string;
}

export interface FileChange {
  readonly file: string;
  /** Version of the file on which the change is based. `null` for a new file. */
  readonly base: string | null;
  readonly edits?: readonly JsonEdit[];
  readonly text?: string;
  readonly deleted?: true;
}

export interface DefinitionWriteRequest {
  readonly changes: readonly FileChange[];
  /** Field for which the test cases must pass after the change. */
  readonly field?: string;
  /** Fields for whose rules test cases are generated. */
  readonly propose?: { readonly screen: string; readonly fields: readonly string[] };
  readonly dryRun?: boolean;
}

export type DefinitionWriteChecks = Pick<DefinitionWriteRequest, 'field' | 'propose'>;

export interface TextWithTranslations {
  /** JSON pointer of the text in the file of the base language. */
  readonly pointer: string;
  /** JSON pointer of the text in the translations. */
  readonly address: string;
  /** Texts by language. Missing translations are absent. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface LabelledField {
  readonly title: string;
  /** Choices in the order of the list. Empty if the field has no choices, or if an operation provides them. */
  readonly choices: readonly (readonly [value: Json, label: string])[];
}

export interface GuardLogic {
  readonly pointer: string;
  /** Rule of the guard, with abbreviations expanded. */
  readonly logic: JsonLogic;
}

export interface MailOrHelpPage {
  readonly kind: 'mail' | 'help';
  readonly name: string;
  /** Files by language. A mail that is an entry of a table has the same file in all languages. */
  readonly files: Readonly<Record<Language, string>>;
  /** Name of the mail into which the texts are inserted, if the mail is an entry of a table. Otherwise `null`. */
  readonly template: string | null;
  /** Texts of the mail, if it is an entry of a table. Otherwise empty. */
  readonly texts: readonly TextWithTranslations[];
}

export interface StudioDefinitions {
  readonly version: string;
  readonly files: Readonly<Record<string, VersionedFile>>;
  readonly texts: Readonly<Record<string, readonly TextWithTranslations[]>>;
  /** Texts by file name: header, overview, landing page, message catalogue and shared definitions. */
  readonly commonTexts: Readonly<Record<string, readonly TextWithTranslations[]>>;
  readonly documents: readonly MailOrHelpPage[];
  readonly fields: Readonly<Record<string, Readonly<Record<string, LabelledField>>>>;
  readonly flows: Readonly<Record<string, Flow>>;
  readonly guards: Readonly<Record<string, readonly GuardLogic[]>>;
  readonly descriptions: Readonly<Record<string, FlowDescriptions>>;
  readonly shared: { readonly notices: readonly string[]; readonly definitions: readonly string[] };
  readonly problems: readonly StudioProblem[];
  readonly history: StudioHistory;
}

interface ReversibleWrite {
  readonly id: string;
  readonly files: readonly string[];
}

export type StudioHistory = Readonly<Record<'undo' | 'redo', ReversibleWrite | null>>;

export interface StudioCase extends ScreenCaseEntry {
  readonly data: ValuesByName;
  readonly context: ValuesByName;
}

export interface StudioCases extends VersionedFile {
  readonly data: ValuesByName;
  readonly context: ValuesByName;
  readonly list: readonly StudioCase[];
  readonly snapshots: Pick<VersionedFile, 'file' | 'version'>;
}

export interface StudioDefinitionChange {
  readonly breaking: boolean;
  readonly where: string;
  readonly text: string;
}

export interface StudioProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly message: string;
  readonly hint: string;
}

export interface StudioFinding extends StudioProblem {
  readonly rule?: string;
  readonly severity?: 'E' | 'W' | 'N';
  readonly path?: string;
  readonly fix?: readonly (JsonEdit & { readonly file: string })[];
}

export interface VersionedFile {
  readonly file: string;
  readonly version: string | null;
  readonly text: string;
}

export interface MismatchedCase {
  readonly file: string;
  readonly name: string;
  readonly fault: ScreenCaseFault;
}

/** Result of a write. `partial`: references between files could not be checked, because a file was unreadable. `reason`: code of the refusal. */
export type DefinitionWriteResult =
  | { readonly outcome: 'written'; readonly files: readonly VersionedFile[]; readonly partial: boolean }
  | {
      readonly outcome: 'fine';
      readonly files: readonly VersionedFile[];
      readonly partial: boolean;
      readonly breaks: readonly MismatchedCase[];
    }
  | { readonly outcome: 'conflict'; readonly files: readonly VersionedFile[] }
  | { readonly outcome: 'problems'; readonly problems: readonly StudioProblem[] }
  | { readonly outcome: 'mismatched'; readonly cases: readonly MismatchedCase[] }
  | { readonly outcome: 'refused'; readonly reason: string };

/** The server does not check the versions on which `changes` are based. */
export interface ScreenPreviewRequest {
  readonly screen: string;
  readonly language: Language;
  readonly changes: readonly FileChange[];
}

/** `url` is that of the last valid version if the changes have problems, `null` if the screen does not exist. */
export type ScreenPreviewResult =
  | { readonly outcome: 'drawn' | 'problems'; readonly url: string | null; readonly problems: readonly StudioProblem[] }
  | { readonly outcome: 'refused'; readonly reason: string };

export interface MailPreviewRequest {
  readonly mail: string;
  readonly language: Language;
  readonly changes: readonly FileChange[];
}

export type MailPreviewResponse =
  | { readonly outcome: 'drawn'; readonly url: string; readonly subject: string }
  | { readonly outcome: 'refused'; readonly reason: string };

export const renameKinds = ['screen', 'field', 'flow', 'state', 'event'] as const;

/** Rename of a screen or flow, of a field or event of the screen `of`, or of a state of the flow `of`. */
export interface RenameRequest {
  readonly kind: (typeof renameKinds)[number];
  readonly of: string;
  readonly from: string;
  readonly to: string;
}

/** Changes that a rename causes. `refused` is the code of the reason if the rename is rejected. */
export interface RenamePlan {
  readonly refused: 'name' | 'unknown' | 'own' | 'taken' | null;
  readonly changes: readonly FileChange[];
  readonly files: readonly {
    readonly file: string;
    readonly path: string;
    readonly lines: readonly { readonly line: number; readonly before: string; readonly after: string }[];
  }[];
  readonly answer: DefinitionWriteResult | null;
}
