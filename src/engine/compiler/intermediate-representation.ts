import type { JsonLogic, ScreenUi } from '../core/flow-and-screen-types.ts';
import type { JsonObject } from '../core/json.ts';
import type { DefinitionFiles, ScreenFiles } from './files/read-definition-files.ts';
import type { ExpandedFlow } from './flow/expand-flow.ts';
import { hashForUrl } from './sources/hash-for-url.ts';
import type { SourceFile } from './sources/source-file.ts';
import type { ProblemReporter } from './sources/problem-collector.ts';

// The intermediate representation of the compiler. `pipeline.ts` lists the passes that produce and read it:
//
//   files → DefinitionFiles → LoweredFlow and ScreenSchemaAndUi → CheckedDefinitions → ServedDefinitions
//
// `DefinitionFiles` contains the position of each parsed value, so that later passes can report problems with a line number.

export type LoweredFlow = ExpandedFlow & { readonly file: SourceFile; readonly report: ProblemReporter };

/** A screen in one language, while the passes lower its keywords to those of the runtime. The schema is `null` without fields. */
export interface ScreenSchemaAndUi {
  readonly schema: JsonObject | null;
  readonly ui: ScreenUi;
}

export interface FieldConditions {
  readonly requiredWhen: Readonly<Record<string, JsonLogic>>;
  /** Conditions of the choices of a field, in the order of the choices. */
  readonly offeredWhen: Readonly<Record<string, readonly JsonLogic[]>>;
  /** Rules that derive a choice between alternatives from other values. The derived choice is never sent. */
  readonly decidedBy: Readonly<Record<string, JsonLogic>>;
}
export type ScreenFilesWithUi = ScreenFiles & { readonly ui: SourceFile };
/** A lowered screen whose own files have no problems. Its schema has only keywords that the runtime validates. */
export interface CheckedScreen extends ScreenSchemaAndUi {
  readonly id: string;
  readonly files: ScreenFilesWithUi;
  /** Fields that the compiler could not read. Their rules and texts are not checked. */
  readonly unreadableFields: ReadonlySet<string>;
  readonly conditions: FieldConditions;
  /** The ui by language. Includes `ui`, which is in the base language. */
  readonly uis: ReadonlyMap<string, ScreenUi>;
}

export interface CheckedDefinitions {
  readonly set: DefinitionFiles;
  readonly screens: readonly CheckedScreen[];
  readonly flows: readonly LoweredFlow[];
}

/** Hashes by screen. Cached, because several passes need the hash of the same screen. */
const screenHashes = new WeakMap<CheckedScreen, string>();

export function hashScreen(screen: CheckedScreen): string {
  const { id, files, schema, ui, uis, unreadableFields: unread, conditions } = screen;
  const texts = () => [files.schema, files.ui, ...files.translations.values()].map((file) => file?.text);
  const own =
    screenHashes.get(screen) ??
    hashForUrl(JSON.stringify([id, texts(), schema, ui, [...uis], [...unread], conditions]));
  screenHashes.set(screen, own);
  return own;
}
