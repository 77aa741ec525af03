import { secondsPerHour, secondsPerDay } from '../base/fixed-periods.ts';
import {
  resolveRetentionPeriodS,
  type PurgeRule,
  type RetentionConfig,
  type TableDescription,
} from './table-descriptions.ts';

interface DataPageOptions {
  readonly tables: Readonly<Record<string, TableDescription>>;
  readonly config: RetentionConfig;
  /** Values of the privacy policy's placeholders. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** Renders Markdown for operators and data protection officers: location, purpose, retention and readers of the stored data. */
export function renderStoredDataPage({ tables, ...periods }: DataPageOptions): string {
  const rows = Object.entries(tables).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  const personal = rows.flatMap(([name, table]) => {
    const { data, why, readers, retention } = table;
    const readBy = readers.join(', ') || 'only the server';
    return data === null
      ? []
      : [formatRow(`\`${name}\``, data, why, describePeriod(retention, periods), readBy, describeProtection(table))];
  });
  const others = rows.flatMap(([name, { data, why, retention }]) =>
    data === null ? [formatRow(`\`${name}\``, why, describePeriod(retention, periods))] : [],
  );
  return [
    pageHeader,
    '## Personal data\n',
    formatRow('table', 'data', 'purpose', 'retention', 'read by', 'encrypted or hashed columns'),
    formatRow('---', '---', '---', '---', '---', '---'),
    ...personal,
    '\n## Tables without personal data\n',
    formatRow('table', 'contents', 'retention'),
    formatRow('---', '---', '---'),
    ...others,
    '',
  ].join('\n');
}

const pageHeader = `# Stored data and retention periods

For operators and data protection officers. \`npx portal data\` prints this page with the periods of an installation. This copy contains the defaults.

All data is in one database. "Read by" lists who can see the data through pages, operations and commands. Somebody with access to the database or a
backup can read every column that is neither encrypted nor hashed. Encrypted columns use AES-256-GCM with \`ENCRYPTION_KEY\`, which is not in the
database. Hashed columns contain a SHA-256 or HMAC; passwords and recovery codes use argon2id. An hourly purge deletes rows after their
retention period. If a setting changes the period, its name is in parentheses.

Some data is outside of the database: key files, backups, and the log, which contains no documents, passwords, codes or input of citizens. The operator decides how long
to keep these. The privacy policy lists what browsers store.
`;

function formatRow(...texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}

function describeProtection({ encrypted = {}, copies = {}, hashed = [] }: TableDescription): string {
  const describeColumns = (how: string, columns: readonly string[]) =>
    columns.length === 0 ? [] : [`${how} ${columns.map((column) => `\`${column}\``).join(', ')}`];
  const forms = [
    ...describeColumns('encrypted', Object.keys(encrypted)),
    ...describeColumns('copies of encrypted values in', Object.keys(copies)),
    ...describeColumns('hashed', hashed),
  ];
  return forms.join('; ') || 'plain';
}

function describePeriod(kept: PurgeRule | string, { config, values }: Omit<DataPageOptions, 'tables'>): string {
  if (typeof kept === 'string') return kept;
  const { column, period } = kept;
  if (period === 0) return `until \`${column}\`${formatLongestPeriod(kept, values)}`;
  const setting = typeof period === 'string' ? ` (\`${period}\`)` : '';
  return `${formatDuration(resolveRetentionPeriodS(period, config))}${setting} after \`${column}\``;
}

/** Formats the longest period that the privacy policy states, for rows that store their own expiry. */
function formatLongestPeriod({ policy }: PurgeRule, values: DataPageOptions['values']): string {
  if (policy === null) return '';
  const unit = unitS[policy.split('_')[0] ?? ''];
  if (unit === undefined) throw new Error(`The placeholder ${policy} of the privacy policy begins with no unit.`);
  return `, at most ${formatDuration(Number(values[policy]) * unit)}`;
}

/** Seconds per unit. The name of a retention period's placeholder in the privacy policy begins with the unit, such as `dias_`. */
const unitS: Readonly<Record<string, number>> = {
  anios: 365 * secondsPerDay,
  dias: secondsPerDay,
  horas: secondsPerHour,
  minutos: 60,
};

function formatDuration(seconds: number): string {
  const units = [
    [365 * secondsPerDay, 'years'],
    [secondsPerDay, 'days'],
    [secondsPerHour, 'hours'],
    [60, 'minutes'],
  ] as const;
  const [size, unit] = units.find(([each]) => seconds % each === 0) ?? [1, 'seconds'];
  const count = seconds / size;
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}
