import type { DefinitionsOptions } from './compiler/definitions.ts';
import { loadDefinitions } from './compiler/load-definitions.ts';
import type { Flow } from './core/definition.ts';

export interface CompiledDefinitions {
  /** ES module source of each screen. Serve it unchanged. */
  readonly screens: Readonly<Record<string, string>>;
  readonly flows: Readonly<Record<string, Flow>>;
}

/** Checks and compiles the screens and flows of a folder, in its base language. Throws a DefinitionError that lists everything wrong. */
export async function compile(
  options: Pick<DefinitionsOptions, 'root' | 'baseLanguage' | 'operations'> & Partial<DefinitionsOptions>,
): Promise<CompiledDefinitions> {
  const definitions = await loadDefinitions({ blocks: [], facts: [], pages: [], ...options });
  const { screens } = definitions.manifest(options.baseLanguage);
  const sources = new Map(definitions.modules.map(({ url, source }) => [url, source]));
  return {
    screens: Object.fromEntries(Object.entries(screens).map(([id, { url }]) => [id, sources.get(url) ?? ''])),
    flows: definitions.flows,
  };
}
