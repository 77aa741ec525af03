import { createDOMRenderer, RendererProvider, renderToStyleElements } from '@fluentui/react-components';
import type { ComponentType, ReactNode } from 'react';
import './fluent.css';

export type StyleRenderer = ReturnType<typeof createDOMRenderer>;

export type FluentRoot = ComponentType<{ readonly children: ReactNode }>;

export function createPageStyleRenderer(nonce: string | undefined): StyleRenderer {
  return createDOMRenderer(document, { styleElementAttributes: nonce ? { nonce } : {} });
}

/** Creates the root for Fluent's inputs. A stylesheet defines their tokens, because Fluent's theme is 9 KB. */
export function createFluentRoot(styles: StyleRenderer): FluentRoot {
  return function Root({ children }) {
    return (
      <RendererProvider renderer={styles}>
        <div className="fluent">{children}</div>
      </RendererProvider>
    );
  };
}

/** Styles collected while a page is rendered to text. Call `elements` after rendering. */
export function createStyleCollector(nonce: string) {
  const styles = createDOMRenderer(undefined, { styleElementAttributes: { nonce } });
  return { styles, elements: () => renderToStyleElements(styles) };
}
