import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { listFiles, root, listSources } from './source-texts.ts';

interface Package {
  readonly dev?: boolean;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Readonly<Record<string, Package>> };
const installed = Object.entries(packages).filter(([path]) => path !== '');

/**
 * Licences that permit redistribution with a notice. MPL-2.0 applies to single files, OFL-1.1 to fonts, and CC0-1.0 and
 * CC-BY-4.0 to data.
 */
const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0', 'Zlib'];
const allowedInDevelopment = [...allowed, 'MPL-2.0', 'MPL 2.0', 'OFL-1.1', 'CC0-1.0', 'CC-BY-4.0'];

const readName = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Resolves a dependency like Node.js: in the folder of the package, then in its parent folders. */
function resolvePackage(from: string, name: string): string | undefined {
  const folders = from
    .split('/node_modules/')
    .map((_, depth, parts) => parts.slice(0, parts.length - depth).join('/node_modules/'));
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].find(
    (path) => path in packages,
  );
}

/**
 * Lists the packages that browser code imports, and their dependencies. They are devDependencies, because the build
 * bundles them.
 */
function listBundledPackages(): readonly string[] {
  const houses = [
    'src/portal',
    'src/desk',
    'src/video-room',
    'src/engine',
    'src/domain',
    'src/contract',
    'src/brand',
    'plugins',
  ];
  const imports = houses
    .flatMap(listSources)
    .flatMap((file) => [...readText(file).matchAll(/(?:from|import)\s*\(?'((?:@[\w-]+\/)?[a-z][\w.-]*)[^']*'/g)])
    .map(([, name = '']) => `node_modules/${name}`);
  const styles = listFiles('src', /\.css$/)
    .flatMap((file) => [...readText(file).matchAll(/['"(](?:~|\.\.\/)*(?:node_modules\/)?(@fontsource\/[\w-]+)/g)])
    .map(([, name = '']) => `node_modules/${name}`);
  const found = new Set<string>();
  const add = (path: string): void => {
    const own = packages[path];
    if (own === undefined || found.has(path)) return;
    found.add(path);
    for (const name of Object.keys({ ...own.dependencies, ...own.peerDependencies })) {
      const next = resolvePackage(path, name);
      if (next !== undefined) add(next);
    }
  };
  for (const path of [...imports, ...styles]) add(path);
  return [...found];
}

/** Creates the content of NOTICE: the packages in a release, grouped by licence. */
function buildNotice(): string {
  const shipped = new Set([
    ...installed.filter(([, { dev }]) => dev !== true).map(([path]) => path),
    ...listBundledPackages(),
  ]);
  const readLicense = (path: string): string => packages[path]?.license ?? 'no licence';
  const licenses = [...new Set([...shipped].map(readLicense))].sort();
  const sections = licenses.map((license) => {
    const names = [...new Set([...shipped].filter((path) => readLicense(path) === license).map(readName))].sort();
    return `${license}\n${names.map((name) => `  ${name}\n`).join('')}`;
  });
  return [
    'This product contains the packages below, each under the licence above its name.',
    'The full texts are in the folders of the packages in node_modules; those of the browser are in the folders that `npm ci` installs.',
    'The lines are written by `npm run notice`.\n',
    sections.join('\n'),
  ].join('\n');
}

describe('[SEC-08] npm packages', () => {
  test('have licences that allow redistribution, and an integrity hash', () => {
    const words = (license: string): readonly string[] =>
      license.split(/\s+(?:AND|OR)\s+/).map((word) => word.replace(/[()]/g, ''));
    const refused = installed.filter(([, { dev, license }]) => {
      const list = dev === true ? allowedInDevelopment : allowed;
      return license === undefined || !words(license).every((word) => list.includes(word));
    });
    expect(installed.length).toBeGreaterThan(800);
    expect(refused.map(([path, { license }]) => `${path}: ${license ?? 'none'}`)).toEqual([]);
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual(
      [],
    );
  });

  test('are listed in NOTICE with their licence if a release contains them', async () => {
    expect(buildNotice()).toContain('\n  @fluentui/react-components\n');
    expect(buildNotice()).toContain('\n  oidc-provider\n');
    expect(buildNotice()).not.toContain('\n  vitest\n');
    await expect(buildNotice()).toMatchFileSnapshot(join(root, 'NOTICE'));
  });
});

describe('[SEC-08] workflows and images', () => {
  const workflows = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);

  test('workflows pin actions to the hash of a commit', () => {
    const used = workflows.flatMap((file) =>
      [...readText(file).matchAll(/uses: (.*)/g)].map(([, action = '']) => `${file}: ${action}`),
    );
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('Dockerfile and compose.yaml pin images to their digest', () => {
    const stages = new Set([...readText('Dockerfile').matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, name]) => name));
    const inDockerfile = [...readText('Dockerfile').matchAll(/^FROM (\S+)/gm)].flatMap(([, image = '']) =>
      stages.has(image) ? [] : image,
    );
    const { services } = parse(readText('compose.yaml')) as {
      services: Record<string, { image: string; build?: unknown }>;
    };
    const all = Object.values(services);
    const built = new Set(all.flatMap(({ image, build }) => (build === undefined ? [] : image)));
    const images = [...inDockerfile, ...all.flatMap(({ image }) => (built.has(image) ? [] : image))];
    expect(images.length).toBeGreaterThan(5);
    expect(images.filter((image) => !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
  });

  test('workflows declare permissions and a timeout, and do not persist credentials in the checkout', () => {
    for (const file of workflows) {
      const { permissions, jobs } = parse(readText(file)) as {
        permissions?: unknown;
        jobs: Record<
          string,
          { 'timeout-minutes'?: number; steps: { uses?: string; with?: Record<string, unknown> }[] }
        >;
      };
      expect(permissions, file).toBeDefined();
      for (const job of Object.values(jobs)) {
        expect(job['timeout-minutes'], file).toBeDefined();
        for (const step of job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
          expect(step.with?.['persist-credentials'], file).toBe(false);
      }
    }
  });

  test('the release workflow attests the provenance and the bill of materials of the image', () => {
    const release = parse(readText('.github/workflows/release.yml')) as {
      on: { push: { tags: string[] } };
      jobs: Record<string, { permissions: Record<string, string>; steps: { uses?: string; run?: string }[] }>;
    };
    expect(release.on.push.tags).toEqual(['v*']);
    const steps = Object.values(release.jobs).flatMap((job) => job.steps);
    const isUsed = (name: string): boolean => steps.some(({ uses }) => uses?.startsWith(`actions/${name}@`));
    expect(['attest-build-provenance', 'attest-sbom'].filter((name) => !isUsed(name))).toEqual([]);
    const runs = steps.map(({ run = '' }) => run).join('\n');
    for (const command of ['.ci/run', 'npm run --silent sbom', 'npm audit']) expect(runs).toContain(command);
    expect(runs, 'refuses a version without a date').toMatch(/^grep .* CHANGELOG\.md/m);
  });

  test('the release workflow packs the manifests with the digest of the image, and fails without a digest', async () => {
    const release = parse(readText('.github/workflows/release.yml')) as {
      jobs: { publish: { steps: { name?: string; run?: string }[] } };
    };
    const step = release.jobs.publish.steps.find(({ name }) => name?.startsWith('write the digest'));
    const folder = await mkdtemp(join(tmpdir(), 'manifests-'));
    const pack = async (digest: string) => {
      await cp(join(root, 'src/server/deploy'), join(folder, 'src/server/deploy'), { recursive: true });
      const env = { ...process.env, IMAGE: 'ghcr.io/owner/portal', DIGEST: digest, RUNNER_TEMP: folder };
      execFileSync('bash', ['-e', '-c', step?.run ?? 'false'], { cwd: folder, env });
    };
    await expect(pack('')).rejects.toThrow('Command failed');
    const digest = `sha256:${'0a'.repeat(32)}`;
    await pack(digest);
    const packed = execFileSync('tar', ['-xzOf', 'kubernetes.tar.gz', 'kubernetes/kustomization.yaml'], {
      cwd: folder,
    });
    expect(parse(String(packed))).toMatchObject({
      images: [{ name: 'portal', newName: 'ghcr.io/owner/portal', digest }],
    });
    await rm(folder, { recursive: true });
    expect(release.jobs.publish.steps.at(-1)?.run).toMatch(
      /^gh release create .* "\$RUNNER_TEMP\/kubernetes\.tar\.gz"$/,
    );
  });
});

test('[ASVS-15.2.1] workflows audit the npm packages before a release and once a day', () => {
  expect(readText('.github/workflows/release.yml')).toMatch(/^ +- run: npm audit --omit=dev$/m);
  const daily = readText('.github/workflows/audit.yml');
  expect(daily).toMatch(/cron: '[\d ]+ \* \* \*'/);
  expect(daily).toContain('npm audit --package-lock-only');
});
