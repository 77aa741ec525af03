import { loadDefinitions } from '../../../src/engine/compiler/load-definitions.ts';
import { DefinitionLoadCache } from '../../../src/engine/compiler/sources/load-cache.ts';
import { createDefinitionOptions } from '../../../src/server/app/definition-options.ts';
import { root } from './fixtures.ts';

export const productCache = new DefinitionLoadCache();

/** Definitions of the product, compiled once per worker. */
export const productDefinitions = loadDefinitions(createDefinitionOptions(root), productCache);
