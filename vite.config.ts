import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Alias } from 'vite';
import { nonceMark } from './src/server/pages/page-source.ts';

/** Packages that are replaced in the browser; tests use the same list. */
export const aliases: readonly Alias[] = [
  {
    find: 'markdown-to-jsx/react',
    replacement: fileURLToPath(new URL('./src/engine/react/no-markdown.tsx', import.meta.url)),
  },
];

/** Replaced in the build alone: rjsf needs what the compiler has done already (`$ref`, `allOf`) only where there is no compiler. */
const buildAliases: readonly Alias[] = [
  { find: 'fast-uri', replacement: fileURLToPath(new URL('./src/engine/react/no-uri.ts', import.meta.url)) },
  {
    find: /^@x0k\/json-schema-merge(\/lib\/array)?$/,
    replacement: fileURLToPath(new URL('./src/engine/react/no-merge.ts', import.meta.url)),
  },
];

export default defineConfig(({ command }) => ({
  plugins: [react()],
  resolve: { alias: command === 'build' ? [...aliases, ...buildAliases] : [...aliases] },
  html: { cspNonce: nonceMark },
  build: {
    outDir: 'dist/portal',
    target: 'es2022',
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Every script names those it imports, and nothing compresses a hash: 42 bits tell versions apart.
    rolldownOptions: { output: { chunkFileNames: 'assets/[name]-[hash:7].js' } },
  },
}));
