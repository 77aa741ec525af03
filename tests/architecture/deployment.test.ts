import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import commands from '../../src/cli/commands.json' with { type: 'json' };
import { isObject } from '../../src/engine/core/json.ts';
import { readConfig } from '../../src/server/platform/config/read-config.ts';
import { secretSettingNames, settingNames } from '../../src/server/platform/config/read-environment.ts';
import { sampleCitizens } from '../../src/server/app/sample/sample-citizens.ts';
import { keyFileNames } from '../../src/server/platform/keys/load-server-keys.ts';
import { healthPaths } from '../../src/server/web/pages/health-routes.ts';
import { scanVerdictTimeoutMs } from '../../src/server/trust/uploads/malware-scanner.ts';
import { listFiles, root } from './source-texts.ts';

const deploy = join(root, 'src/server/deploy');
const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const dockerfile = readText('Dockerfile');
/** Stages of the Dockerfile by name. The last one, which has no name, is the image of a release. */
const stages = new Map(
  dockerfile
    .split(/^FROM /m)
    .slice(1)
    .map((text) => [/^\S+ AS (\w+)$/m.exec(text.split('\n', 1)[0] ?? '')?.[1] ?? 'release', text]),
);
const serverStage = stages.get('server') ?? '';

/** Lists the paths of the project that an instruction of the image copies. */
function listCopied(stage: string): readonly string[] {
  return [...stage.matchAll(/^COPY --from=build \S+ \.\/(\S+)$/gm)].map(([, target = '']) => target);
}

/** Reads the value at a path of keys. Fails the test with the first missing key. */
function readValueAt(value: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>((found, key) => {
    const next = Array.isArray(found) ? (found as unknown[])[Number(key)] : isObject(found) ? found[key] : undefined;
    if (next === undefined) throw new Error(`${keys.join('.')}: there is no ${key}`);
    return next;
  }, value);
}

describe('[OPER-05] Dockerfile', () => {
  test('copies only listed paths from the build without development packages, removes npm, and runs as user 1000', () => {
    expect(dockerfile).toMatch(/npm run build && npm prune --omit=dev$/m);
    const taken = [...serverStage.matchAll(/^COPY (.*)$/gm)].map(([, what = '']) => what.split(' '));
    expect(taken.length).toBeGreaterThan(5);
    for (const [from, source, target] of taken) {
      expect([from, source], 'copied from the build stage').toEqual(['--from=build', `/portal/${target?.slice(2)}`]);
      const path = target?.slice(2) ?? '';
      expect(existsSync(join(root, path)) || path.startsWith('dist/'), path).toBe(true);
    }
    expect(taken.map(([, , target]) => target)).not.toContain('./');
    expect(serverStage).toMatch(/^RUN rm -rf .*\/usr\/local\/bin\/npm/m);
    expect(serverStage).toMatch(/^USER 1000:1000$/m);
  });
});

