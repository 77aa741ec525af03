import { join, relative } from 'node:path';
import { createCliAction, CommandError } from '../command.ts';
import { projectRoot } from '../project.ts';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';

export const command = createCliAction({}, async ({ terminal }) =>
  terminal.out(`${await packEngine(projectRoot, join(projectRoot, 'dist/engine'))}\n`),
);

const packageName = 'portal-engine';

/** Peer dependencies, so that a page loads only one copy of each. */
const peerPackages = [
  '@rjsf/core',
  '@rjsf/utils',
  '@rjsf/validator-ajv8',
  'mobx',
  'mobx-react-lite',
  'react',
  'react-dom',
];
const enginePackages = [
  '@dagrejs/dagre',
  'ajv',
  'ajv-formats',
  'esbuild',
  'json-logic-js',
  'json-schema-to-ts',
  'jsonc-parser',
  'scslre',
];

const entryPoints = { '.': 'index', './react': 'react', './compile': 'compile' };

/** Files of the portal's design, which the package omits. */
const portalOnlyPattern = /^fluent\//;

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Empties the folder first. The package contains JavaScript modules and types. Returns the path of the tarball. */
export async function packEngine(root: string, folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
  await compileSources(root, folder);
  for (const file of [
    'README.md',
    'example.md',
    'server-rendering.md',
    'migrate-from-rjsf.md',
    'comparison.md',
    'react/defaults.css',
    'react/form.css',
    'react/hidden.css',
    'react/tone.css',
    'react/field/matrix.css',
  ])
    await cp(join(root, 'src/engine', file), join(folder, file));
  await writeFile(join(folder, 'react/page.css'), "@import './defaults.css';\n@import './form.css';\n"); // replaces the portal's style sheet, because the package contains the default design instead of the portal's
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(buildManifest(manifest), null, 2)}\n`);
  const [{ filename } = { filename: '' }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts'], { cwd: folder, encoding: 'utf8' }),
  ) as { filename: string }[];
  return join(folder, filename);
}

function buildManifest({ version, license, engines, dependencies, devDependencies }: Manifest): object {
  const versions = { ...devDependencies, ...dependencies };
  const selectRanges = (names: readonly string[]) => Object.fromEntries(names.map((one) => [one, `^${versions[one]}`]));
  return {
    name: packageName,
    version,
    description:
      'Forms and flows that are files: JSON Schema, UI schema and JSON-logic transitions, compiled, run and drawn by rjsf',
    license,
    type: 'module',
    sideEffects: ['*.css'],
    engines,
    exports: {
      ...Object.fromEntries(
        Object.entries(entryPoints).map(([door, file]) => [door, { types: `./${file}.d.ts`, default: `./${file}.js` }]),
      ),
      './form.css': './react/page.css',
    },
    files: ['*.md', '**/*.js', '**/*.d.ts', '**/*.json', '**/*.css'],
    dependencies: selectRanges(enginePackages),
    peerDependencies: selectRanges(peerPackages),
  };
}

async function compileSources(root: string, folder: string): Promise<void> {
  const { default: ts } = await import('typescript').catch((cause: unknown): never => {
    throw new CommandError('TypeScript is not installed: npm ci.', { cause });
  });
  const source = join(root, 'src/engine');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...config.compilerOptions,
      noEmit: false,
      incremental: false,
      tsBuildInfoFile: undefined,
      declaration: true,
      noCheck: true, // does not check types, because `npm run typecheck` does
      rewriteRelativeImportExtensions: true,
      rootDir: source,
      outDir: folder,
    },
    root,
  );
  const program = ts.createProgram(
    Object.values(entryPoints).map((door) => join(source, `${door}.ts`)),
    options,
  );
  const outside = program
    .getSourceFiles()
    .map(({ fileName }) => fileName)
    .filter((path) => path.startsWith(root) && !path.includes('/node_modules/'))
    .map((path) => relative(source, path))
    .filter((path) => path.startsWith('..') || portalOnlyPattern.test(path));
  if (outside.length > 0) throw new CommandError(`The engine must not import these modules: ${outside.join(', ')}.`);
  const { emitSkipped, diagnostics: wrong } = program.emit();
  if (emitSkipped || wrong.length > 0)
    throw new CommandError(
      wrong.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n'),
    );
}
