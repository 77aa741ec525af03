import type { Flow, FlowDescriptions } from '../engine/core/flow-and-screen-types.ts';
import type { Json, JsonObject, ValuesByName } from '../engine/core/json.ts';

/** Meta element with the number of file changes that preceded the page in development. */
export const changeCountMetaName = 'portal-changes-seen';

export const changeCountEvent = 'portal:changes-seen';

/** Event after a file change. If no listener calls `preventDefault`, the page reloads. */
export const fileChangeEvent = 'portal:changed';

export interface FileChangeEventDetail {
  /** Whether test cases or scenarios may have changed. They are not part of the compiled definitions. */
  readonly tests: boolean;
}

export const devPagePaths = {
  index: '/_dev',
  gallery: '/_dev/pantallas',
  drawing: '/_dev/dibujo',
  preview: '/_dev/vista',
  flows: '/_dev/flujos',
  studio: '/_dev/estudio',
  walk: '/_dev/recorrido',
  operations: '/_dev/operaciones',
} as const;

export type ScreenCaseFault =
  | { readonly kind: 'unreadable'; readonly detail: string }
  | { readonly kind: 'shape'; readonly detail: string }
  | { readonly kind: 'differs'; readonly field: string; readonly expected: string; readonly actual: string };

export interface ScreenCaseEntry {
  readonly name: string;
  readonly file: string;
  readonly note: string;
  readonly errors: Readonly<Record<string, string>>;
  readonly faults: readonly ScreenCaseFault[];
}

export interface GalleryScreen {
  readonly name: string;
  readonly title: string;
  /** Area of the first flow that shows the screen. `null` if no flow shows it. */
  readonly area: string | null;
  readonly files: readonly string[];
  /** States that show the screen, as `flow.state`, with their descriptions. */
  readonly states: readonly { readonly name: string; readonly description?: string }[];
  readonly fixtures: readonly ScreenCaseEntry[];
}

export interface OperationEntry {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly roles: readonly string[];
  readonly proof: string | null;
  readonly query: readonly string[];
  /** Request body. `null` if the operation has none. */
  readonly body: Json;
  readonly answer: Json;
}

export interface ScenarioPersona {
  readonly kind: 'active' | 'in-registry' | 'incomplete' | 'agent' | 'called';
  readonly name: string;
  readonly user: ValuesByName;
}

export interface PersonaAssuranceLevel {
  readonly name: string;
  readonly user: ValuesByName;
  readonly requiresFactor: boolean;
}

export interface PluginRule {
  readonly title: string;
  readonly message: string;
  readonly types: readonly string[];
  /** JSON Schema. */
  readonly parameters: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
}

export interface StudioReferenceData {
  readonly operations: Readonly<Record<string, readonly string[]>>;
  readonly commonErrors: readonly string[];
  readonly flags: readonly string[];
  readonly personas: readonly ScenarioPersona[];
  readonly levels: readonly PersonaAssuranceLevel[];
  readonly samples: Readonly<Record<string, Json>>;
  readonly widgets: readonly string[];
  readonly widgetTitles: Readonly<Record<string, string>>;
  readonly keywords: readonly string[];
  readonly rules: Readonly<Record<string, PluginRule>>;
  readonly formats: Readonly<Record<'flow' | 'ui' | 'translation' | 'schema', ValuesByName>>;
  readonly contentValues: Readonly<Record<string, string | number>>;
}

/** A valid case of an earlier step, for a screen that reviews the answers. */
export interface EarlierStepCase {
  readonly screen: string;
  /** Name of the step by language. */
  readonly titles: Readonly<Record<string, string>>;
  readonly data: ValuesByName;
  readonly context: ValuesByName;
}

export type DevPageData =
  | { readonly view: 'gallery'; readonly screens: readonly GalleryScreen[]; readonly problems: readonly string[] }
  | {
      readonly view: 'flows';
      readonly flows: readonly Flow[];
      readonly titles: Readonly<Record<string, string>>;
      /** Button texts of each flow, by state and event separated by a space. */
      readonly buttons: Readonly<Record<string, Readonly<Record<string, string>>>>;
      readonly descriptions: Readonly<Record<string, FlowDescriptions>>;
      readonly problems: readonly string[];
    }
  | {
      readonly view: 'drawing';
      readonly screen: string;
      readonly data: ValuesByName;
      readonly context: ValuesByName;
      readonly submit: boolean;
      readonly reviewed: readonly EarlierStepCase[];
    }
  | { readonly view: 'preview'; readonly screen: string }
  | { readonly view: 'operations'; readonly operations: readonly OperationEntry[] }
  | { readonly view: 'walk'; readonly flow: string }
  | { readonly view: 'studio'; readonly token: string; readonly referenceData: StudioReferenceData }
  | { readonly view: 'index' }
  | { readonly view: 'missing' };

export interface DisplayPreferences {
  readonly dark: boolean;
  /** Whether to show text at twice its size (WCAG 2.2, 1.4.4). */
  readonly large: boolean;
}

export interface DrawHelpPageCommand {
  readonly title: string;
  readonly markdown: string;
  readonly sight: DisplayPreferences;
}

export type PreviewCommand =
  | DrawHelpPageCommand
  | {
      readonly url: string;
      readonly data: ValuesByName;
      readonly context: ValuesByName;
      /** Whether to submit the form: `true` if the case expects errors. */
      readonly submit: boolean;
      readonly sight: DisplayPreferences;
    };

export const devPageDataElementId = 'dev';

export function readDevPageData(): DevPageData {
  const text = document.getElementById(devPageDataElementId)?.textContent;
  if (!text) throw new Error('The page has no embedded development data.');
  return JSON.parse(text) as DevPageData; // the cast is safe, because the development server serialized a value of this type
}
