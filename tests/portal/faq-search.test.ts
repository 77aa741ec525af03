import { beforeAll, describe, expect, test } from 'vitest';
import words from '../../src/brand/search.json' with { type: 'json' };
import { questionSearch } from '../../src/portal/blocks/faq-search.ts';
import { loadContent } from '../../src/server/features/content/load-content.ts';
import { definitionOptions } from '../../src/server/app/definition-options.ts';
import { readDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { buildRoutes } from '../../src/engine/compiler/flow/routes.ts';
