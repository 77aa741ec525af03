import type { Access, AccessWords, Flow, FlowDescriptions, Ui } from '../core/definition.ts';
import type { Json, JsonObject, Values } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import type { SavedJourney } from '../core/saved.ts';
import type { ScreenModule } from '../core/screen.ts';
import type { BoxWords, TitledValue } from '../core/titled-values.ts';
import type { LintOptions } from './lint/options.ts';
import type { LoadCache } from './sources/load-cache.ts';
import type { OperationDefaults } from './flow/operation-defaults.ts';

/** E: the set is refused. W: something is wrong for somebody. N: worth a look. */
export type Severity = 'E' | 'W' | 'N';

/** A change of one value of a file; without `value` it goes. */
export interface Edit {
  readonly file: string;
  readonly pointer: string;
  readonly value?: Json;
}

/** One thing wrong with a file, said so that an analyst can mend it. */
export interface Problem {
  /** Path relative to the project, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON pointer inside the file. */
  readonly pointer: string;
  readonly message: string;
  /** What to do, in a sentence. */
  readonly hint: string;
  /** What the file says of the nearest state, operation, branch or guard around the place. */
  readonly description?: string;
  /** Id of the rule of the analysis that found it; absent: a check of the file itself. */
  readonly rule?: string;
  /** Absent: E, which no set is served with. */
  readonly severity?: Severity;
  /** The shortest walk through a flow that shows it. */
  readonly walk?: string;
  /** Other places that have to do with it. */
  readonly related?: readonly { readonly file: string; readonly pointer: string }[];
  /** Edits that mend it. */
  readonly fix?: readonly Edit[];
}

/** Thrown when a set of definitions has problems. */
export class DefinitionError extends Error {
  readonly problems: readonly Problem[];
  /** A file could not be read as what it is: nothing was checked across files. */
  readonly partial: boolean;

  constructor(problems: readonly Problem[], partial = false) {
    super(problems.map(sentenceOf).join('\n'));
    this.problems = problems;
    this.partial = partial;
  }
}

/** A problem in one line, as editors and terminals read places. */
export function sentenceOf(problem: Problem): string {
  const { file, line, column, pointer, message, hint, description, severity, rule, walk } = problem;
  const kind = rule === undefined ? '' : `${severity ?? 'E'} ${rule}: `;
  return `${file}:${line}:${column} ${pointer} ${kind}${message}${walk === undefined ? '' : ` [${walk}]`} ${hint}${description === undefined ? '' : ` ("${description}")`}`;
}

/** The verdict of a screen's validator on the values of a form. */
export interface CheckResult {
  /** The values that count: hidden and empty ones pruned. */
  readonly data: Values;
  /** Message by field; `''` holds one of no field. Empty: everything is fine. */
  readonly errors: Readonly<Record<string, string>>;
}

/** A file that the browser loads: served as it stands under its hashed `url`. */
export interface ServedModule {
  readonly url: string;
  /** ES module text. */
  readonly source: string;
}

/** A checked and compiled set of definitions. */
export interface Definitions {
  readonly version: string;
  readonly languages: readonly string[];
  readonly screens: ReadonlySet<string>;
  readonly flows: Readonly<Record<string, Flow>>;
  /** What each flow says of itself to whoever works on it. */
  readonly descriptions: Readonly<Record<string, FlowDescriptions>>;
  manifest(language: string): Manifest;
  /** What the analysis found and does not refuse the set for; empty without one. */
  readonly findings: readonly Problem[];
  /** Every module of every language. */
  readonly modules: readonly ServedModule[];
  /** The bundled JSON Schema of a screen with fields, null of one without. */
  schema(screen: string): JsonObject | null;
  ui(screen: string, language: string): Ui;
  /** A screen with the functions that validate its fields, as its module gives them to a browser. */
  screen(screen: string, language: string): ScreenModule;
  /** Folders of plugins/ that a screen uses. */
  plugins(screen: string): readonly string[];
  /** What a flow saves of a way through it; null where it is unknown, saves none, or has no such step. */
  savedJourney(flow: string, way: SavedJourney): SavedJourney | null;
  /** The flows that save their ways, and whose way ends with an operation. */
  savedFlowsEndedBy(operation: string): readonly string[];
  /** The screens with fields of the steps whose forms flows send with an operation. */
  screensSentBy(operation: string): readonly string[];
  /** The answers to screens as they draw them in the base language. */
  titled(screen: string | readonly string[], values: Values, words: BoxWords): readonly TitledValue[];
  /** Hash of the rules of a screen, or of those screens of a journey that are asked by the facts of `context` and the answers in `values`. */
  screenVersion(screen: string | readonly string[], context?: Values, values?: Values): string;
  /**
   * Prunes and validates with the very validator that the browser loads; the values of a way with those of all its screens. `context` holds
   * flags and other facts of the server.
   */
  check(
    screen: string | readonly string[],
    values: Values,
    options: { language: string; context: Values },
  ): CheckResult;
}

