import { useEffect, useRef, useState } from 'react';
import { useEngine } from '../engine-context.ts';
import type { Widget, WidgetProps } from '../widget.ts';

/** Stands in for a widget that could not be loaded, with a button to load the page anew: the rest of the form still serves. */
export function MissingWidget(props: WidgetProps) {
  const engine = useEngine();
  return <Missing {...props} onRetry={() => engine.reload()} />;
}

/** A widget whose module was lost: a button loads it again in its place. */
export function lateWidget(load: () => Promise<Widget>): Widget {
  return function LateWidget(props) {
    const [Loaded, setLoaded] = useState<{ readonly Widget: Widget } | null>(null);
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      // The button, which had the focus, is gone.
      if (Loaded) place.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
    }, [Loaded]);
    const onRetry = (): void =>
      void load().then(
        (Widget) => setLoaded({ Widget }),
        () => undefined, // the button stays
      );
    return <div ref={place}>{Loaded ? <Loaded.Widget {...props} /> : <Missing {...props} onRetry={onRetry} />}</div>;
  };
}

function Missing({ id, label, onRetry }: WidgetProps & { readonly onRetry: () => void }) {
  const { t } = useEngine();
  return (
    <p id={id} role="alert">
      {label}: {t('offline')}{' '}
      <button type="button" className="link-button" onClick={onRetry}>
        {t('retry')}
      </button>
    </p>
  );
}
