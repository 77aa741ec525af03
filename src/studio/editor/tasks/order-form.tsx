import { Button } from '@fluentui/react-components';
import { useState, type DragEvent } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../texts.ts';
import { ChoiceField, Frame } from '../controls.tsx';
import type { Studio } from '../use-studio.ts';
import type { Order } from './orders.ts';

interface OrderFormProps {
  readonly studio: Studio;
  readonly orders: readonly Order[];
  readonly onDone: () => void;
}

export function OrderForm({ studio, orders, onDone }: OrderFormProps) {
  const [chosen, setChosen] = useState(orders[0]?.name ?? '');
  const [keys, setKeys] = useState<readonly string[] | null>(null);
  const order = orders.find(({ name }) => name === chosen) ?? orders[0];
  if (!order) return null;
  const now = order.items.map(({ key }) => key);
  const isMoved = keys !== null && keys.join() !== now.join();
  return (
    <Frame
      title={t('order')}
      action={t('apply')}
      disabled={!isMoved || studio.busy}
      onSubmit={() => {
        if (keys) void studio.write(order.change(keys)).then((isWritten) => isWritten && onDone());
      }}
      onCancel={onDone}
    >
      <ChoiceField
        label={t('orderWhat')}
        value={order.name}
        options={orders.map(({ name }) => [name, name])}
        onChange={(name) => {
          setChosen(name);
          setKeys(null);
        }}
      />
      <p>{t('orderHow')}</p>
      <OrderList key={order.name} items={order.items} keys={keys ?? now} onChange={setKeys} />
    </Frame>
  );
}

interface OrderListProps {
  readonly items: Order['items'];
  readonly keys: readonly string[];
  readonly onChange: (keys: readonly string[]) => void;
}

/** List that can be reordered by drag and drop or with buttons. Announces each new position. */
function OrderList({ items, keys, onChange }: OrderListProps) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [moved, setMoved] = useState<string | null>(null);
  const labels = Object.fromEntries(items.map(({ key, label }) => [key, label]));
  const move = (key: string, place: number): void => {
    if (place < 0 || place >= keys.length || keys[place] === key) return;
    setMoved(key);
    onChange(keys.filter((one) => one !== key).toSpliced(place, 0, key));
  };
  const button = (key: string, by: -1 | 1) => {
    const place = keys.indexOf(key) + by;
    return (
      <Button
        aria-label={t(by < 0 ? 'up' : 'down', { name: labels[key] ?? key })}
        aria-disabled={place < 0 || place >= keys.length || undefined} // keeps the focus at the end of the list
        onClick={({ currentTarget }) => {
          // Scroll after the update: the item may have left the visible area.
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
              dataTransfer.setData('text/plain', key); // Firefox requires data for dragging
              setDragged(key);
            }}
            onDragOver={(event: DragEvent) => {
              event.preventDefault(); // allow dropping
              if (dragged !== null) move(dragged, place);
            }}
            onDrop={(event: DragEvent) => event.preventDefault()}
            onDragEnd={() => setDragged(null)}
          >
            <span>{labels[key]}</span> {button(key, -1)} {button(key, 1)}
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
