import { useId, useMemo } from 'react';
import searchWords from '../../brand/search.json' with { type: 'json' };
import type { Answer } from '../../contract/contract.ts';
import { fillPath } from '../../engine/core/route.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { pages } from '../../contract/pages.ts';
import { Breadcrumb } from '../shell/breadcrumb.tsx';
import { LoadHint } from '../shell/load-hint.tsx';
import { usePortal } from '../portal-context.ts';
import { questionSearch, type SearchWords } from './faq-search.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { useFlowState } from '../navigation/use-flow.ts';
import { useStateSource } from '../navigation/use-state-source.ts';
import { useTitle } from '../shell/use-title.ts';

type Category = Answer<'getFaqs'>[number];

/** The frequent questions by category, which go to the left and the right column by turns, with a search that follows the typing. The flow keeps what was searched. */
export function Block({ runner }: BlockProps) {
  const { t } = usePortal();
  const source = useStateSource(runner);
  const searched = String(useFlowState(runner)?.context['busqueda'] ?? '');
  const title = t('faq.title');
  useTitle(title);
  if (source.state !== 'ready') return <LoadHint source={source} />;
  return (
    <Questions categories={source.data as readonly Category[]} searched={searched} runner={runner} title={title} />
  ); // the answer of the operation that the flow names
}

interface QuestionsProps extends Pick<BlockProps, 'runner'> {
  readonly categories: readonly Category[];
  readonly searched: string;
  readonly title: string;
}

function Questions({ categories, searched, runner, title }: QuestionsProps) {
  const { t, page } = usePortal();
  const words = wordsOf(page.language);
  const all = useMemo(() => categories.flatMap(({ faqs }) => faqs), [categories]);
  const search = useMemo(() => questionSearch(all, words), [all, words]);
  const isSearched = searched.trim() !== '';
  const found = isSearched ? search(searched) : all;
  const suggested = words.suggested.flatMap((slug) => all.find((faq) => faq.slug === slug) ?? []);
  return (
    <section className="content content-wide" aria-labelledby="faq-title">
      <Breadcrumb steps={[{ to: pages.home, text: t('home') }]} current={title} />
      <h1 id="faq-title" tabIndex={-1}>
        {title}
      </h1>
      <Search
        value={searched}
        count={found.length}
        onSearch={(busqueda) => void runner.raise('search', { busqueda })}
      />
      {isSearched ? (
        <Panel name={t(found.length > 0 ? 'faq.found' : 'faq.suggested')} faqs={found.length > 0 ? found : suggested} />
      ) : (
        <div className="faq-columns">
          {categories.map(({ nombre, faqs }) => (
            <Panel key={nombre} name={nombre} faqs={faqs} />
          ))}
        </div>
      )}
      <aside className="faq-footer" aria-label={t('faq.more')}>
        <p>
          {t('faq.unanswered')} <PortalLink to={pages.contact}>{t('faq.contact')}</PortalLink>
        </p>
      </aside>
    </section>
  );
}

const nothing: SearchWords = { same: [], asked: {}, ignored: [], suggested: [] };

function wordsOf(language: string): SearchWords {
  const { $comment: _comment, ...languages } = searchWords;
  return (languages as Readonly<Record<string, SearchWords>>)[language] ?? nothing;
}

interface SearchProps {
  readonly value: string;
  readonly count: number;
  readonly onSearch: (text: string) => void;
}

function Search({ value, count: found, onSearch }: SearchProps) {
  const { t, prerendering } = usePortal();
  const id = useId();
  return (
    <form role="search" className="faq-search" onSubmit={(event) => event.preventDefault()}>
      <label htmlFor={id}>{t('faq.search')}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        maxLength={100}
        value={value}
        disabled={prerendering}
        onChange={({ target }) => onSearch(target.value)}
      />
      <p role="status">{value.trim() !== '' && resultText(found, t)}</p>
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
      <ul className="faq-questions">
        {faqs.map(({ slug, titulo }) => (
          <li key={slug}>
            <PortalLink to={fillPath(pages.question, { slug })}>{titulo}</PortalLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
