import { FluentProvider, webLightTheme, type Theme } from '@fluentui/react-components';
import { fluentRoot, pageStyles, type FluentRoot } from './fluent-root.tsx';

/** A page drawn with all of Fluent, as tables, dialogs and charts are. */
export function fluentPage(nonce: string | undefined): FluentRoot {
  const Root = fluentRoot(pageStyles(nonce));
  const theme = remainingTokens();
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

/** Fluent's theme without the tokens that the page's stylesheets give. */
function remainingTokens(): Partial<Theme> {
  const page = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    Object.entries(webLightTheme).filter(([name]) => page.getPropertyValue(`--${name}`) === ''),
  );
}
