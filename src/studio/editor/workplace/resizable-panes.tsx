import { useRef, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react';
import { t } from '../../texts.ts';
import { useLocalStorageState } from '../studio-selection.ts';

/** Sizes in pixels. `grows` is the pointer direction that enlarges the pane. */
const panes = {
  list: { size: 240, min: 160, max: 480, axis: 'x', grows: 1 },
  right: { size: 408, min: 280, max: 900, axis: 'x', grows: -1 },
  problems: { size: 136, min: 64, max: 480, axis: 'y', grows: -1 },
} as const;
type Pane = keyof typeof panes;
type Sizes = Readonly<Record<Pane, number>>;

const names = Object.keys(panes) as readonly Pane[];
const initial = Object.fromEntries(names.map((name) => [name, panes[name].size])) as Sizes;
const resizeStepPx = 16;

export function useResizablePanes(): { readonly style: CSSProperties; readonly separators: React.ReactNode } {
  const [sizes, setSizes] = useLocalStorageState('paneles', initial, isSizes);
  return {
    style: Object.fromEntries(names.map((name) => [`--${name}`, `${sizes[name]}px`])) as CSSProperties,
    separators: names.map((name) => (
      <Separator
        key={name}
        name={name}
        size={sizes[name]}
        onSize={(size) => setSizes({ ...sizes, [name]: Math.min(panes[name].max, Math.max(panes[name].min, size)) })}
      />
    )),
  };
}

function isSizes(kept: unknown): kept is Sizes {
  const own = kept as Partial<Sizes> | null; // local storage may contain any JSON, so each property is checked
  return names.every((name) => typeof own?.[name] === 'number');
}

function Separator({ name, size, onSize }: { name: Pane; size: number; onSize: (size: number) => void }) {
  const { axis, grows, min, max } = panes[name];
  const from = useRef<{ readonly at: number; readonly size: number } | null>(null);
  const at = ({ clientX, clientY }: PointerEvent): number => (axis === 'x' ? clientX : clientY);
  const onKeyDown = (event: KeyboardEvent): void => {
    const [less, more] = axis === 'x' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const direction = event.key === more ? 1 : event.key === less ? -1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    onSize(size + direction * grows * resizeStepPx);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      className={`studio-separator studio-separator-${name}`}
      aria-label={t(`pane_${name}`)}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onSize(panes[name].size)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId); // sends the pointer events to this element, otherwise the preview's frame would receive them
        from.current = { at: at(event), size };
      }}
      onPointerMove={(event) => {
        if (from.current) onSize(from.current.size + grows * (at(event) - from.current.at));
      }}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
    />
  );
}
