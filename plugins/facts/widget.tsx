import { isObject, type Values } from '../../src/engine/core/json.ts';
import { useEngine } from '../../src/engine/react/engine-context.ts';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { momentText } from './moment.ts';

/** What is known of something, line by line, and notes on it. It holds no value. */
export default function Facts(props: WidgetProps) {
  const { control, options, label } = widgetParts(props);
  const { Link } = useEngine();
  const rows = shown(options['rows']);
  const notes = shown(options['notes']);
  return (
    <div id={control.id} tabIndex={-1} role="group" aria-label={label} className="facts">
      <dl>
        {rows.map((row) => (
          <div key={String(row['title'])}>
            <dt>{String(row['title'])}</dt>
            <dd>{detailOf(row)}</dd>
            {isObject(row['link']) && (
              <dd>
                <Link to={String(row['link']['to'])}>{String(row['link']['text'])}</Link>
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

/** The entries of a list whose rule holds; the engine has put its result in the rule's place. */
function shown(entries: unknown): readonly Values[] {
  return Array.isArray(entries) ? entries.filter(isObject).filter(({ visible = true }) => Boolean(visible)) : [];
}

function detailOf({ text, value, format }: Values): string {
  if (text !== undefined) return String(text);
  if (format === 'moment') return momentText(String(value));
  return String(value ?? '');
}
