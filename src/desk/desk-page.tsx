import type { ReactNode, Ref } from 'react';
import type { FlowRunner } from '../engine/runtime/flow-runner.ts';
import { FlowNotice } from '../portal/shell/block-page.tsx';
import { useTitle } from '../portal/shell/use-title.ts';

interface DeskPageProps {
  readonly title: string;
  /** Title of the document, if it differs from that of the page. */
  readonly documentTitle?: string;
  readonly runner?: FlowRunner;
  /** Controls of the whole page, beside the heading. */
  readonly bar?: ReactNode;
  readonly children: ReactNode;
}

/** Page of the desk under its heading, with the notice of its flow. */
export function DeskPage({ title, documentTitle = title, runner, bar, children }: DeskPageProps) {
  useTitle(documentTitle);
  return (
    <section className="desk-section" aria-labelledby="desk-title">
      <div className="desk-bar">
        <h1 id="desk-title" tabIndex={-1}>
          {title}
        </h1>
        {bar}
      </div>
      {runner && <FlowNotice runner={runner} />}
      {children}
    </section>
  );
}

interface DeskTableProps {
  readonly label: string;
  readonly headings: readonly string[];
  readonly listRef?: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

/** A table that scrolls sideways where the page is narrow. */
export function DeskTable({ label, headings, listRef, children }: DeskTableProps) {
  return (
    <div className="desk-table" role="region" aria-label={label} tabIndex={0} ref={listRef}>
      <table>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
