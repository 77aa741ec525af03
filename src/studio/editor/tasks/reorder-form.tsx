import { Button } from '@fluentui/react-components';
import { useState, type DragEvent } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../texts.ts';
import { IndexSelectField, EditTaskFrame } from '../form-controls.tsx';
import { useStudio } from '../use-studio.ts';
import type { ReorderableList } from './reorderable-list.ts';

export function ReorderForm({ orders, onDone }: { orders: readonly ReorderableList[]; onDone: () => void }) {
  const studio = useStudio();
  const [chosen, setChosen] = useState(0);
  const [keys, setKeys] = useState<readonly string[] | null>(null);
  const order = orders[chosen] ?? orders[0];
  if (!order) return null;
  const now = order.items.map(({ key }) => key);
  const isMoved = keys !== null && keys.join() !== now.join();
  return (
    <EditTaskFrame
      title={t('order')}
      action={t('apply')}
      disabled={!isMoved || studio.busy}
      onSubmit={() => {
        if (keys) void studio.write(order.change(keys)).then((isWritten) => isWritten && onDone());
      }}
      onCancel={onDone}
    >
      <IndexSelectField
        label={t('orderWhat')}
        value={orders.indexOf(order)}
        options={orders.map(({ name }) => name)}
        onChange={(next) => {
          setChosen(next);
          setKeys(null);
        }}
      />
      <p>{t('orderHow')}</p>
      <OrderList key={chosen} items={order.items} keys={keys ?? now} onChange={setKeys} />
    </EditTaskFrame>
  );
}

interface OrderListProps {
  readonly items: ReorderableList['items'];
  readonly keys: readonly string[];
  readonly onChange: (keys: readonly string[]) => void;
}

function OrderList({ items, keys, onChange }: OrderListProps) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [moved, setMoved] = useState<string | null>(null);
  const labels = Object.fromEntries(items.map(({ key, label }) => [key, label]));
  const move = (key: string, place: number): void => {
    if (place < 0 || place >= keys.length || keys[place] === key) return;
    setMoved(key);
    const others = keys.filter((one) => one !== key);
    onChange([...others.slice(0, place), key, ...others.slice(place)]);
  };
  const button = (key: string, by: -1 | 1) => {
    const place = keys.indexOf(key) + by;
    return (
      <Button
        aria-label={t(by < 0 ? 'up' : 'down', { name: labels[key] ?? key })}
        aria-disabled={place < 0 || place >= keys.length || undefined} // unlike `disabled`, keeps the focus when the item reaches the end of the list
        onClick={({ currentTarget }) => {
          // Scrolls after the item has been rendered at its new position, which may be out of view.
          flushSync(() => move(key, place));
          currentTarget.scrollIntoView({ block: 'nearest' });
        }}
      >
        {by < 0 ? '↑' : '↓'}
      </Button>
    );
  };
  return (
    <>
      <ol className="studio-order">
        {keys.map((key, place) => (
          <li
            key={key}
            draggable
            data-dragged={key === dragged || undefined}
            onDragStart={({ dataTransfer }: DragEvent) => {
              dataTransfer.effectAllowed = 'move';
              dataTransfer.setData('text/plain', key); // Firefox starts a drag only if it has data
              setDragged(key);
            }}
            onDragOver={(event: DragEvent) => {
              event.preventDefault(); // allows dropping the item here
              if (dragged !== null) move(dragged, place);
            }}
            onDrop={(event: DragEvent) => event.preventDefault()}
            onDragEnd={() => setDragged(null)}
          >
            <span>{labels[key]}</span>{' '}
            <span className="studio-order-buttons">
              {button(key, -1)} {button(key, 1)}
            </span>
          </li>
        ))}
      </ol>
      <p role="status">
        {moved !== null &&
          t('orderMoved', { name: labels[moved] ?? moved, place: keys.indexOf(moved) + 1, count: keys.length })}
      </p>
    </>
  );
}
