import { useEffect, useState, useRef } from 'react';
import { devPagePaths, type DevPageData, type GalleryScreen, type ScreenCaseEntry } from './dev-page-data.ts';
import { languages } from '../contract/portal-config.ts';
import {
  filterGalleryScreens,
  buildGalleryQuery,
  parseGalleryFilter,
  previewWidths,
  type GalleryFilter,
} from './gallery-filter.ts';
import { groupByArea, DevViewHeader } from './dev-view-header.tsx';
import { DefinitionProblems } from '../portal/shell/crash-boundary.tsx';
import { t, describeScreenCaseFault } from './texts.ts';

/** Distance from the viewport within which previews load, in pixels. */
const marginPx = 1_000;

/** Frame of a preview. It loads only near the viewport, because browsers allow about a thousand frames per page. */
function PreviewFrame({ src, title, width }: { src: string; title: string; width: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  // Keeps the height after the frame is unloaded, so that the page does not jump.
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        if (!entry.isIntersecting) setHeight(place.current?.offsetHeight);
        setNear(entry.isIntersecting);
      },
      { rootMargin: `${marginPx}px` },
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className="gallery-frame" style={near ? undefined : { height }}>
      {near && <iframe width={width} src={src} title={title} />}
    </div>
  );
}

interface SectionProps {
  readonly screen: GalleryScreen;
  readonly filter: GalleryFilter;
  readonly open: boolean;
  readonly onToggle: (name: string, open: boolean) => void;
}

function ScreenSection({ screen, filter, open, onToggle }: SectionProps) {
  const { name, title, files, states, fixtures } = screen;
  const faulty = fixtures.filter(({ faults }) => faults.length > 0).length;
  return (
    <details
      className="gallery-screen"
      data-gallery-screen={name}
      open={open}
      onToggle={({ currentTarget }) => currentTarget.open !== open && onToggle(name, currentTarget.open)}
    >
      <summary>
        <h3>{title}</h3> <code>{name}</code> <span>{t('cases', { count: fixtures.length })}</span>
        {fixtures.length === 0 && <strong className="gallery-mark">{t('bare')}</strong>}
        {faulty > 0 && <strong className="gallery-mark">{t('faulty', { count: faulty })}</strong>}
      </summary>
      {open && (
        <>
          <p>
            {t('files')}{' '}
            {files.map((file) => (
              <code key={file}>{file}</code>
            ))}
          </p>
          {states.length > 0 && (
            <p>
              {t('states')}{' '}
              {states.map(({ name: state, description }) => (
                <span key={state}>
                  <a href={`${devPagePaths.flows}#${state}`}>{state}</a> {description}{' '}
                </span>
              ))}
            </p>
          )}
          {fixtures.length === 0 ? (
            <Drawings screen={name} fixture="" filter={filter} />
          ) : (
            fixtures.map((fixture) => <Case key={fixture.name} screen={name} fixture={fixture} filter={filter} />)
          )}
        </>
      )}
    </details>
  );
}

