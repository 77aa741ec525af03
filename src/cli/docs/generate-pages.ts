import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { asObject, isObject } from '../../engine/core/json.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { buildOpenApi } from '../../server/web/operations/openapi.ts';
import { readMarkdownDocuments, selectDecisionRecords } from '../testing/decision-records.ts';

/** Returns the generated pages as Markdown, by path: the reference of the formats, the operations of the server, and the decision records. */
export async function generateDocumentationPages(root: string): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['formats.md', await describeFormats(root)],
    ['api.md', await describeOperations(root)],
    ['decisions.md', await listDecisions(root)],
  ]);
}

const formats = ['screen', 'ui', 'translation', 'shared', 'flow.4', 'walks', 'wording'];

async function describeFormats(root: string): Promise<string> {
  const parts = formats.map(async (name) => {
    const file = join(root, `src/engine/compiler/formats/${name}.schema.json`);
    const format = JSON.parse(await readFile(file, 'utf8'));
    const definitions = isObject(format['$defs']) ? Object.entries(format['$defs']) : [];
    const objects = [
      [name, format] as const,
      ...definitions.map(([key, value]) => [`${name}: ${key}`, value] as const),
    ];
    return objects.flatMap(([title, schema], index) => {
      const table = formatPropertyTable(schema);
      if (table === '') return [];
      const about = isObject(schema) ? formatCell(schema['description']) : '';
      return [`${index === 0 ? '##' : '###'} ${title}`, about, table];
    });
  });
  return ['# Formats', ...(await Promise.all(parts)).flat()].filter((part) => part !== '').join('\n\n');
}

/** Returns a table of the properties of a schema, or an empty text if it has none. */
function formatPropertyTable(schema: unknown): string {
  const rows = listPropertyRows(schema);
  return rows.length === 0 ? '' : ['| key | value | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Returns a row for each property, with those of nested objects (`call.date`) and of the items of lists (`calls[].date`). */
function listPropertyRows(schema: unknown, prefix = ''): readonly string[] {
  if (!isObject(schema)) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const own = Object.entries(asObject(schema['properties'])).flatMap(([key, value]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const mark = required.includes(key) ? ' (required)' : '';
    const meaning = isObject(value) ? formatCell(value['description']) : '';
    return [`| \`${name}\`${mark} | ${describeType(value)} | ${meaning} |`, ...listPropertyRows(value, name)];
  });
  const alternatives = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  return [
    ...own,
    ...alternatives.flatMap((alternative) => listPropertyRows(alternative, prefix)),
    ...listPropertyRows(schema['items'], `${prefix}[]`),
  ];
}

/** Describes the type of a schema: its enumerated values, the definition that it references, or its `type`. */
function describeType(schema: unknown): string {
  if (!isObject(schema)) return '';
  if (typeof schema['$ref'] === 'string') return `\`${schema['$ref'].split('/').at(-1)}\``;
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(alternatives)) return [...new Set(alternatives.map(describeType))].filter(Boolean).join(', ');
  return formatCell(schema['type']);
}

function formatCell(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('|', '\\|') : Array.isArray(value) ? value.join(', ') : '';
}

interface OpenApiOperation {
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: object;
  readonly responses?: Readonly<Record<string, { readonly description?: string; readonly content?: object }>>;
}

async function describeOperations(root: string): Promise<string> {
  const definitions = await loadDefinitions(createDefinitionOptions(root));
  const { paths, components } = buildOpenApi(definitions, { server: '', side: 'both' }) as {
    paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
    components: { readonly schemas: Readonly<Record<string, unknown>> };
  };
  const tables = Object.entries(components.schemas).map(
    ([name, schema]) => [name, formatPropertyTable(schema)] as const,
  );
  const described = new Set(tables.flatMap(([name, table]) => (table === '' ? [] : name)));
  const parts = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const parameters = (operation.parameters ?? []).map(
        ({ name, in: place, required }) => `\`${name}\` (${place}${required ? ', required' : ''})`,
      );
      const responses = Object.entries(operation.responses ?? {}).map(
        ([status, { description = '', ...response }]) =>
          `- ${status}: ${description} ${formatSchemaNames(response, described)}`,
      );
      const isTokenOptional = operation.security?.some((scheme) => Object.keys(scheme).length === 0) ?? true;
      return [
        `## ${method.toUpperCase()} ${path}`,
        operation.summary ?? operation.description ?? '',
        isTokenOptional ? 'A bearer token is optional.' : 'Requires a bearer token.',
        parameters.length > 0 ? `Parameters: ${parameters.join(', ')}.` : '',
        operation.requestBody ? `Body: ${formatSchemaNames(operation.requestBody, described)}.` : '',
        responses.join('\n'),
      ]
        .filter((part) => part !== '')
        .join('\n\n');
    }),
  );
  return [
    '# Operations',
    'The server publishes the same description at `/openapi.json`.',
    ...parts,
    ...tables.flatMap(([name, table]) => (table === '' ? [] : [`## ${name}`, table])),
  ].join('\n\n');
}

/** Lists the schemas that a body or response references. Those in `described` link to their tables. */
function formatSchemaNames(body: object, described: ReadonlySet<string>): string {
  const names = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/([\w.-]+)/g)].map(([, name = '']) => name);
  if (names.length === 0) return 'JSON';
  const toLink = (name: string): string =>
    described.has(name) ? `[\`${name}\`](#${name.replaceAll('.', '').toLowerCase()})` : `\`${name}\``;
  return [...new Set(names)].map(toLink).join(' or ');
}

async function listDecisions(root: string): Promise<string> {
  const records = selectDecisionRecords(await readMarkdownDocuments(root));
  return [
    '# Decision records',
    ...records.map(({ text }) =>
      text
        .replace(/^## (.*)$/gm, '**$1**')
        .replace(/^# /gm, '## ')
        .replace(/\]\([^)]*\)/g, ']'),
    ),
  ].join('\n\n');
}
