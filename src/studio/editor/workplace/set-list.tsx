import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import type { Place } from '../place.ts';
import { journeysOf, searchOver, type Entry, type Found } from '../search.ts';
import { flowFile } from '../tasks/flow-tasks.ts';
import { commonPath } from '../titles.ts';
import { placeOf } from './entry-place.ts';
import { useKept } from './use-kept.ts';

interface SetListProps {
  readonly set: StudioSet;
  readonly place: Place;
  readonly go: (part: Partial<Place>) => void;
}

/** The journeys with their screens as citizens meet them; what holds the words that one looks for, while one does. */
export function SetList({ set, place, go }: SetListProps) {
  const [wanted, setWanted] = useState('');
  const search = useMemo(() => searchOver(set), [set]);
  const found = search(wanted);
  const of = (kind: Entry['kind']) => found.filter((entry) => entry.kind === kind);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [place.screen, place.flow, place.common]);
  const entry = (own: Entry | Found) => (
    <EntryButton
      entry={own}
      chosen={place[own.kind] === own.name}
      problems={problemsOf(set, own)}
      onChoose={() => go(placeOf(own, place))}
    />
  );
  const listOf = (title: string, entries: readonly Found[]) => (
    <nav aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {entries.map((own) => (
          <li key={own.name}>{entry(own)}</li>
        ))}
      </ul>
    </nav>
  );
  return (
    <div className="studio-list" ref={list} onKeyDown={moveByArrow}>
      <label className="studio-field">
        {t('search')}
        <input
          type="search"
          placeholder={t('searchHint')}
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
      </label>
      <p role="status">{t('found', { screens: of('screen').length, flows: of('flow').length })}</p>
      {wanted.trim() === '' ? (
        <nav aria-label={t('flows')}>
          <h2>{t('flows')}</h2>
          <Journeys set={set} entry={entry} />
        </nav>
      ) : (
        <>
          {listOf(t('screens'), of('screen'))}
          {listOf(t('flows'), of('flow'))}
        </>
      )}
      {listOf(t('commonTexts'), of('common'))}
    </div>
  );
}

/** Every journey over its screens, which can be folded away. */
function Journeys({ set, entry }: { set: StudioSet; entry: (own: Entry) => React.ReactNode }) {
  const [folded, setFolded] = useKept('plegados', [], isNames);
  return journeysOf(set).map(({ flow, screens }) => {
    const name = flow?.name ?? '';
    const title = flow?.title ?? t('noJourney');
    const isOpen = !folded.includes(name);
    return (
      <section key={name} className="studio-journey">
        <h3>
          {flow ? entry(flow) : title}
          {screens.length > 0 && (
            <button
              type="button"
              className="studio-fold"
              aria-expanded={isOpen}
              aria-label={t('fold', { title })}
              onClick={() => setFolded(isOpen ? [...folded, name] : folded.filter((own) => own !== name))}
            >
              {isOpen ? '▾' : '▸'}
            </button>
          )}
        </h3>
        {isOpen && screens.length > 0 && (
          <ul aria-label={t('screens')}>
            {screens.map((screen) => (
              <li key={screen.name}>{entry(screen)}</li>
            ))}
          </ul>
        )}
      </section>
    );
  });
}

function isNames(kept: unknown): kept is readonly string[] {
  return Array.isArray(kept) && kept.every((name) => typeof name === 'string');
}

interface EntryButtonProps {
  readonly entry: Entry | Found;
  readonly chosen: boolean;
  readonly problems: number;
  readonly onChoose: () => void;
}

function EntryButton({ entry, chosen, problems, onChoose }: EntryButtonProps) {
  const { name, title } = entry;
  const line = 'line' in entry ? entry.line : null;
  return (
    <button type="button" className="studio-entry" aria-current={chosen || undefined} onClick={onChoose}>
      {title !== name && <span>{title} </span>}
      <code>{name}</code>
      {line && (
        <span className="studio-aside">
          {' '}
          {line.place}: {line.text}
        </span>
      )}
      {problems > 0 && <strong className="gallery-mark">{t('problemCount', { count: problems })}</strong>}
    </button>
  );
}

function problemsOf(set: StudioSet, { kind, name }: Entry): number {
  const starts = { screen: `schemas/${name}/`, flow: flowFile(name), common: `${commonPath(set, name)}.` };
  return set.problems.filter(({ file }) => file.startsWith(starts[kind])).length;
}

/** Arrows go from entry to entry, as in the tree of an editor. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const direction = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (direction === 0) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .studio-entry')];
  const next = stops[stops.indexOf(event.target as HTMLElement) + direction]; // what is pressed is an element
  if (!next) return;
  event.preventDefault();
  next.focus();
}
