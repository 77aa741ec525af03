import { useEngine } from './engine-context.ts';
import type { Source } from './widget.ts';

type Params = Readonly<Record<string, string>>;

/** Under a list whose choices could not be loaded: why it is empty, and the way to try again. */
export function SourceFailure({ call, params, source }: { call: string; params?: Params; source: Source }) {
  const engine = useEngine();
  if (source.state !== 'failed') return null;
  return (
    <p role="alert" className="form-help">
      {engine.t('offline')}{' '}
      <button type="button" className="link-button" onClick={() => engine.retry(call, params)}>
        {engine.t('retry')}
      </button>
    </p>
  );
}
