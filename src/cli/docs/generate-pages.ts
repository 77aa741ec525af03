import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { isObject } from '../../engine/core/json.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { buildOpenApi } from '../../server/web/operations/openapi.ts';
import { readMarkdownDocuments, selectDecisionRecords } from '../testing/decision-records.ts';

/**
 * Returns the generated pages as Markdown, by path: the reference of the formats, the operations of the server, and the
 * decision records.
 */
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
      const rows = formatPropertyRows(schema);
      if (rows.length === 0) return [];
      const about = isObject(schema) ? formatCell(schema['description']) : '';
      return [
        `${index === 0 ? '##' : '###'} ${title}`,
        about,
        ['| key | value | meaning |', '| --- | --- | --- |', ...rows].join('\n'),
      ];
    });
  });
  return ['# Formats', ...(await Promise.all(parts)).flat()].filter((part) => part !== '').join('\n\n');
}

function formatPropertyRows(schema: unknown): readonly string[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return properties.map(
    ([key, value]) =>
      `| \`${key}\` | ${describeType(value)} | ${isObject(value) ? formatCell(value['description']) : ''} |`,
  );
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
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>;
}

async function describeOperations(root: string): Promise<string> {
  const definitions = await loadDefinitions(createDefinitionOptions(root));
  const { paths } = buildOpenApi(definitions, { server: '', side: 'both' }) as {
    paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  };
  const parts = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const parameters = (operation.parameters ?? []).map(
        ({ name, in: place, required }) => `\`${name}\` (${place}${required ? ', required' : ''})`,
      );
      const responses = Object.entries(operation.responses ?? {}).map(
        ([status, { description = '' }]) => `- ${status}: ${description}`,
      );
      return [
        `## ${method.toUpperCase()} ${path}`,
        operation.summary ?? operation.description ?? '',
        operation.security && operation.security.length > 0 ? 'Requires a bearer token.' : '',
        parameters.length > 0 ? `Parameters: ${parameters.join(', ')}.` : '',
        operation.requestBody ? `Body: ${formatSchemaNames(operation.requestBody)}.` : '',
        responses.join('\n'),
      ]
        .filter((part) => part !== '')
        .join('\n\n');
    }),
  );
  return ['# Operations', 'The server publishes the same description at `/openapi.json`.', ...parts].join('\n\n');
}

function formatSchemaNames(body: object): string {
  const names = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/([\w.-]+)/g)].map(
    ([, name]) => `\`${name}\``,
  );
  return names.length > 0 ? [...new Set(names)].join(' or ') : 'JSON';
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
