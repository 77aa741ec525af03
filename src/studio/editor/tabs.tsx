import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { Part } from '../part.tsx';
import './tabs.css';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [name: Name, text: string])[];
  readonly chosen: Name;
  /** Which reading of the set they show. */
  readonly reading: number;
  readonly onChoose: (name: Name) => void;
  readonly children: ReactNode;
}

/** Tabs over one panel: arrows, Home and End go from tab to tab. */
export function Tabs<Name extends string>({ label, tabs, chosen, reading, onChoose, children }: TabsProps<Name>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = tabs.findIndex(([name]) => name === chosen);
    const places: Readonly<Record<string, number>> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const place = places[event.key];
    const next = place === undefined ? undefined : tabs[(place + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next[0]);
    document.getElementById(`${id}${next[0]}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} className="studio-tabs">
        {tabs.map(([name, text]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
            onKeyDown={onKeyDown}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${chosen}`} className="studio-panel">
        <Part at={`${chosen} ${reading}`}>{children}</Part>
      </div>
    </>
  );
}