function Case({ screen, fixture, filter }: { screen: string; fixture: ScreenCaseEntry; filter: GalleryFilter }) {
  const { name, note, file, errors, faults } = fixture;
  const expected = Object.entries(errors);
  return (
    <article className="gallery-case" data-fixture={name}>
      <h4>
        <a href={buildGalleryQuery({ screen, fixture: name })}>{name}</a>
      </h4>
      <p>
        {note} <code>{file}</code>
      </p>
      {faults.map((fault) => (
        <p key={describeScreenCaseFault(fault)} className="gallery-mark">
          {describeScreenCaseFault(fault)}
        </p>
      ))}
      {expected.length > 0 && (
        <ul>
          {expected.map(([field, message]) => (
            <li key={field}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <Drawings screen={screen} fixture={name} filter={filter} />
    </article>
  );
}

function Drawings({ screen, fixture, filter }: { screen: string; fixture: string; filter: GalleryFilter }) {
  const shown = languages
    .filter((lang) => filter.lang === '' || lang === filter.lang)
    .flatMap((lang) =>
      previewWidths.filter((width) => filter.width === '' || width === filter.width).map((width) => ({ lang, width })),
    );
  return (
    <div className="gallery-drawings">
      {shown.map(({ lang, width }) => {
        const title = t('drawing', { language: t(lang), width });
        const address = `${devPagePaths.drawing}?${new URLSearchParams({ screen, fixture, lang })}`;
        return (
          <figure key={lang + width}>
            <figcaption>
              <a href={buildGalleryQuery({ screen, fixture, lang, width })}>{title}</a>{' '}
              <a href={address}>{t('alone')}</a>
            </figcaption>
            <PreviewFrame width={width} src={address} title={`${screen} ${fixture}: ${title}`} />
          </figure>
        );
      })}
    </div>
  );
}

export function ScreenGallery({ screens, problems }: Omit<Extract<DevPageData, { view: 'gallery' }>, 'view'>) {
  const [filter, setFilter] = useState(() => parseGalleryFilter(window.location.search));
  useEffect(() => window.history.replaceState(null, '', buildGalleryQuery(filter)), [filter]);
  const change = (part: Partial<GalleryFilter>): void => setFilter((before) => ({ ...before, ...part }));
  const shown = filterGalleryScreens(screens, filter);
  const open = new Set(shown.length === 1 ? shown.map(({ name }) => name) : filter.open);
  const toggle = (name: string, on: boolean): void =>
    change({ open: on ? [...new Set([...filter.open, name])] : filter.open.filter((other) => other !== name) });
  return (
    <main className="gallery">
      <DevViewHeader at="gallery" />
      <DefinitionProblems title={t('problems')} problems={problems} />
      <Filters filter={filter} change={change} />
      <div className="gallery-bar">
        <p role="status">{t('count', countCases(shown))}</p>
        {(filter.screen !== '' || filter.fixture !== '') && <a href={devPagePaths.gallery}>{t('all')}</a>}
        <button type="button" className="button" onClick={() => change({ open: shown.map(({ name }) => name) })}>
          {t('openAll')}
        </button>
        <button type="button" className="button" onClick={() => change({ open: [] })}>
          {t('closeAll')}
        </button>
      </div>
      {groupByArea(shown).map(({ area, items }) => (
        <section key={area}>
          <h2>{area ?? t('noArea')}</h2>
          {items.map((screen) => (
            <ScreenSection
              key={screen.name}
              screen={screen}
              filter={filter}
              open={open.has(screen.name)}
              onToggle={toggle}
            />
          ))}
        </section>
      ))}
    </main>
  );
}

function Filters({ filter, change }: { filter: GalleryFilter; change: (part: Partial<GalleryFilter>) => void }) {
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
      {(
        [
          ['lang', t('language'), languages.map((lang) => [lang, t(lang)])],
          ['width', t('width'), previewWidths.map((width) => [width, t('px', { width })])],
        ] as const
      ).map(([name, label, options]) => (
        <label key={name}>
          {label}{' '}
          <select value={filter[name]} onChange={({ target }) => change({ [name]: target.value })}>
            <option value="">{t('both')}</option>
            {options.map(([option, text]) => (
              <option key={option} value={option}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
      {(['errors', 'marked'] as const).map((name) => (
        <label key={name}>
          <input type="checkbox" checked={filter[name]} onChange={({ target }) => change({ [name]: target.checked })} />{' '}
          {t(name === 'errors' ? 'onlyErrors' : 'onlyMarked')}
        </label>
      ))}
    </form>
  );
}

function countCases(screens: readonly GalleryScreen[]): Readonly<Record<string, number>> {
  const fixtures = screens.flatMap((screen) => screen.fixtures);
  return {
    screens: screens.length,
    fixtures: fixtures.length,
    bare: screens.filter((screen) => screen.fixtures.length === 0).length,
    faulty: fixtures.filter(({ faults }) => faults.length > 0).length,
  };
}
