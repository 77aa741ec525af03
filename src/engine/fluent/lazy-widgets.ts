import { lazyComponent } from '../react/lazy-component.tsx';
import type { WidgetProps } from '../react/widget.ts';

/** A date, a time, or both. Loaded when it is first drawn. */
export const MomentWidget = lazyComponent<WidgetProps>(async () => (await import('./moment-widget.tsx')).MomentWidget);
