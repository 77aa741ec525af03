import { hourS, dayS } from '../base/periods.ts';
import { resolvePeriod, type PurgeRule, type Settings, type StoredTable } from './table.ts';

/** Input of the page: the tables with their retention, and the configured periods. */
interface Declared {
  readonly tables: Readonly<Record<string, StoredTable>>;
  readonly config: Settings;
  /** Values of the privacy policy's placeholders. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** Renders a description of the stored data (where, why, how long, and who can read it) as Markdown, for operators and data protection officers. */
export function dataPage({ tables, ...periods }: Declared): string {
  const rows = Object.entries(tables).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  const personal = rows.flatMap(([name, table]) => {
    const { data, why, readers, kept } = table;
    const readBy = readers.join(', ') || 'only the server';
    return data === null
      ? []
      : [cells(`\`${name}\``, data, why, periodText(kept, periods), readBy, describeForm(table))];
  });
  const others = rows.flatMap(([name, { data, why, kept }]) =>
    data === null ? [cells(`\`${name}\``, why, periodText(kept, periods))] : [],
  );
  return [
    head,
    '## Personal data\n',
    cells('table', 'data', 'purpose', 'retention', 'read by', 'encrypted or hashed columns'),
    cells('---', '---', '---', '---', '---', '---'),
    ...personal,
    '\n## Tables without personal data\n',
    cells('table', 'contents', 'retention'),
    cells('---', '---', '---'),
    ...others,
    '',
  ].join('\n');
}

const head = `# Stored data and retention periods

For operators and data protection officers. \`npx portal data\` prints this page with the periods of an installation. This copy contains the defaults.

All data is in one database. "Read by" lists who can see the data through pages, operations and commands. Somebody with access to the database or a
backup can read every column that is neither encrypted nor hashed. Encrypted columns use AES-256-GCM with \`ENCRYPTION_KEY\`, which is not in the
database. Hashed columns contain a SHA-256 or HMAC; passwords and recovery codes use argon2id. An hourly purge deletes rows after their
retention period. If a setting changes the period, its name is in parentheses.

Some data is outside of the database: key files, backups, and the log, which contains no documents, passwords, codes or input of citizens. The operator decides how long
to keep these. The privacy policy lists what browsers store.
`;

function cells(...texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}

/** Describes which columns of a table are encrypted or hashed. */
function describeForm({ encrypted = {}, copies = {}, hashed = [] }: StoredTable): string {
  const named = (how: string, columns: readonly string[]) =>
    columns.length === 0 ? [] : [`${how} ${columns.map((column) => `\`${column}\``).join(', ')}`];
  const forms = [
    ...named('encrypted', Object.keys(encrypted)),
    ...named('copies of encrypted values in', Object.keys(copies)),
    ...named('hashed', hashed),
  ];
  return forms.join('; ') || 'plain';
}

function periodText(kept: PurgeRule | string, { config, values }: Omit<Declared, 'tables'>): string {
  if (typeof kept === 'string') return kept;
  const { column, period } = kept;
  if (period === 0) return `until \`${column}\`${longest(kept, values)}`;
  const setting = typeof period === 'string' ? ` (\`${period}\`)` : '';
  return `${duration(resolvePeriod(period, config))}${setting} after \`${column}\``;
}

/** Formats the longest period that the privacy policy promises, for rows that store their own end. */
function longest({ policy }: PurgeRule, values: Declared['values']): string {
  if (policy === null) return '';
  const seconds = Number(values[policy]) * (unitS[policy.split('_')[0] ?? ''] ?? 0);
  return `, at most ${duration(seconds)}`;
}

/** Seconds per unit. A placeholder's name begins with the unit. */
const unitS: Readonly<Record<string, number>> = { dias: dayS, minutos: 60 };

function duration(seconds: number): string {
  const units = [
    [365 * dayS, 'years'],
    [dayS, 'days'],
    [hourS, 'hours'],
    [60, 'minutes'],
  ] as const;
  const [size, unit] = units.find(([each]) => seconds % each === 0) ?? [1, 'seconds'];
  const count = seconds / size;
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}
