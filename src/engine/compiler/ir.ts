import type { Logic, Ui } from '../core/definition.ts';
import type { JsonObject } from '../core/json.ts';
import type { FileSet, ScreenFiles } from './files/read-file-set.ts';
import type { ExpandedFlow } from './flow/expand-flow.ts';
import { hash } from './sources/hash.ts';
import type { Report, SourceFile } from './sources/source-file.ts';

// The intermediate representation of the compiler. `pipeline.ts` lists the passes that produce and read it:
//
//   files → FileSet → LoweredFlow and ScreenDraft → CheckedSet → Definitions
//
// A `FileSet` has parsed files with the position of each value, so that every later pass can report at a line. `Definitions` are served and queried.

/** A flow as the runtime executes it, with the file and a report at the location of each part. */
export type LoweredFlow = ExpandedFlow & { readonly file: SourceFile; readonly report: Report };

/** A screen in one language, while its keywords are lowered to those of the runtime. A screen without fields has no schema. */
export interface ScreenDraft {
  readonly schema: JsonObject | null;
  readonly ui: Ui;
}

/** Conditions of fields, except visibility. Each table is keyed by field name. */
export interface FieldConditions {
  readonly requiredWhen: Readonly<Record<string, Logic>>;
  /** Condition for each choice, in order. */
  readonly offeredWhen: Readonly<Record<string, readonly Logic[]>>;
  /** Rule that derives a choice between alternatives from other values. Such a choice is never sent. */
  readonly decidedBy: Readonly<Record<string, Logic>>;
}
/** The files of a screen, after it was checked that ui.json exists. */
export type CheckedFiles = ScreenFiles & { readonly ui: SourceFile };
/** A lowered screen whose own files have no problems. Its schema has only keywords that the runtime validates. */
export interface CheckedScreen extends ScreenDraft {
  readonly id: string;
  readonly files: CheckedFiles;
  /** Fields that the compiler could not read. Their rules and texts are not checked. */
  readonly unread: ReadonlySet<string>;
  readonly conditions: FieldConditions;
  /** The ui of each language. `ui` is the one of the base language. */
  readonly uis: ReadonlyMap<string, Ui>;
}

/** All files of a set, lowered and checked individually. Files with problems are left out. */
export interface CheckedSet {
  readonly set: FileSet;
  readonly screens: readonly CheckedScreen[];
  readonly flows: readonly LoweredFlow[];
}

/** Cached, because several passes describe a screen. */
const described = new WeakMap<CheckedScreen, string>();

/** Returns a hash of a lowered screen and its texts, as an input of results that outlive the process. */
export function describeScreen(screen: CheckedScreen): string {
  const { id, files, schema, ui, uis, unread, conditions } = screen;
  const texts = () => [files.schema, files.ui, ...files.translations.values()].map((file) => file?.text);
  const own =
    described.get(screen) ?? hash(JSON.stringify([id, texts(), schema, ui, [...uis], [...unread], conditions]));
  described.set(screen, own);
  return own;
}
