import { useEffect, useId, useMemo, useState } from 'react';
import type { Answer } from '../../contract/contract.ts';
import { fillPath } from '../../engine/core/route.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { pages } from '../../contract/pages.ts';
import { Breadcrumb } from '../shell/breadcrumb.tsx';
import { LoadHint } from '../shell/load-hint.tsx';
import { usePortal } from '../portal-context.ts';
import { loadPart } from '../navigation/load-part.ts';
import type { openFaqSearch } from './open-faq-search.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { useFlowState } from '../navigation/use-flow.ts';
import { useStateSource } from '../navigation/use-state-source.ts';
import { useTitle } from '../shell/use-title.ts';

type Category = Answer<'getFaqs'>[number];

export default function FaqList({ runner }: BlockProps) {
  const { t } = usePortal();
  const source = useStateSource(runner);
  const searched = String(useFlowState(runner)?.context['busqueda'] ?? '');
  const title = t('faq.title');
  useTitle(title);
  if (source.state !== 'ready') return <LoadHint source={source} />;
  return (
    <Questions categories={source.data as readonly Category[]} searched={searched} runner={runner} title={title} />
  ); // response of the operation in the flow
}

interface QuestionsProps extends Pick<BlockProps, 'runner'> {
  readonly categories: readonly Category[];
  readonly searched: string;
  readonly title: string;
}

function Questions({ categories, searched, runner, title }: QuestionsProps) {
  const { t, page } = usePortal();
  const [open, setOpen] = useState<typeof openFaqSearch | null>(null);
  const isWanted = searched.trim() !== '';
  useEffect(() => {
    if (!isWanted) return;
    loadPart(() => import('./open-faq-search.ts')).then(
      (part) => setOpen(() => part.openFaqSearch),
      (error: unknown) => reportError(error),
    );
  }, [isWanted]);
  const search = useMemo(
    () =>
      open?.(
        categories.flatMap(({ faqs }) => faqs),
        page.language,
      ) ?? null,
    [open, categories, page.language],
  );
  const found = isWanted && search !== null ? search.find(searched) : null;
  return (
    <section className="content content-wide" aria-labelledby="faq-title">
      <Breadcrumb steps={[{ to: pages.home, text: t('home') }]} current={title} />
      <h1 id="faq-title" tabIndex={-1}>
        {title}
      </h1>
      <Search
        value={searched}
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
          {t('faq.unanswered')} <PortalLink to={pages.contact}>{t('faq.contact')}</PortalLink>
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

/** Id of the search field. The same in the prerendered page, so that the portal can restore the input. */
const searchId = 'buscar';

function Search({ value, count: found, onSearch }: SearchProps) {
  const { t, prerendering } = usePortal();
  return (
    <form role="search" className="faq-search" onSubmit={(event) => event.preventDefault()}>
      <label htmlFor={searchId}>{t('faq.search')}</label>
      <div>
        <svg viewBox="0 0 20 20" width={20} height={20} aria-hidden="true">
          <path d="m13 13 5 5M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0" />
        </svg>
        <input
          id={searchId}
          type="search"
          autoComplete="off"
          placeholder={t('faq.example')}
          maxLength={100}
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
            <PortalLink to={fillPath(pages.question, { slug })}>{titulo}</PortalLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
