import { lazyComponent } from '../react/late.tsx';
import type { WidgetProps } from '../react/widget.ts';

/** A day, an hour, or both; a page without one does without. */
export const MomentWidget = lazyComponent<WidgetProps>(async () => (await import('./moment-widget.tsx')).MomentWidget);
