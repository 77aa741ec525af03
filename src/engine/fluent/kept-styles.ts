import { createDOMRenderer, renderToStyleElements } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import type { StyleRenderer } from './fluent-root.tsx';

/** Styles of what is drawn where there is no page to write them into. */
export interface KeptStyles {
  readonly styles: StyleRenderer;
  /** The style elements, once all is drawn. */
  readonly elements: () => readonly ReactElement[];
}

/** Keeps them for style elements with a nonce. */
export function keptStyles(nonce: string): KeptStyles {
  const styles = createDOMRenderer(undefined, { styleElementAttributes: { nonce } });
  return { styles, elements: () => renderToStyleElements(styles) };
}
