import { isObject, type ValuesByName } from '../../src/engine/core/json.ts';
import { useEngine } from '../../src/engine/react/engine-context.ts';
import { toWidgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { formatShortDateTime } from '../../src/contract/format/dates.ts';

export const options = {
  rows: {
    type: 'array',
    items: {
      type: 'object',
      required: ['title'],
      properties: {
        title: { type: 'string' },
        text: { type: 'string' },
        value: {},
        format: { enum: ['moment'] },
        badge: { enum: ['on', 'off'] },
        link: {
          type: 'object',
          required: ['to', 'text'],
          properties: { to: { type: 'string' }, text: { type: 'string' } },
          additionalProperties: false,
        },
        visible: {},
      },
      additionalProperties: false,
    },
  },
  notes: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        value: {},
        intent: { enum: ['error', 'warning', 'success'] },
        visible: {},
      },
      additionalProperties: false,
    },
  },
  labelled: { const: 'self' },
} as const;

export default function FactsWidget(props: WidgetProps) {
  const { control, options, label } = toWidgetParts(props);
  const { Link } = useEngine();
  const rows = listVisibleEntries(options['rows']);
  const notes = listVisibleEntries(options['notes']);
  return (
    <div id={control.id} tabIndex={-1} role="group" aria-label={label} className="facts">
      <dl>
        {rows.map((row) => (
          <div key={String(row['title'])}>
            <dt>{String(row['title'])}</dt>
            <dd>
              {typeof row['badge'] === 'string' ? (
                <span className="badge" data-level={row['badge']}>
                  {formatDetail(row)}
                </span>
              ) : (
                formatDetail(row)
              )}
            </dd>
            {isObject(row['link']) && (
              <dd className="fact-action">
                <Link to={String(row['link']['to'])}>
                  {String(row['link']['text'])}
                  <span className="visually-hidden"> {String(row['title'])}</span>
                </Link>
              </dd>
            )}
          </div>
        ))}
      </dl>
      {notes.map((note) => {
        const intent = note['intent'];
        const text = String(note['value'] ?? note['text']);
        if (typeof intent !== 'string') return <p key={text}>{text}</p>;
        return (
          <p key={text} className="notice" data-intent={intent} role={intent === 'error' ? 'alert' : 'status'}>
            {text}
          </p>
        );
      })}
    </div>
  );
}

/** Returns the visible entries. The engine has already replaced the rule in `visible` by its result. */
function listVisibleEntries(entries: unknown): readonly ValuesByName[] {
  return Array.isArray(entries) ? entries.filter(isObject).filter(({ visible = true }) => Boolean(visible)) : [];
}

function formatDetail({ text, value, format }: ValuesByName): string {
  if (text !== undefined) return String(text);
  if (format === 'moment') return formatShortDateTime(String(value));
  return String(value ?? '');
}