describe('[ASVS-15.2.3] the image of a release', () => {
  const copied = listCopied(serverStage);
  const ignored = readText('.dockerignore').split('\n');
  /** Files of the repository that the image contains. */
  const files = copied
    .filter((path) => !/^(dist|node_modules)\b/.test(path))
    .flatMap((path) => (statSync(join(root, path)).isDirectory() ? listFiles(path, /./) : path))
    .filter((path) => statSync(join(root, path)).isFile())
    .filter((file) => !file.startsWith('src/server/app/sample/')) // excludes files that the build moves to the demo image
    .filter((file) => !ignored.some((pattern) => matchesIgnored(pattern, file)));

  test('adds nothing to the server, and the demo only the sample data', () => {
    expect([...stages.keys()]).toEqual(['build', 'server', 'demo', 'release']);
    expect(stages.get('release')?.trim()).toBe('server');
    expect(stages.get('demo')).toMatch(/^server AS demo\nCOPY --from=build \/demo \.\/\n/);
    expect(stages.get('build')).toMatch(
      /mv dist\/sample \/demo\/dist && mv src\/server\/app\/sample \/demo\/src\/server\/app$/m,
    );
    expect(copied.filter((path) => path.startsWith('dist/'))).toEqual(['dist/portal', 'dist/run']);
  });

  test('contains no samples, demo, studio, tests or development server', () => {
    expect(files.length).toBeGreaterThan(500);
    const needless = /(^|[/.-])(samples?|demo|studio|tests?|testing|fixtures?|playground|bench|dev)([/.-]|$)/;
    const allowed = [
      'src/server/app/import-samples.ts', // the server imports the samples through this file, if they exist
      'src/server/trust/federation/saml/test-service-provider.ts', // the sample service provider of a released portal, with FLAGS=saml_index=on
    ];
    expect(files.filter((file) => needless.test(file) && !allowed.includes(file))).toEqual([]);
    const passwords = sampleCitizens.flatMap(({ password }) => password ?? []);
    expect(passwords.length).toBeGreaterThan(2);
    const withPassword = files.filter((file) => passwords.some((text) => readText(file).includes(text)));
    expect(withPassword).toEqual([]);
  });

  test('contains exactly the commands of operators', () => {
    const operators = Object.values(commands)
      .map(({ file }) => file)
      .filter((file) => /^(database|doctor)\//.test(file) || ['start.ts', 'definitions/version.ts'].includes(file));
    const present = Object.values(commands).filter(({ file }) => files.includes(`src/cli/${file}`));
    expect(present.map(({ file }) => file)).toEqual(operators);
  });

  test('contains every source that its programs need', async () => {
    const { metafile } = await build({
      entryPoints: ['src/server/app/main.ts', ...files.filter((file) => /^src\/cli\/.*\.ts$/.test(file))],
      ...{ absWorkingDir: root, bundle: true, write: false, metafile: true, packages: 'external' },
      ...{ platform: 'node', format: 'esm', outdir: 'unused', external: ['*/sample/sample-citizens.ts'] },
    });
    const sources = Object.keys(metafile.inputs);
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.filter((file) => !files.includes(file))).toEqual([]);
  });
});

/** Whether a line of .dockerignore excludes a file: a path, or an ending in any folder. */
function matchesIgnored(pattern: string, file: string): boolean {
  if (pattern === '') return false;
  return pattern.startsWith('**/*')
    ? file.endsWith(pattern.slice(4))
    : file === pattern || file.startsWith(`${pattern}/`);
}

