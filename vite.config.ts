import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { browserBuildTargets } from './src/contract/constants.ts';
import { noncePlaceholder } from './src/contract/prerendered-page.ts';
import { pageDocumentPaths } from './src/server/web/pages/page-source.ts';

/** Modules of the engine that every form needs, without those that the engine loads on demand. */
const forms =
  /src\/engine\/(fluent|react)\/(?!flow\/(flow-route|step-bar|answer-review)|field\/(list-|matrix-|temporal-|lazy-field-components))/;

/**
 * Groups of modules per chunk. With the second group `/login` loads 204 KB in 34 scripts, without it 216 KB in 66. Each small script costs a
 * request and a task of the page.
 */
const codeSplitting = {
  groups: [
    { name: 'first', tags: ['$initial' as const], priority: 1 },
    { name: 'form', test: forms },
  ],
};

const libraries = /node_modules\/(react-dom|react-router|mobx|axios)\//;

/**
 * Adds V8's hint to chunks whose functions are mostly called at start. V8 then compiles the complete chunk in the background while it loads,
 * instead of each function on the main thread at its first call. To other browsers, the hint is a comment.
 */
export const compileHints: Plugin = {
  name: 'compile-hints',
  generateBundle: {
    order: 'post', // the hint must be the first line, and Vite inserts code there too
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const isStart = /^(form|start)$/.test(file.name) || file.moduleIds.some((id) => libraries.test(id));
        if (isStart) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      }
    },
  },
};

export default defineConfig({
  plugins: [react(), compileHints],
  html: { cspNonce: noncePlaceholder },
  build: {
    outDir: 'dist/portal',
    target: browserBuildTargets,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Short hashes: scripts contain the names of their imports, and hashes do not compress. 42 bits are enough to distinguish versions.
    rolldownOptions: {
      input: pageDocumentPaths.portal,
      output: { chunkFileNames: 'assets/[name]-[hash:7].js', codeSplitting },
    },
  },
});
