import type { AccessLevelName, AccessLevels, Flow, FlowDescriptions, ScreenUi } from '../core/flow-and-screen-types.ts';
import type { Json, JsonObject, ValuesByName } from '../core/json.ts';
import type { DefinitionsManifest } from '../core/definitions-manifest.ts';
import type { SavedJourney } from '../core/saved-journey.ts';
import type { ScreenModule } from '../core/compiled-screen.ts';
import type { AnswerFormatTexts, AnswerSummaryRow } from '../core/answer-summary.ts';
import type { LintOptions } from './lint/lint-options.ts';
import type { DefinitionLoadCache } from './sources/load-cache.ts';
import type { OperationInputDefaults } from './flow/unexpanded-flow-types.ts';

/** Severity of a problem. E is an error: the definitions are not served. W is a warning about a problem for some users. N is a note. */
export type ProblemSeverity = 'E' | 'W' | 'N';

/** Replaces one value in a file. Removes the value if `value` is absent. */
export interface FileEdit {
  readonly file: string;
  readonly pointer: string;
  readonly value?: Json;
}

export interface DefinitionProblem {
  /** Path relative to the project, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  /** The pointer with list items identified by name instead of index. Absent if equal to `pointer`. Suppressions in `_lint.json` use it. */
  readonly name?: string;
  readonly message: string;
  readonly hint: string;
  /** Description in the file of the nearest enclosing state, operation, branch or guard. */
  readonly description?: string;
  /** Id of the lint rule. Absent if a check of the file itself found the problem. */
  readonly rule?: string;
  /** Defaults to E. Definitions with an error are never served. */
  readonly severity?: ProblemSeverity;
  /** Shortest path through a flow that shows the problem. */
  readonly path?: string;
  readonly related?: readonly { readonly file: string; readonly pointer: string }[];
  readonly fix?: readonly FileEdit[];
  /** Forms of a probably misspelled word. If any other text in its language has one of them, the word is correct. */
  readonly wordForms?: readonly string[];
}

export class DefinitionError extends Error {
  readonly #problems: readonly DefinitionProblem[]; // private, so that Node.js does not print the problems beside the message
  /** Whether a file could not be parsed. If so, the checks across files did not run. */
  readonly partial: boolean;

  constructor(problems: readonly DefinitionProblem[], partial = false) {
    super(problems.map(formatProblem).join('\n'));
    this.#problems = problems;
    this.partial = partial;
  }

  get problems(): readonly DefinitionProblem[] {
    return this.#problems;
  }
}

/** Returns the problems of a `DefinitionError`. Throws any other error. */
export function getThrownProblems(error: unknown): readonly DefinitionProblem[] {
  if (error instanceof DefinitionError) return error.problems;
  throw error;
}

/** Formats a problem as one line. Its location has the format that editors and terminals recognize. */
export function formatProblem(problem: DefinitionProblem): string {
  const { file, line, column, pointer, name = pointer, message, hint, description, severity, rule, path } = problem;
  const kind = rule === undefined ? '' : `${severity ?? 'E'} ${rule}: `;
  return `${file}:${line}:${column} ${name}${description === undefined ? '' : ` ("${description}")`} ${kind}${message}${path === undefined ? '' : ` [${path}]`} ${hint}`;
}

export interface FormCheckResult {
  /** The submitted values except those of hidden and empty fields. */
  readonly data: ValuesByName;
  /** Messages by field. The key `''` is the form itself. Empty if the form is valid. */
  readonly errors: Readonly<Record<string, string>>;
}

export interface ServedModule {
  readonly url: string;
  readonly source: string;
}

