import { useEffect, useState, type ComponentType, type FunctionComponent } from 'react';

export interface LazyComponent<Props> extends FunctionComponent<Props> {
  /** Preloads the component, so that it renders immediately. Rejects if the component cannot be loaded. The next call retries. */
  readonly load: () => Promise<unknown>;
}

/**
 * Like `lazy`, but without Suspense, because React delays content by 300 ms after a fallback, even if the module is already loaded
 * (https://github.com/react/react/issues/31819). Renders `Placeholder` until the module has loaded. A loading error is thrown during rendering, and
 * the next mount retries.
 */
export function lazyComponent<Props extends object>(
  loadComponent: () => Promise<ComponentType<Props>>,
  Placeholder: ComponentType<Props> = Nothing,
): LazyComponent<Props> {
  let loaded: { readonly Component: ComponentType<Props> } | null = null;
  let loading: Promise<void> | null = null;
  const load = (): Promise<void> => {
    loading ??= loadComponent().then(
      (Component) => void (loaded = { Component }),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  function LazyPart(props: Props) {
    const [drawn, setDrawn] = useState(loaded);
    useEffect(() => {
      if (drawn) return;
      let isMounted = true;
      load().then(
        () => isMounted && setDrawn(loaded),
        (error: unknown) =>
          isMounted &&
          setDrawn(() => {
            throw error; // thrown during rendering, because error boundaries only catch rendering errors
          }),
      );
      return () => void (isMounted = false);
    }, [drawn]);
    return drawn ? <drawn.Component {...props} /> : <Placeholder {...props} />;
  }
  return Object.assign(LazyPart, { load });
}

function Nothing(): null {
  return null;
}
