import { useEffect, useState } from 'react';
import { devAddresses, type ScreenEntry } from './dev-data.ts';
import { languages } from '../contract/portal-config.ts';
import { applyFilter, filterQuery, readFilter, widths, type Filter } from './filter.ts';
import { Problems } from './problems.tsx';
import { ScreenSection } from './screen-section.tsx';
import { t } from './texts.ts';
import { ViewLinks } from './views.tsx';

interface GalleryProps {
  readonly screens: readonly ScreenEntry[];
  readonly problems: readonly string[];
}

export function Gallery({ screens, problems }: GalleryProps) {
  const [filter, setFilter] = useState(() => readFilter(window.location.search));
  useEffect(() => window.history.replaceState(null, '', filterQuery(filter)), [filter]);
  const change = (part: Partial<Filter>): void => setFilter((before) => ({ ...before, ...part }));
  const shown = applyFilter(screens, filter);
  const open = new Set(shown.length === 1 ? shown.map(({ name }) => name) : filter.open);
  const toggle = (name: string, on: boolean): void =>
    change({ open: on ? [...new Set([...filter.open, name])] : filter.open.filter((other) => other !== name) });
  return (
    <main className="gallery">
      <h1 tabIndex={-1}>{t('gallery')}</h1>
      <ViewLinks at="gallery" />
      <Problems problems={problems} />
      <Filters filter={filter} change={change} />
      <p role="status">{t('count', counts(shown))}</p>
      {(filter.screen !== '' || filter.fixture !== '') && (
        <p>
          <a href={devAddresses.gallery}>{t('all')}</a>
        </p>
      )}
      <p>
        <button type="button" className="button" onClick={() => change({ open: shown.map(({ name }) => name) })}>
          {t('openAll')}
        </button>{' '}
        <button type="button" className="button" onClick={() => change({ open: [] })}>
          {t('closeAll')}
        </button>
      </p>
      {shown.map((screen) => (
        <ScreenSection
          key={screen.name}
          screen={screen}
          filter={filter}
          open={open.has(screen.name)}
          onToggle={toggle}
        />
      ))}
    </main>
  );
}

function Filters({ filter, change }: { filter: Filter; change: (part: Partial<Filter>) => void }) {
  return (
    <form role="search" className="gallery-filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        {t('name')}{' '}
        <input
          type="search"
          value={filter.name}
          onChange={({ target }) => change({ name: target.value, screen: '', fixture: '' })}
        />
      </label>
      <label>
        {t('language')}{' '}
        <Choice
          value={filter.lang}
          options={languages.map((lang) => [lang, t(lang)])}
          onChange={(lang) => change({ lang })}
        />
      </label>
      <label>
        {t('width')}{' '}
        <Choice
          value={filter.width}
          options={widths.map((width) => [width, t('px', { width })])}
          onChange={(width) => change({ width })}
        />
      </label>
      <label>
        <input type="checkbox" checked={filter.errors} onChange={({ target }) => change({ errors: target.checked })} />{' '}
        {t('onlyErrors')}
      </label>
      <label>
        <input type="checkbox" checked={filter.marked} onChange={({ target }) => change({ marked: target.checked })} />{' '}
        {t('onlyMarked')}
      </label>
    </form>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ value, options, onChange }: ChoiceProps) {
  return (
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{t('both')}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

function counts(screens: readonly ScreenEntry[]): Readonly<Record<string, number>> {
  const fixtures = screens.flatMap((screen) => screen.fixtures);
  return {
    screens: screens.length,
    fixtures: fixtures.length,
    bare: screens.filter((screen) => screen.fixtures.length === 0).length,
    faulty: fixtures.filter(({ faults }) => faults.length > 0).length,
  };
}
