import { FluentProvider, webDarkTheme, webLightTheme } from '@fluentui/react-components';
import { useSyncExternalStore, type ReactNode } from 'react';
import { omitStylesheetTokens } from '../../engine/fluent/fluent-page-root.tsx';
import { createFluentRoot, createPageStyleRenderer } from '../../engine/fluent/fluent-root.tsx';
import { readCspNonce } from '../../portal/navigation/read-page-data.ts';
import './studio-fluent-provider.css';

const Root = createFluentRoot(createPageStyleRenderer(readCspNonce()));
const themes = { light: omitStylesheetTokens(webLightTheme), dark: omitStylesheetTokens(webDarkTheme) };
const darkPreference = matchMedia('(prefers-color-scheme: dark)');

export function StudioFluentProvider({ children }: { readonly children: ReactNode }) {
  const isDark = useSyncExternalStore(subscribeToPreference, () => darkPreference.matches);
  return (
    <Root>
      <FluentProvider theme={isDark ? themes.dark : themes.light} className="fluent">
        {children}
      </FluentProvider>
    </Root>
  );
}

function subscribeToPreference(changed: () => void): () => void {
  darkPreference.addEventListener('change', changed);
  return () => darkPreference.removeEventListener('change', changed);
}