/** Texts that files of schemas/ and flows/ have instead of those on the disk, by path; null: the file is gone. */
export type OtherTexts = ReadonlyMap<string, string | null>;

/** The live set of definitions: the last good one in service, and what is wrong with the files of now. */
export interface DefinitionsSource {
  readonly current: Definitions;
  /** What the loads of this project worked out, for others that try it with other texts. */
  readonly cache: LoadCache;
  /** Empty when the set that was read last is in service. */
  readonly problems: readonly Problem[];
  /** The text of a module by its hashed address, those of earlier sets included. */
  module(url: string): string | undefined;
  /** Calls `listener` after each reading of changed files, good or bad; answers the way to stop. */
  onChange(listener: () => void): () => void;
  /** Waits for `prepare` before each later set comes into service. */
  beforeChange(prepare: (next: Definitions) => Promise<void>): void;
  close(): Promise<void>;
}

/** A field of a screen that an operation reads. */
export interface FieldRead {
  readonly operation: string;
  /** The screens that check the operation's body, of which one has the field. */
  readonly screens: readonly string[];
  readonly field: string;
  readonly type: string;
}

/** How a set is compiled, wherever its files are. */
export type SetOptions = Omit<DefinitionsOptions, 'root' | 'texts' | 'watch'>;

/** How a set of definitions is opened. */
export interface DefinitionsOptions {
  /** The project's folder, which holds schemas/, flows/ and plugins/. */
  readonly root: string;
  /** Read in the place of the files. */
  readonly texts?: OtherTexts;
  /** The language of the files that name none: ui.json beside ui.pt.json. */
  readonly baseLanguage: string;
  /** Names that flows may invoke, each with what the checks need of it. */
  readonly operations: readonly string[];
  /** What an operation takes where a flow says nothing of it, by operation. */
  readonly defaults?: Readonly<Record<string, OperationDefaults>>;
  /** The fields of screens that calls read, which no analyst may rename or drop. */
  readonly reads?: readonly FieldRead[];
  /** The screens by which the server checks the body of each operation. */
  readonly forms?: Readonly<Record<string, readonly string[]>>;
  /** The operations that keep what further screens and fields ask for: a flow may add steps before the one that sends them. */
  readonly extra?: readonly string[];
  /** Screens whose values the server validates as well, and what of `facts` it knows then; it knows no variable of a flow. */
  readonly validated?: {
    readonly screens: readonly string[];
    readonly facts: readonly string[];
    /** What rules of plugins alone may read beside them. */
    readonly own?: readonly string[];
  };
  /** Names of the portal's blocks. */
  readonly blocks: readonly string[];
  /** Names of `ui:widget` that the theme of the page brings beside the engine's own. */
  readonly widgets?: readonly string[];
  /** Who may open a state, beside `anyone`; absent: any word will do. */
  readonly access?: AccessWords;
  /** A portal of their own for some visitors: flows for them alone, own blocks, and texts in the base language where there are no others. */
  readonly separatePortal?: { readonly access: Access; readonly blocks: readonly string[] };
  /** Variables that rules may read beside form and context: paths such as `flags.ayuda`, or roots such as `user`. */
  readonly facts: readonly string[];
  /** Paths that the server leads to, in mails and redirects: each must be one of the flows'. */
  readonly pages: readonly string[];
  /** The language in which what is wrong is told, one of `Localized`; absent: English. */
  readonly language?: string;
  /** Walks the flows and holds the set to the rules of the analysis; absent: only what single files tell is checked. */
  readonly analysis?: LintOptions;
  /** Read again whenever a file changes. */
  readonly watch?: boolean;
}
