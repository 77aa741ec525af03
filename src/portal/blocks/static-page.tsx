import type { Answer } from '../../contract/contract.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { pages } from '../../contract/pages.ts';
import { Breadcrumb } from '../shell/breadcrumb.tsx';
import { LoadHint } from '../shell/load-hint.tsx';
import { listHeadings, Markdown } from '../shell/markdown.tsx';
import { usePortal } from '../portal-context.ts';
import { useBlockData } from '../navigation/use-block-data.ts';
import { useTitle } from '../shell/use-title.ts';

/** Maximum number of sections of a page without a table of contents. */
const maxSectionsWithoutContents = 5;

export default function StaticPage({ runner }: BlockProps) {
  const { t } = usePortal();
  const source = useBlockData(runner);
  const page = source.state === 'ready' ? (source.data as Answer<'getStaticPage'>) : null; // `data` is untyped; it is the response of `getStaticPage`
  const title = page?.titulo ?? '';
  useTitle(title);
  if (!page) return <LoadHint source={source} />;
  const { resumen, contenido, disposicion, actualizada } = page;
  return (
    <article className={disposicion === 'metodos' ? 'content content-wide' : 'content'} aria-labelledby="page-title">
      <Breadcrumb steps={[{ to: pages.home, text: t('home') }]} current={title} />
      <h1 id="page-title" tabIndex={-1}>
        {title}
      </h1>
      {resumen !== null && <p className="content-summary">{resumen}</p>}
      {disposicion === 'metodos' ? <Methods text={contenido} /> : <Card text={contenido} />}
      {actualizada !== null && (
        <p className="content-updated">{t('page.updated', { date: actualizada.split('-').reverse().join('/') })}</p>
      )}
    </article>
  );
}

function Card({ text }: { text: string }) {
  const { t } = usePortal();
  const headings = listHeadings(text);
  return (
    <div className="content-card">
      {headings.length > maxSectionsWithoutContents && (
        <nav className="contents" aria-labelledby="page-contents">
          <h2 id="page-contents">{t('page.contents')}</h2>
          <ol>
            {headings.map(({ text: heading, anchor }) => (
              <li key={anchor}>
                <a href={`#${anchor}`}>{heading}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <Markdown>{text}</Markdown>
    </div>
  );
}

function Methods({ text }: { text: string }) {
  const [intro = '', ...parts] = text.split(/^(?=## )/m);
  return (
    <>
      {intro.trim() !== '' && <Markdown>{intro}</Markdown>}
      <ul className="method-cards">
        {parts.map((part) => (
          <li key={part.slice(0, 80)} className="panel">
            <Markdown>{part}</Markdown>
          </li>
        ))}
      </ul>
    </>
  );
}
