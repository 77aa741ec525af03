import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadDefinitionsOptions } from './compiler/definitions.ts';
import { formatFlowMaps } from './map/format-flow-maps.ts';
import messages from './compiler/messages.json' with { type: 'json' };
import { loadDefinitions } from './compiler/load-definitions.ts';
import { emitScreenDeclarations } from './compiler/screen/emit-screen-declarations.ts';
import type { Flow } from './core/flow-and-screen-types.ts';
import { mapValues } from './core/json.ts';

export interface CompiledDefinitions {
  /** ES module source of each screen. Serve it unchanged. */
  readonly screens: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string>>;
  readonly flows: Readonly<Record<string, Flow>>;
}

type CompileOptions = Pick<LoadDefinitionsOptions, 'root' | 'baseLanguage'> & Partial<LoadDefinitionsOptions>;

/** Compiles the screens and flows of a folder. Missing messages have defaults in `en`, `es` and `pt`. Throws a DefinitionError with all problems. */
export async function compile(options: CompileOptions): Promise<CompiledDefinitions> {
  const definitions = await load(options);
  const { screens } = definitions.manifest(options.baseLanguage);
  const sources = new Map(definitions.modules.map(({ url, source }) => [url, source]));
  return {
    screens: mapValues(screens, ({ url }) => sources.get(url) ?? ''),
    types: mapValues(screens, (_, id) => emitScreenDeclarations(definitions.screen(id, options.baseLanguage).screen)),
    flows: definitions.flows,
  };
}

/** Returns an HTML page with a map of each flow. Marks states that no path reaches. Throws a DefinitionError with all problems. */
export async function drawFlowMaps(options: CompileOptions): Promise<string> {
  return formatFlowMaps(await load(options), options.baseLanguage);
}

function load(options: CompileOptions) {
  if (!options.texts && !existsSync(join(options.root, 'schemas')))
    throw new Error(`"${options.root}" has no folder schemas/.`);
  return loadDefinitions({ operations: [], blocks: [], facts: [], pages: [], messages, ...options });
}
