import { useId } from 'react';
import type { Answer } from '../../contract/contract.ts';
import { foldText } from '../../contract/fold-text.ts';
import { fillPath } from '../../engine/core/route.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { pages } from '../../contract/pages.ts';
import { Breadcrumb } from '../shell/breadcrumb.tsx';
import { LoadHint } from '../shell/load-hint.tsx';
import { usePortal } from '../portal-context.ts';
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
  const found = search(source.data as readonly Category[], searched); // the answer of the operation that the flow names
  return (
    <section className="content content-wide" aria-labelledby="faq-title">
      <Breadcrumb steps={[{ to: pages.home, text: t('home') }]} current={title} />
      <h1 id="faq-title" tabIndex={-1}>
        {title}
      </h1>
      <Search
        value={searched}
        count={count(found)}
        onSearch={(busqueda) => void runner.raise('search', { busqueda })}
      />
      {found.length > 0 && (
        <div className="faq-columns">
          {found.map((category) => (
            <Questions key={category.nombre} category={category} />
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

function Questions({ category: { nombre, faqs } }: { category: Category }) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{nombre}</h2>
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

/** The questions that hold every word, in title or answer, whatever its accents and case. */
function search(categories: readonly Category[], searched: string): readonly Category[] {
  const words = foldText(searched)
    .split(/\s+/)
    .filter((word) => word !== '');
  const holds = ({ titulo, respuesta }: Category['faqs'][number]): boolean => {
    const text = foldText(`${titulo} ${respuesta}`);
    return words.every((word) => text.includes(word));
  };
  return categories
    .map(({ nombre, faqs }) => ({ nombre, faqs: faqs.filter(holds) }))
    .filter(({ faqs }) => faqs.length > 0);
}

function count(categories: readonly Category[]): number {
  return categories.reduce((sum, { faqs }) => sum + faqs.length, 0);
}
