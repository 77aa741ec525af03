import type { ComponentType } from 'react';
import { Screen, type ScreenProps } from '../react/flow/screen-view.tsx';
import { fluentRoot } from './fluent-root.tsx';
import { fluentTheme } from './theme.ts';

/** The renderer of screens under Fluent; options as of `fluentRoot`. */
export function fluentScreen(options: Parameters<typeof fluentRoot>[0]): ComponentType<ScreenProps> {
  const Root = fluentRoot(options);
  return function FluentScreen(props) {
    return (
      <Root>
        <Screen {...props} theme={fluentTheme} />
      </Root>
    );
  };
}
