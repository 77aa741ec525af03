import type { Flow, FlowDescriptions } from '../engine/core/definition.ts';
import type { Json, JsonObject, Values } from '../engine/core/json.ts';
import type { Sight } from './sight.ts';

/** Addresses of the pages for those who make screens; the development server alone answers them. */
export const devAddresses = {
  door: '/_dev',
  gallery: '/_dev/pantallas',
  drawing: '/_dev/dibujo',
  preview: '/_dev/vista',
  flows: '/_dev/flujos',
  studio: '/_dev/estudio',
  walk: '/_dev/recorrido',
  operations: '/_dev/operaciones',
} as const;

/** Why a fixture is marked. */
export type FixtureFault =
  | { readonly kind: 'unreadable'; readonly detail: string }
  | { readonly kind: 'shape'; readonly detail: string }
  | { readonly kind: 'differs'; readonly field: string; readonly expected: string; readonly actual: string };

/** One case of QA as the gallery lists it. */
export interface FixtureEntry {
  readonly name: string;
  /** Path below the project's folder. */
  readonly file: string;
  readonly note: string;
  /** The message of each field that it expects. */
  readonly errors: Readonly<Record<string, string>>;
  /** Empty: the rules of now say what it expects. */
  readonly faults: readonly FixtureFault[];
}

/** One screen of schemas/. */
export interface ScreenEntry {
  readonly name: string;
  /** Paths below the project's folder: what to edit for it. */
  readonly files: readonly string[];
  /** States that show it, as `flow.state`, and what their flow says of them. */
  readonly states: readonly { readonly name: string; readonly description?: string }[];
  readonly fixtures: readonly FixtureEntry[];
}

/** One operation of the contract, with the JSON Schemas of what it takes and answers. */
export interface OperationEntry {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly roles: readonly string[];
  /** The proof of identity that it asks for; null: none. */
  readonly proof: string | null;
  readonly query: readonly string[];
  /** Null: it takes none. */
  readonly body: Json;
  readonly answer: Json;
}

/** Somebody of the sample data whom a walk can have as its citizen. */
export interface Persona {
  readonly kind: 'active' | 'in-registry' | 'incomplete' | 'agent' | 'called';
  readonly name: string;
  /** The record as the portal knows it. */
  readonly user: Values;
}

/** A level, and what of a record it changes. */
export interface PersonaLevel {
  readonly name: string;
  readonly user: Values;
  /** Who has it needs a second factor. */
  readonly demandsFactor: boolean;
}

/** A rule of a plugin, as an analyst knows it. */
export interface PluginRule {
  readonly title: string;
  /** What it says where it refuses. */
  readonly message: string;
  /** The types of the fields that it fits. */
  readonly types: readonly string[];
  /** JSON Schema. */
  readonly parameters: JsonObject;
  /** What its parameters are called. */
  readonly labels: Readonly<Record<string, string>>;
}

/** What of the portal definitions are written against. */
export interface StudioFacts {
  /** By operation: the codes of the errors that it declares. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  /** Codes that any operation may answer. */
  readonly commonErrors: readonly string[];
  readonly flags: readonly string[];
  readonly personas: readonly Persona[];
  readonly levels: readonly PersonaLevel[];
  /** By operation: an answer as it could be. */
  readonly samples: Readonly<Record<string, Json>>;
  /** Every widget that a field may name. */
  readonly widgets: readonly string[];
  /** What those of plugins are called. */
  readonly widgetTitles: Readonly<Record<string, string>>;
  /** The rules that plugins bring. */
  readonly keywords: readonly string[];
  /** Those of them that stand at a field. */
  readonly rules: Readonly<Record<string, PluginRule>>;
  /** What each kind of file is written in: JSON Schema. */
  readonly formats: Readonly<Record<'flow' | 'ui' | 'translation' | 'schema', Values>>;
}

/** What a page of the gallery carries. */
export type DevData =
  | { readonly view: 'gallery'; readonly screens: readonly ScreenEntry[]; readonly problems: readonly string[] }
  | {
      readonly view: 'flows';
      readonly flows: readonly Flow[];
      /** What each screen says it is. */
      readonly titles: Readonly<Record<string, string>>;
      readonly descriptions: Readonly<Record<string, FlowDescriptions>>;
      readonly problems: readonly string[];
    }
  | {
      readonly view: 'drawing';
      readonly screen: string;
      readonly data: Values;
      readonly context: Values;
      readonly submit: boolean;
    }
  | { readonly view: 'preview'; readonly screen: string }
  | { readonly view: 'operations'; readonly operations: readonly OperationEntry[] }
  | { readonly view: 'walk'; readonly flow: string }
  | {
      readonly view: 'studio';
      readonly token: string;
      readonly facts: StudioFacts;
    }
  | { readonly view: 'door' }
  | { readonly view: 'missing' };

/** What the studio asks the frame of its preview to draw: a compiled screen with the values of a case. */
export interface DrawOrder {
  readonly url: string;
  readonly data: Values;
  readonly context: Values;
  /** The form has been submitted: the case expects that it is refused. */
  readonly submit: boolean;
  readonly sight: Sight;
}

/** What that frame tells the studio: it listens. */
export interface DrawNews {
  readonly kind: 'ready';
}

/** Id of the script element that holds them. */
export const devDataId = 'dev';

/** What the development server put into this page. Throws when it is missing. */
export function readDevData(): DevData {
  const text = document.getElementById(devDataId)?.textContent;
  if (!text) throw new Error('The page carries no data of the gallery.');
  return JSON.parse(text) as DevData; // written by the development server from the same type
}