export interface ServedDefinitions {
  readonly version: string;
  readonly languages: readonly string[];
  readonly screens: ReadonlySet<string>;
  readonly flows: Readonly<Record<string, Flow>>;
  readonly descriptions: Readonly<Record<string, FlowDescriptions>>;
  manifest(language: string): DefinitionsManifest;
  /** Warnings and notes of the analysis. Unlike errors, they do not prevent the definitions from being served. */
  readonly findings: readonly DefinitionProblem[];
  readonly modules: readonly ServedModule[];
  schema(screen: string): JsonObject | null;
  ui(screen: string, language: string): ScreenUi;
  screen(screen: string, language: string): ScreenModule;
  plugins(screen: string): readonly string[];
  /** Reduces a journey to the values that its flow saves. Returns `null` if the flow is unknown, saves nothing, or does not have the step. */
  savedJourney(flow: string, way: SavedJourney): SavedJourney | null;
  listSavedFlowsEndedByOperation(operation: string): readonly string[];
  /** Returns the screens whose forms a journey sends with this operation. Omits screens without fields. */
  listScreensSentWithOperation(operation: string): readonly string[];
  formatAnswers(
    screen: string | readonly string[],
    values: ValuesByName,
    words: AnswerFormatTexts,
  ): readonly AnswerSummaryRow[];
  /** Hash of the rules of a screen, or of the steps of a journey whose guard is true for `context` and `values`. */
  screenVersion(screen: string | readonly string[], context?: ValuesByName, values?: ValuesByName): string;
  /** Validates values as browsers do. For a journey, `values` must have the values of all its screens. */
  check(
    screen: string | readonly string[],
    values: ValuesByName,
    options: { language: string; context: ValuesByName },
  ): FormCheckResult;
}

/** Texts by path that replace the files of schemas/ and flows/ on disk. `null` means that the file does not exist. */
export type FileTextOverrides = ReadonlyMap<string, string | null>;

/** The current definitions of a project. While changed files have problems, the last valid definitions are served. */
export interface LiveDefinitions {
  readonly current: ServedDefinitions;
  readonly cache: DefinitionLoadCache;
  /** Problems of changed files. Empty if the definitions in `current` are those of the latest files. */
  readonly problems: readonly DefinitionProblem[];
  /** Returns the source of a module by its hashed URL. Includes the modules of earlier definitions, which open pages may still load. */
  module(url: string): string | undefined;
  /** Calls `listener` after each reload, even if the reload failed. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Calls `prepare` with the definitions of each reload. They are served only after `prepare` has finished. */
  setPreparation(prepare: (next: ServedDefinitions) => Promise<void>): void;
  close(): Promise<void>;
}

export interface FieldReadByOperation {
  readonly operation: string;
  /** Screens that validate the operation's body. At least one of these screens must have `field`. */
  readonly screens: readonly string[];
  readonly field: string;
  readonly type: string;
}

export type CompileProjectOptions = Omit<LoadDefinitionsOptions, 'root' | 'texts' | 'watch'>;

export interface LoadDefinitionsOptions {
  readonly root: string;
  readonly texts?: FileTextOverrides;
  /** Language of files without a language suffix: ui.json as opposed to ui.pt.json. */
  readonly baseLanguage: string;
  readonly operations: readonly string[];
  /** Default messages by language and key, for keys that the project's catalogue lacks. */
  readonly messages?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly defaults?: Readonly<Record<string, OperationInputDefaults>>;
  /** Fields that operations read. Analysts cannot rename or remove them. */
  readonly reads?: readonly FieldReadByOperation[];
  readonly forms?: Readonly<Record<string, readonly string[]>>;
  /** Operations that store every field, even undeclared ones. Flows may add steps before a step that calls such an operation. */
  readonly extra?: readonly string[];
  /** Screens that the server validates too, and the facts that their rules may read. The server has no flow variables. */
  readonly validated?: {
    readonly screens: readonly string[];
    readonly facts: readonly string[];
    /** Additional facts that only plugin rules may read. */
    readonly own?: readonly string[];
  };
  readonly blocks: readonly string[];
  /** Widgets of the page's theme, in addition to the built-in ones. */
  readonly widgets?: readonly string[];
  /** Access levels other than `anyone`. If absent, a state may have any value in `access`. */
  readonly access?: AccessLevels;
  /** Separate portal for some users, with its own flows and blocks. Its texts may exist only in the base language. */
  readonly separatePortal?: { readonly access: AccessLevelName; readonly blocks: readonly string[] };
  /** Facts that rules may read: paths such as `flags.ayuda`, or roots such as `user`. */
  readonly facts: readonly string[];
  /** Paths to which the server links in mails and redirects. The flows must have all of them. */
  readonly pages: readonly string[];
  /** Language of problem messages, one of `LocalizedText`. Defaults to English. */
  readonly language?: string;
  /** Enables state-space exploration and lint rules. If absent, only the files themselves are checked. */
  readonly analysis?: LintOptions;
  readonly watch?: boolean;
}
