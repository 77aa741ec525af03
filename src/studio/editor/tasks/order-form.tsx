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

/** Asks which of some lists is to be put in order, and writes it. */
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

/** A list that is put in order by dragging or by the buttons of each item, which says where it came to stand. */
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
        aria-disabled={place < 0 || place >= keys.length || undefined} // who moves it to the end keeps the focus
        onClick={({ currentTarget }) => {
          // It goes with its item, which may leave the pane.
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
              dataTransfer.setData('text/plain', key); // Firefox drags nothing without
              setDragged(key);
            }}
            onDragOver={(event: DragEvent) => {
              event.preventDefault(); // it may be dropped here
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
