import { FluentProvider, webLightTheme, type Theme } from '@fluentui/react-components';
import { createFluentRoot, createPageStyleRenderer, type FluentRoot } from './fluent-root.tsx';

/** Returns the root of a page that uses more of Fluent than inputs, e.g. tables, dialogs and charts. */
export function createFluentPageRoot(nonce: string | undefined): FluentRoot {
  const Root = createFluentRoot(createPageStyleRenderer(nonce));
  const theme = omitStylesheetTokens(webLightTheme);
  return function FluentPage({ children }) {
    return (
      <Root>
        <FluentProvider theme={theme} className="fluent">
          {children}
        </FluentProvider>
      </Root>
    );
  };
}

/** Returns a theme of Fluent without the tokens that the page's stylesheets define. */
export function omitStylesheetTokens(theme: Theme): Partial<Theme> {
  const page = getComputedStyle(document.documentElement);
  return Object.fromEntries(Object.entries(theme).filter(([name]) => page.getPropertyValue(`--${name}`) === ''));
}
