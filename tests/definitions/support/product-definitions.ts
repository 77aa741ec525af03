import { loadDefinitions } from '../../../src/engine/compiler/load-definitions.ts';
import { createDefinitionOptions } from '../../../src/server/app/definition-options.ts';
import { root } from './fixtures.ts';

/** Definitions of the product, compiled once per worker. */
export const productDefinitions = loadDefinitions(createDefinitionOptions(root));
