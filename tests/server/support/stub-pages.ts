import type { PageSource } from '../../../src/server/web/pages/page-source.ts';

/** Page source that returns an empty document, for servers without a build. */
export const stubPages: PageSource = {
  readTemplate: async () => '<!doctype html><html lang="__LANGUAGE__"><head><title></title></head><body></body></html>',
  folder: null,
  listModuleUrls: () => [],
  listStylesheets: () => [],
  fonts: [],
  prerender: null,
  development: null,
};