describe('[OPER-05] compose.yaml', () => {
  const compose: unknown = parse(readText('compose.yaml'));
  const services = readValueAt(compose, 'services');
  const portal = readValueAt(services, 'portal');

  test('starts PostgreSQL, three replicas, a proxy, a malware scanner, a mail catcher and Prometheus', () => {
    expect(Object.keys(services as object)).toEqual([
      'database',
      'migrate',
      'portal',
      'keys',
      'proxy',
      'scanner',
      'mails',
      'metrics',
    ]);
    expect(readValueAt(portal, 'deploy', 'replicas')).toBe(3);
  });

  test('gives the replicas only settings that the server accepts', () => {
    const settings = readValueAt(portal, 'environment') as Record<string, string>;
    expect(Object.keys(settings).filter((name) => !settingNames.has(name))).toEqual([]);
    const config = readConfig({ ...readImageSettings(), ...settings });
    expect(config).toMatchObject({ baseUrl: 'https://localhost:8443', sampleData: true, metricsPort: 9464 });
    expect(readValueAt(portal, 'build', 'target'), 'the stage with sample data').toBe('demo');
    expect(Object.keys(services as object)).toContain(new URL(config.malwareScanner?.url ?? '').hostname);
  });

  test('[ASVS-13.2.2] runs the server with a database role that does not own the tables', () => {
    const readUser = (...keys: string[]) => new URL(String(readValueAt(services, ...keys))).username;
    const owner = String(readValueAt(services, 'database', 'environment', 'POSTGRES_USER'));
    expect(readUser('migrate', 'environment', 'DATABASE_OWNER_URL')).toBe(owner);
    const role = readUser('portal', 'environment', 'DATABASE_URL');
    expect(readUser('migrate', 'environment', 'DATABASE_URL')).toBe(role);
    expect(role).not.toBe(owner);
    expect(portal).not.toHaveProperty('environment.DATABASE_OWNER_URL');
    expect(readValueAt(services, 'database', 'volumes', 1)).toContain('roles.sql:/docker-entrypoint-initdb.d/');
    expect(readFileSync(join(deploy, 'roles.sql'), 'utf8')).toContain(`create role ${role} login`);
    readConfig({
      ...readImageSettings(),
      ...(readValueAt(services, 'migrate', 'environment') as Record<string, string>),
    });
  });

  test('runs the replicas read-only and without capabilities, with /keys as the only volume', () => {
    expect(portal).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(readValueAt(portal, 'volumes')).toEqual(['keys:/keys']);
    expect((readValueAt(portal, 'tmpfs') as string[]).map((path) => path.split(':')[0])).toEqual(['/tmp', '/data']);
  });

  test('publishes ports only on 127.0.0.1 and mounts only existing files and declared volumes', () => {
    const parts = Object.values(services as Record<string, { ports?: string[]; volumes?: string[] }>);
    const ports = parts.flatMap(({ ports: own = [] }) => own);
    expect(ports.length).toBeGreaterThan(3);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    const mounts = parts.flatMap(({ volumes = [] }) => volumes).filter((volume) => volume.startsWith('.'));
    expect(mounts.map((mount) => mount.split(':')[1])).toContain('/etc/prometheus/alerts.yaml');
    expect(mounts.filter((mount) => !existsSync(join(root, mount.split(':')[0] ?? '')))).toEqual([]);
    const volumes = parts.flatMap(({ volumes: own = [] }) => own).filter((volume) => !volume.startsWith('.'));
    const declared = Object.keys(readValueAt(compose, 'volumes') as object);
    expect(volumes.filter((volume) => !declared.includes(volume.split(':')[0] ?? ''))).toEqual([]);
  });

  test('points the proxy and Prometheus to the port, host and metrics token of the replicas', () => {
    const caddyfile = readFileSync(join(deploy, 'Caddyfile'), 'utf8');
    expect(caddyfile).toContain(`dynamic a portal ${readConfig({ BASE_URL: 'http://localhost' }).port}`);
    expect(caddyfile).toContain(`https://${new URL(String(readValueAt(portal, 'environment', 'BASE_URL'))).host} {`);
    const scraped = readValueAt(parse(readFileSync(join(deploy, 'prometheus.yaml'), 'utf8')), 'scrape_configs', 0);
    expect(readValueAt(scraped, 'authorization', 'credentials')).toBe(
      readValueAt(portal, 'environment', 'METRICS_TOKEN'),
    );
    expect(scraped).toMatchObject({ job_name: 'portal', dns_sd_configs: [{ names: ['portal'], port: 9464 }] });
    const rules = readFileSync(join(deploy, 'alerts.yaml'), 'utf8');
    expect(rules).toContain(`job="${String(readValueAt(scraped, 'job_name'))}"`);
  });
});

