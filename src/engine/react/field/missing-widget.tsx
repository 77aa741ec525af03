import { useEffect, useRef, useState } from 'react';
import { useEngine } from '../engine-context.ts';
import type { Widget, WidgetProps } from '../widget.ts';

export function MissingWidget(props: WidgetProps) {
  const engine = useEngine();
  return <RetryPlaceholder {...props} onRetry={() => engine.reload()} />;
}

export function createRetryWidget(load: () => Promise<Widget>): Widget {
  return function LateWidget(props) {
    const [Loaded, setLoaded] = useState<{ readonly Widget: Widget } | null>(null);
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      // moves the focus from the removed button to the loaded control
      if (Loaded) place.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
    }, [Loaded]);
    const onRetry = (): void =>
      void load().then(
        (Widget) => setLoaded({ Widget }),
        () => undefined, // ignore the failure, because the button remains for another attempt
      );
    return (
      <div ref={place}>{Loaded ? <Loaded.Widget {...props} /> : <RetryPlaceholder {...props} onRetry={onRetry} />}</div>
    );
  };
}

function RetryPlaceholder({ id, label, onRetry }: WidgetProps & { readonly onRetry: () => void }) {
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
