import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { buildTargets } from './src/contract/constants.ts';
import { nonceMark } from './src/contract/prerender.ts';
import { documents } from './src/server/web/pages/page-source.ts';

/** What each form takes, whatever its widgets; what only some need stays out. */
const forms =
  /node_modules\/(@fluentui\/(react-(shared-contexts|jsx-runtime|input|field|spinner|label)|tokens)|mobx-react-lite)\/|src\/engine\/(fluent\/|react\/(?!flow\/(flow-route|step-bar)|field\/(list-field|matrix|moment|wide-fields)|tone[.])|core\/(ui|validate|plugin|runtime|screen)[.]|runtime\/open-screen[.])/;

/** Without the second group `/login` takes 203 KB in 62 scripts, with it 193 KB in 30: each small script costs a request and a task of the page. */
const codeSplitting = {
  groups: [
    { name: 'first', tags: ['$initial' as const], priority: 1 },
    { name: 'form', test: forms },
  ],
};

const libraries = /node_modules\/(react-dom|react-router|mobx|axios)\//;

/**
 * Most of what these chunks hold is called as a page starts. V8 compiles them whole, in the background as they arrive, instead of each
 * function on the main thread at its first call. Browsers that do not know the hint read a comment.
 */
export const compileHints: Plugin = {
  name: 'compile-hints',
  generateBundle: {
    order: 'post', // the hint has to be the first line, and Vite writes there too
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
  html: { cspNonce: nonceMark },
  build: {
    outDir: 'dist/portal',
    target: buildTargets,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Every script names those it imports, and nothing compresses a hash: 42 bits tell versions apart.
    rolldownOptions: {
      input: documents.portal,
      output: { chunkFileNames: 'assets/[name]-[hash:7].js', codeSplitting },
    },
  },
});