test('[SEC-08] incident runbook has a section with at least two steps for each alert', () => {
  const alerts = [...readFileSync(join(deploy, 'alerts.yaml'), 'utf8').matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const sections = readText('src/server/security/incidents.md').split(/^## /m).slice(1);
  const steps = new Map(sections.map((text) => [text.split('\n', 1)[0], text.match(/^\d+\. \S/gm)?.length ?? 0]));
  expect(alerts.length).toBeGreaterThan(12);
  expect(alerts.filter((name) => (steps.get(name) ?? 0) < 2)).toEqual([]);
  expect([...steps.keys()].filter((name) => name?.startsWith('Portal') && !alerts.includes(name))).toEqual([]);
});

describe('[OPER-05] Kubernetes manifests', () => {
  const folder = join(deploy, 'kubernetes');
  const kustomization: unknown = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
  const resources = readValueAt(kustomization, 'resources') as string[];
  const objects = resources.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS() as unknown),
  );
  const objectOf = (kind: string): unknown => {
    const found = objects.find((object) => readValueAt(object, 'kind') === kind);
    if (found === undefined) throw new Error(`there is no ${kind}`);
    return found;
  };
  const pods = ['Deployment', 'Job', 'CronJob'].map((kind) => {
    const spec = readValueAt(objectOf(kind), 'spec');
    return [
      kind,
      readValueAt(kind === 'CronJob' ? readValueAt(spec, 'jobTemplate', 'spec') : spec, 'template', 'spec'),
    ] as const;
  });
  const settings = parseEnv(readFileSync(join(folder, 'settings.env'), 'utf8')) as Record<string, string>;
  const portOf = (name: string): unknown =>
    (readValueAt(objectOf('Deployment'), 'spec', 'template', 'spec', 'containers', 0, 'ports') as unknown[]).find(
      (port) => readValueAt(port, 'name') === name,
    );

  test('are all listed in kustomization.yaml, with the expected API versions and kinds', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml');
    expect([...resources].sort()).toEqual(files.sort());
    expect(
      objects
        .map((object) => `${String(readValueAt(object, 'apiVersion'))} ${String(readValueAt(object, 'kind'))}`)
        .sort(),
    ).toEqual([
      'apps/v1 Deployment',
      'autoscaling/v2 HorizontalPodAutoscaler',
      'batch/v1 CronJob',
      'batch/v1 Job',
      'networking.k8s.io/v1 Ingress',
      'networking.k8s.io/v1 NetworkPolicy',
      'policy/v1 PodDisruptionBudget',
      'v1 Namespace',
      'v1 PersistentVolumeClaim',
      'v1 Service',
    ]);
  });

  test('have only fields and value types that the Kubernetes API defines', () => {
    const text = [...objects, ...listPatched()].map((object, index) => {
      const [group = '', version = group] = String(readValueAt(object, 'apiVersion')).split('/');
      const folder = version === group ? 'core' : group.replace('.k8s.io', '');
      const kind = String(readValueAt(object, 'kind'));
      return `import type { ${kind} as Kind${index} } from 'kubernetes-types/${folder}/${version}';
        export const object${index}: Kind${index} = ${JSON.stringify(object)};`;
    });
    const [monitor] = readObjects('prometheus-operator/service-monitor.yaml');
    const misspelt = `import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1';
      export const budget: PodDisruptionBudget = { spec: { maxUnavailabel: 1 } };
      export const misspeltMonitor: ServiceMonitor = { ...monitor, spec: { ...monitor.spec, jobLabell: '' } };`;
    const custom = `${customResourceTypes}\nexport const monitor: ServiceMonitor = ${JSON.stringify(monitor)};
      export const classes: SecretProviderClass[] = ${JSON.stringify(readObjects('secrets-store/secret-provider-classes.yaml'))};`;
    expect(listTypeErrors([...text, custom, misspelt].join('\n'))).toEqual([
      expect.stringContaining("'maxUnavailabel'"),
      expect.stringContaining("'jobLabell'"),
    ]);
  });

  const readObjects = (file: string): readonly unknown[] =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => document.toJS() as unknown);

  /** Returns the objects that the component secrets-store patches, with their patches. Merges lists by name, as kustomize merges volumes. */
  function listPatched(): readonly unknown[] {
    const merge = (value: unknown, patch: unknown): unknown => {
      if (Array.isArray(value) && Array.isArray(patch)) {
        const nameOf = (item: unknown) => readValueAt(item, 'name');
        const find = (item: unknown) => (patch as unknown[]).find((other) => nameOf(other) === nameOf(item)) ?? {};
        return value.map((item: unknown) => merge(item, find(item)));
      }
      if (!isObject(value) || !isObject(patch)) return patch;
      const merged = Object.entries(patch).map(([key, part]) => [key, key in value ? merge(value[key], part) : part]);
      return Object.fromEntries(
        Object.entries({ ...value, ...Object.fromEntries(merged) }).filter(([, part]) => part !== null),
      );
    };
    const [component] = readObjects('secrets-store/kustomization.yaml');
    return (readValueAt(component, 'patches') as { patch: string }[]).map(({ patch: text }) => {
      const patch = parse(text) as unknown;
      const target = objectOf(String(readValueAt(patch, 'kind')));
      expect(readValueAt(patch, 'metadata')).toEqual({ name: readValueAt(target, 'metadata', 'name') });
      return merge(target, patch);
    });
  }

  test('scale up from three replicas that the Prometheus operator discovers', () => {
    expect(readValueAt(objectOf('HorizontalPodAutoscaler'), 'spec')).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: readValueAt(objectOf('Deployment'), 'metadata', 'name') },
      minReplicas: 3,
    });
    expect(objectOf('Deployment')).not.toHaveProperty('spec.replicas');
    const monitor: unknown = parse(readFileSync(join(folder, 'prometheus-operator/service-monitor.yaml'), 'utf8'));
    const label = readValueAt(kustomization, 'labels', 0, 'pairs');
    expect(readValueAt(monitor, 'spec', 'selector', 'matchLabels')).toEqual(label);
    const jobLabel = String(readValueAt(monitor, 'spec', 'jobLabel'));
    expect(readValueAt(label, jobLabel), 'job name that the alert rules use').toBe('portal');
    const ports = readValueAt(objectOf('Service'), 'spec', 'ports') as { name: string; targetPort: string }[];
    expect(ports.find(({ name }) => name === readValueAt(monitor, 'spec', 'endpoints', 0, 'port'))?.targetPort).toBe(
      'metrics',
    );
  });

  test('[OPER-06] run an encrypted backup with an option that the backup command documents', () => {
    const [, , script = ''] = readValueAt(pods[2]?.[1], 'containers', 0, 'command') as string[];
    const words = /portal\.mjs (backup .*)$/m.exec(script)?.[1] ?? '';
    expect(words).toContain('--recipient "$RECIPIENT"');
    expect(commands.backup.help.join('\n')).toContain('portal backup FILE --recipient');
    expect(readValueAt(pods[2]?.[1], 'containers', 0, 'env', 0, 'name')).toBe('RECIPIENT');
  });

  test('set only settings that the server declares, and read secrets from files of the mounted secret', () => {
    expect(Object.keys(settings).filter((name) => !settingNames.has(name))).toEqual([]);
    const files = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'));
    const place = '/run/secrets/portal';
    expect(Object.fromEntries(files)).toEqual({
      DATABASE_URL_FILE: `${place}/database-url`,
      SMTP_URL_FILE: `${place}/smtp-url`,
      SIGNING_KEY_FILE: `${place}/${keyFileNames.signing}`,
      ENCRYPTION_KEY_FILE: `${place}/${keyFileNames.encryption}`,
      DECRYPTION_KEY_FILE: `${place}/${keyFileNames.decryption}`,
      CAPTCHA_KEY_FILE: `${place}/${keyFileNames.captcha}`,
      AUDIT_KEY_FILE: `${place}/${keyFileNames.audit}`,
      METRICS_TOKEN_FILE: `${place}/metrics-token`,
      TLS_FILE: `${place}/server.pem`,
    });
    const config = readConfig({
      ...readImageSettings(),
      ...settings,
      DATABASE_URL: 'postgresql://portal@db/portal?sslmode=verify-full',
      SMTP_URL: 'smtps://portal@mail',
      METRICS_TOKEN: 'x',
    });
    expect(config).toMatchObject({ sampleData: false, host: '0.0.0.0', metricsPort: 9464 });
    const clamd = parseDirectives('clamd.conf');
    expect(config.malwareScanner?.url).toBe(`tcp://${clamd.get('TCPAddr')}:${clamd.get('TCPSocket')}`);
    expect(readValueAt(kustomization, 'configMapGenerator')).toEqual([
      { name: 'portal-settings', envs: ['settings.env'] },
      { name: 'portal-scanner', files: ['clamd.conf', 'freshclam.conf'] },
    ]);
  });

  test('[ASVS-5.4.3] run clamd with updated signatures in each pod of the server', () => {
    const [pod] = pods[0]?.slice(1) ?? [];
    const containers = [
      ...(readValueAt(pod, 'initContainers') as unknown[]),
      ...(readValueAt(pod, 'containers') as unknown[]).slice(1),
    ];
    const names = containers.map((container) => String(readValueAt(container, 'name')));
    expect(names).toEqual(['signatures', 'clamd', 'freshclam']);
    const volumes = (readValueAt(pod, 'volumes') as { name: string }[]).map(({ name }) => name);
    for (const container of containers) {
      expect(readValueAt(container, 'image')).toMatch(/^clamav\/clamav:[\d.]+@sha256:[0-9a-f]{64}$/);
      expect(readValueAt(container, 'securityContext')).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const mounts = readValueAt(container, 'volumeMounts') as { name: string; mountPath: string }[];
      expect(mounts.map(({ name }) => name).filter((name) => !volumes.includes(name))).toEqual([]);
      expect(mounts.some(({ mountPath }) => mountPath.startsWith('/run/secrets'))).toBe(false);
    }
    const [, clamd] = containers;
    const paths = (readValueAt(clamd, 'volumeMounts') as { mountPath: string }[]).map(({ mountPath }) => mountPath);
    for (const name of ['clamd.conf', 'freshclam.conf'])
      expect(paths).toContain(parseDirectives(name).get('DatabaseDirectory'));
    const limits = parseDirectives('clamd.conf');
    expect(limits.get('AlertExceedsMax'), 'without it, clamd replies OK for a file that it did not scan').toBe('yes');
    const readMb = (name: string): number => Number(/^(\d+)M$/.exec(limits.get(name) ?? '')?.[1]);
    expect(readMb('StreamMaxLength')).toBeGreaterThan(3);
    expect(readMb('MaxFileSize')).toBe(readMb('StreamMaxLength'));
    expect(readMb('MaxScanSize')).toBeGreaterThanOrEqual(readMb('MaxFileSize'));
    expect(readMb('MaxScanSize')).toBeLessThan(100);
    expect(Number(limits.get('MaxScanTime'))).toBeGreaterThan(1_000);
    expect(Number(limits.get('MaxScanTime'))).toBeLessThan(scanVerdictTimeoutMs);
  });

  test('[ASVS-13.3.1] mount every secret from a vault with the component secrets-store', () => {
    const component = parse(readFileSync(join(folder, 'secrets-store/kustomization.yaml'), 'utf8')) as unknown;
    const patches = (readValueAt(component, 'patches') as { patch: string }[]).map(
      ({ patch }) => parse(patch) as unknown,
    );
    const classes = parseAllDocuments(
      readFileSync(join(folder, 'secrets-store/secret-provider-classes.yaml'), 'utf8'),
    ).map((document) => document.toJS() as unknown);
    const filesOf = new Map(
      classes.map((provided) => [
        String(readValueAt(provided, 'metadata', 'name')),
        (parse(String(readValueAt(provided, 'spec', 'parameters', 'objects'))) as { objectName: string }[]).map(
          ({ objectName }) => objectName,
        ),
      ]),
    );
    const inSettings = Object.entries(settings).flatMap(([name, path]) =>
      name.endsWith('_FILE') ? basename(path) : [],
    );
    expect(filesOf.get('portal-secrets')?.toSorted()).toEqual(inSettings.toSorted());
    expect(filesOf.get('portal-owner')).toEqual(['database-owner-url']);
    for (const [kind, pod] of pods) {
      const patch = patches.find((one) => readValueAt(one, 'kind') === kind);
      const spec = readValueAt(patch, 'spec');
      const patched = readValueAt(
        kind === 'CronJob' ? readValueAt(spec, 'jobTemplate', 'spec') : spec,
        ...['template', 'spec', 'volumes'],
      ) as { name: string; secret: null; csi: { volumeAttributes: { secretProviderClass: string } } }[];
      const secrets = (readValueAt(pod, 'volumes') as { name: string; secret?: { secretName: string } }[]).flatMap(
        ({ name, secret }) => (secret === undefined ? [] : [[name, secret.secretName]]),
      );
      expect(patched.map(({ name, csi }) => [name, csi.volumeAttributes.secretProviderClass])).toEqual(secrets);
      expect(patched.every(({ secret }) => secret === null)).toBe(true);
    }
  });

  test('[ASVS-13.3.1] read only secrets whose rotation the runbook describes', () => {
    const [, section = ''] = readText('src/server/operation.md').split(/^## Secrets$/m);
    const rows = [...(section.split(/^## /m, 1)[0] ?? '').matchAll(/^\| ([A-Z_, ]+) \| \S.* \|$/gm)];
    expect(rows.flatMap(([, names = '']) => names.split(', ')).toSorted()).toEqual([...secretSettingNames].toSorted());
  });

  /** Reads the directives of a configuration file of ClamAV. */
  function parseDirectives(name: string): ReadonlyMap<string | undefined, string> {
    const lines = readFileSync(join(folder, name), 'utf8').matchAll(/^(\w+) (.+)$/gm);
    return new Map([...lines].map(([, directive, value = '']) => [directive, value]));
  }

  test.each(pods)(
    'run the %s as non-root, with a read-only file system and no writable mount except its volumes',
    (kind, pod) => {
      expect(readValueAt(pod, 'securityContext')).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(readValueAt(pod, 'automountServiceAccountToken')).toBe(false);
      const container = readValueAt(pod, 'containers', 0);
      expect(readValueAt(container, 'image')).toBe(readValueAt(kustomization, 'images', 0, 'name'));
      expect(readValueAt(container, 'securityContext')).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(readValueAt(container, 'envFrom')).toEqual([{ configMapRef: { name: 'portal-settings' } }]);
      const mounts = readValueAt(container, 'volumeMounts') as {
        name: string;
        mountPath: string;
        readOnly?: boolean;
      }[];
      const writable = mounts.filter(({ readOnly }) => readOnly !== true).map(({ mountPath }) => mountPath);
      expect(writable).toEqual(['/tmp', '/data', ...(kind === 'CronJob' ? ['/backups'] : [])]);
      expect(mounts.find(({ readOnly }) => readOnly === true)?.mountPath).toBe('/run/secrets/portal');
      const knowsOwner = JSON.stringify(pod).includes('DATABASE_OWNER_URL_FILE');
      expect(knowsOwner, '[ASVS-13.2.2] only jobs know the database owner').toBe(kind === 'Job');
      expect(mounts.some(({ mountPath }) => mountPath === '/run/secrets/portal-owner')).toBe(knowsOwner);
      const volumes = (readValueAt(pod, 'volumes') as { name: string }[]).map(({ name }) => name);
      expect(volumes.slice(0, mounts.length)).toEqual(mounts.map(({ name }) => name));
      const others = kind === 'Deployment' ? ['scanner', 'signatures', 'scanner-temporary'] : [];
      expect(volumes.slice(mounts.length), 'volumes of the scanner').toEqual(others);
    },
  );

  test('[ASVS-13.2.4] restrict traffic to named ports, and exclude private networks from outgoing HTTPS', () => {
    const policy = readValueAt(objectOf('NetworkPolicy'), 'spec');
    expect(policy).toMatchObject({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const egress = readValueAt(policy, 'egress') as {
      to: { ipBlock?: { cidr: string; except?: string[] } }[];
      ports: { port: number }[];
    }[];
    expect(egress.map(({ ports }) => ports.map(({ port }) => port))).toEqual([[53, 53], [5432, 465], [443]]);
    const [, , wide] = egress;
    for (const { ipBlock } of wide?.to ?? []) expect(ipBlock?.except?.length).toBeGreaterThan(2);
    expect(wide?.to[0]?.ipBlock?.except).toContain('169.254.0.0/16'); // metadata service of cloud providers, which pods must not reach
    const ports = (readValueAt(policy, 'ingress') as { from: unknown[]; ports: { port: string }[] }[]).map(
      ({ from, ports: [port] }) => [from.length, port?.port],
    );
    expect(ports).toEqual([
      [1, 'http'],
      [1, 'metrics'],
    ]);
  });

  test('[ASVS-12.3.3] encrypt the transport between ingress and pods', () => {
    expect(settings['PLAIN_TRANSPORTS']).toBeUndefined();
    expect(settings['TLS_FILE']).toBeDefined();
    expect(readValueAt(objectOf('Ingress'), 'metadata', 'annotations')).toMatchObject({
      'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS',
    });
  });

  test('probe health paths that the server serves, on the port where it listens', () => {
    const container = readValueAt(objectOf('Deployment'), 'spec', 'template', 'spec', 'containers', 0);
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      expect(healthPaths.has(String(readValueAt(container, probe, 'httpGet', 'path'))), probe).toBe(true);
      expect(readValueAt(container, probe, 'httpGet')).toMatchObject({ port: 'http', scheme: 'HTTPS' });
    }
    expect(readValueAt(container, 'readinessProbe', 'httpGet', 'path')).toBe('/readyz');
    expect(portOf('http')).toMatchObject({ containerPort: readConfig({ BASE_URL: 'http://localhost' }).port });
    expect(portOf('metrics')).toMatchObject({ containerPort: Number(settings['METRICS_PORT']) });
    expect(readValueAt(objectOf('Service'), 'spec', 'ports', 0, 'targetPort')).toBe('http');
  });

  test('select only the server pods, and route the host of BASE_URL to their service', () => {
    const labels = readValueAt(objectOf('Deployment'), 'spec', 'template', 'metadata', 'labels');
    expect(readValueAt(objectOf('Deployment'), 'spec', 'selector', 'matchLabels')).toEqual(labels);
    expect(readValueAt(objectOf('Service'), 'spec', 'selector')).toEqual(labels);
    expect(readValueAt(objectOf('PodDisruptionBudget'), 'spec', 'selector', 'matchLabels')).toEqual(labels);
    expect(readValueAt(objectOf('Job'), 'spec', 'template', 'metadata', 'labels')).not.toEqual(labels);
    expect(
      readValueAt(objectOf('CronJob'), 'spec', 'jobTemplate', 'spec', 'template', 'metadata', 'labels'),
    ).not.toEqual(labels);
    expect(readValueAt(objectOf('Ingress'), 'spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'name')).toBe(
      readValueAt(objectOf('Service'), 'metadata', 'name'),
    );
    expect(settings['BASE_URL']).toBe(
      `https://${String(readValueAt(objectOf('Ingress'), 'spec', 'rules', 0, 'host'))}`,
    );
  });

  test('run an existing portal command in the migration job', () => {
    const [program, file, name] = readValueAt(
      objectOf('Job'),
      'spec',
      'template',
      'spec',
      'containers',
      0,
      'command',
    ) as string[];
    expect([program, file]).toEqual(['node', 'src/cli/portal.mjs']);
    expect(commands).toHaveProperty(String(name));
  });
});

test('[ASVS-17.1.1] coturn sample configuration denies relaying to internal networks', () => {
  const lines = readFileSync(join(deploy, 'coturn.conf'), 'utf8').split('\n');
  expect(lines).toEqual(expect.arrayContaining(['use-auth-secret', 'no-cli', 'no-tcp-relay', 'no-multicast-peers']));
  const denied = lines.flatMap((line) => /^denied-peer-ip=([\d.]+)-([\d.]+)$/.exec(line)?.slice(1) ?? []);
  for (const start of ['10.0.0.0', '127.0.0.0', '169.254.0.0', '172.16.0.0', '192.168.0.0'])
    expect(denied).toContain(start);
});

/** The fields of custom resources that the components use. The package with the types of Kubernetes does not contain these resources. */
const customResourceTypes = `import type { ObjectMeta, LabelSelector } from 'kubernetes-types/meta/v1';
  import type { SecretKeySelector } from 'kubernetes-types/core/v1';
  interface ServiceMonitor {
    apiVersion: 'monitoring.coreos.com/v1'; kind: 'ServiceMonitor'; metadata: ObjectMeta;
    spec: { selector: LabelSelector; jobLabel?: string; endpoints: Endpoint[] };
  }
  interface Endpoint {
    port?: string; scheme?: 'http' | 'https'; authorization?: { type?: string; credentials?: SecretKeySelector };
    tlsConfig?: { serverName?: string; ca?: { secret?: SecretKeySelector } };
  }
  interface SecretProviderClass {
    apiVersion: 'secrets-store.csi.x-k8s.io/v1'; kind: 'SecretProviderClass'; metadata: ObjectMeta;
    spec: { provider: string; parameters: Record<string, string> };
  }`;

/** Returns the type errors in a module. The module may import types of packages. */
function listTypeErrors(text: string): readonly string[] {
  const file = join(root, 'manifests.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...more) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext) : getSourceFile(name, ...more);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

function readImageSettings(): Record<string, string> {
  const [, line = ''] = /^ENV (.+)$/m.exec(serverStage) ?? [];
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=') as [string, string]));
}

test('version is the same in package.json, kustomization.yaml, the engine README and the top of the changelog', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect([
    /newTag: '([^']+)'/.exec(read('src/server/deploy/kubernetes/kustomization.yaml'))?.[1],
    /portal-engine-([\d.]+)\.tgz/.exec(read('src/engine/README.md'))?.[1],
    /^## (\S+) - /m.exec(read('CHANGELOG.md'))?.[1],
  ]).toEqual([version, version, version]);
});
