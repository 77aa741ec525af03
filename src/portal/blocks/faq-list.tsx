import { useEffect, useId, useMemo, useState } from 'react';
import type { OperationResponse } from '../../contract/contract.ts';
import { fillPathParameters } from '../../engine/core/route.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { pagePaths } from '../../contract/page-paths.ts';
import { Breadcrumb } from '../shell/breadcrumb.tsx';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { SearchIcon } from '../shell/search-form.tsx';
import { SourceLoadStatus } from '../shell/source-load-status.tsx';
import { usePortal } from '../portal-context.ts';
import { loadModuleWithRetry } from '../navigation/load-module.ts';
import type { createFaqSearch } from './faq-search.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { useFlowState } from '../navigation/use-flow-runner.ts';
import { useBlockData } from '../navigation/use-block-data.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';

type Category = OperationResponse<'getFaqs'>[number];

interface FaqListProps extends FlowBlockProps {
  /** Function that creates the search. Present if its module has already loaded. */
  readonly openSearch?: typeof createFaqSearch;
}

const maxLetters = 100;

export default function FaqList({ runner, openSearch }: FaqListProps) {
  const { t } = usePortal();
  const source = useBlockData(runner);
  const searched = String(useFlowState(runner)?.context['busqueda'] ?? '').slice(0, maxLetters);
  const isWanted = searched.trim() !== '';
  const [isLinked] = useState(isWanted);
  const [open, setOpen] = useState<typeof createFaqSearch | 'failed' | null>(() => openSearch ?? null);
  useEffect(() => {
    if (!isWanted) return;
    // loaded at the first search, because most visitors do not search
    loadModuleWithRetry(() => import('./faq-search.ts')).then(
      (part) => setOpen(() => part.createFaqSearch),
      (error: unknown) => {
        setOpen('failed');
        reportError(error);
      },
    );
  }, [isWanted]);
  const title = t('faq.title');
  useDocumentTitle(title);
  if (source.state !== 'ready') return <SourceLoadStatus source={source} />;
  if (isLinked && open === null) return <LoadingPlaceholder text={t('loading')} />; // until the search has loaded, this placeholder leaves the prerendered results visible
  return (
    <Questions
      categories={source.data as readonly Category[]} // `data` is untyped; it is the response of `getFaqs`
      open={open === 'failed' ? null : open}
      searched={isWanted ? searched : null}
      runner={runner}
      title={title}
    />
  );
}

interface QuestionsProps extends Pick<FlowBlockProps, 'runner'> {
  readonly categories: readonly Category[];
  readonly open: typeof createFaqSearch | null;
  /** Search text. `null` if the visitor is not searching. */
  readonly searched: string | null;
  readonly title: string;
}

function Questions({ categories, open, searched, runner, title }: QuestionsProps) {
  const { t, page } = usePortal();
  const search = useMemo(
    () =>
      open?.(
        categories.flatMap(({ faqs }) => faqs),
        page.language,
      ) ?? null,
    [open, categories, page.language],
  );
  const found = searched !== null && search !== null ? search.find(searched) : null;
  return (
    <section className="content content-wide" aria-labelledby="faq-title">
      <Breadcrumb steps={[{ to: pagePaths.home, text: t('home') }]} current={title} />
      <h1 id="faq-title" tabIndex={-1}>
        {title}
      </h1>
      <Search
        value={searched ?? ''}
        count={found?.length ?? null}
        onSearch={(busqueda) => void runner.raise('search', { busqueda })}
      />
      {found !== null ? (
        <Panel
          name={t(found.length > 0 ? 'faq.found' : 'faq.suggested')}
          faqs={found.length > 0 ? found : (search?.suggested ?? [])}
        />
      ) : (
        <div className="faq-columns">
          {categories.map(({ nombre, faqs }) => (
            <Panel key={nombre} name={nombre} faqs={faqs} />
          ))}
        </div>
      )}
      <aside className="faq-footer" aria-label={t('faq.more')}>
        <p>
          {t('faq.unanswered')} <PortalLink to={pagePaths.contact}>{t('faq.contact')}</PortalLink>
        </p>
      </aside>
    </section>
  );
}

interface SearchProps {
  readonly value: string;
  readonly count: number | null;
  readonly onSearch: (text: string) => void;
}

/** Id of the search field. The prerendered page has the same id, so that the portal can restore the input. */
const searchId = 'buscar';

function Search({ value, count: found, onSearch }: SearchProps) {
  const { t, isPrerendering: prerendering } = usePortal();
  return (
    <form role="search" className="search-field faq-search" onSubmit={(event) => event.preventDefault()}>
      <label htmlFor={searchId}>{t('faq.search')}</label>
      <div>
        <SearchIcon />
        <input
          id={searchId}
          type="search"
          autoComplete="off"
          placeholder={t('faq.example')}
          maxLength={maxLetters}
          value={value}
          disabled={prerendering}
          onChange={({ target }) => onSearch(target.value)}
        />
      </div>
      <p role="status">{found !== null && resultText(found, t)}</p>
    </form>
  );
}

function resultText(found: number, t: ReturnType<typeof usePortal>['t']): string {
  if (found === 0) return t('faq.none');
  return found === 1 ? t('faq.one') : t('faq.some', { count: found });
}

function Panel({ name, faqs }: { name: string; faqs: readonly Category['faqs'][number][] }) {
  const id = useId();
  if (faqs.length === 0) return null;
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <ul className="rows">
        {faqs.map(({ slug, titulo }) => (
          <li key={slug}>
            <PortalLink to={fillPathParameters(pagePaths.question, { slug })}>{titulo}</PortalLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
