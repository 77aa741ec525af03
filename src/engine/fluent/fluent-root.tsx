import { createDOMRenderer, RendererProvider, renderToStyleElements } from '@fluentui/react-components';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import './fluent.css';

/** Writes the styles of what is drawn. */
export type StyleRenderer = ReturnType<typeof createDOMRenderer>;

/** What is drawn in it. */
export type FluentRoot = ComponentType<{ readonly children: ReactNode }>;

/** Writes into the page that is open, by the nonce of its Content-Security-Policy. */
export function pageStyles(nonce: string | undefined): StyleRenderer {
  return createDOMRenderer(document, { styleElementAttributes: nonce ? { nonce } : {} });
}

/** What Fluent's inputs are drawn in. Their tokens stand in a stylesheet, since Fluent's theme is 9 KB. */
export function fluentRoot(styles: StyleRenderer): FluentRoot {
  return function Root({ children }) {
    return (
      <RendererProvider renderer={styles}>
        <div className="fluent">{children}</div>
      </RendererProvider>
    );
  };
}

/** Styles of a page that is rendered to text, and their elements once it is. */
export interface KeptStyles {
  readonly styles: StyleRenderer;
  readonly elements: () => readonly ReactElement[];
}

export function keptStyles(nonce: string): KeptStyles {
  const styles = createDOMRenderer(undefined, { styleElementAttributes: { nonce } });
  return { styles, elements: () => renderToStyleElements(styles) };
}
