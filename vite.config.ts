import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Alias, type Plugin } from 'vite';
import { buildTargets } from './src/contract/constants.ts';
import { nonceMark } from './src/contract/prerender.ts';
import { documents } from './src/server/web/pages/page-source.ts';

/** Packages that are replaced in the browser; tests use the same list. */
export const aliases: readonly Alias[] = [
  {
    find: 'markdown-to-jsx/react',
    replacement: fileURLToPath(new URL('./src/engine/stand-ins/no-markdown.tsx', import.meta.url)),
  },
];

/** Those, and in the build more: rjsf needs what the compiler has done already (`$ref`, `allOf`), and what themes draw, only where there is neither. */
export const buildAliases: readonly Alias[] = [
  ...aliases,
  { find: 'fast-uri', replacement: fileURLToPath(new URL('./src/engine/stand-ins/no-uri.ts', import.meta.url)) },
  {
    find: /^@x0k\/json-schema-merge(\/lib\/array)?$/,
    replacement: fileURLToPath(new URL('./src/engine/stand-ins/no-merge.ts', import.meta.url)),
  },
  {
    find: /^@fluentui\/react-theme$/,
    replacement: fileURLToPath(new URL('./src/engine/fluent/short-tokens.ts', import.meta.url)),
  },
  {
    find: /^\.\.?\/getDefaultRegistry\.js$/,
    replacement: fileURLToPath(new URL('./src/engine/stand-ins/few-fields.ts', import.meta.url)),
  },
];

/** What every page runs, and pages of information alone. */
const first =
  /vite\/preload-helper|src\/(portal\/(navigation\/(page|reload)|prerender\/early-input|session\/(clock|safe-storage|session-hint))|domain\/stored-state|engine\/core\/json)[.]ts$/;

/** Small modules that the portal's first script shares with others. */
const everywhere =
  /src\/(portal\/(portal-context|texts|navigation\/(use-flow|use-state-source)|session\/use-signed-in|shell\/(portal-link|use-title))|engine\/(react\/(flow\/(failed|waiting|dialog)|engine-context)|core\/(earlier|field-path|messages|progress|route|transition)|runtime\/flow-state)|contract\/(pages|constants|page|portal-config)|domain\/signed-in-route)[.]tsx?$/;

/**
 * What each form takes, whatever its widgets: of Fluent, and of the engine what plugins share with it, with all that these import. What
 * the first script imports as well must stand above: it would bring the forms along (the budgets of the browser tests would tell).
 */
const forms =
  /node_modules\/(@fluentui\/(react-(shared-contexts|jsx-runtime|input|field)|tokens)|mobx-react-lite)\/|src\/(engine\/(fluent\/(?!spinner|moment)|react\/(?!flow\/(flow-route|step-bar)|field\/(list-field|matrix|moment|wide-fields|dependent-choices)|tone[.])|core\/(ui|validate|plugin|runtime|screen)[.]|runtime\/open-screen[.])|portal\/navigation\/load-screen)/;

/** What a flow with steps loads at once. */
const steps = /src\/engine\/(runtime\/steps|core\/saved-form|react\/flow\/step-bar)[.]/;

/** Scripts that are made of many small modules: each more of them costs its name, a request and a task of the page. */
export const codeSplitting = {
  groups: [
    { name: 'first', test: first },
    { name: 'base', test: everywhere },
    { name: 'mobx', test: /node_modules\/mobx\// },
    { name: 'form', test: forms },
    { name: 'steps', test: steps },
  ],
};

const startUp = new Set(['base', 'mobx', 'form', 'start']);

/**
 * Most of what these chunks and React's renderer hold is called as a page starts. V8 compiles them whole, in the background as they
 * arrive, instead of each function on the main thread at its first call. Browsers that do not know the hint read a comment.
 */
export const compileHints: Plugin = {
  name: 'compile-hints',
  generateBundle: {
    order: 'post', // the hint has to be the first line, and Vite writes there too
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const whole = startUp.has(file.name) || file.moduleIds.some((id) => id.includes('/node_modules/react-dom/'));
        if (whole) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      }
    },
  },
};

export default defineConfig(({ command }) => ({
  plugins: [react(), compileHints],
  resolve: { alias: [...(command === 'build' ? buildAliases : aliases)] },
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
      output: {
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting,
      },
    },
  },
}));
