import type { Widget, WidgetProps } from './widget.ts';

/**
 * Wraps a widget with several native controls in a group with the field's accessible name, because the label of the field only names a single
 * control.
 */
export function withAccessibleGroupName(Choices: Widget): Widget {
  return function NamedGroup(props: WidgetProps) {
    return (
      <div role="group" aria-label={props.label} aria-describedby={props['aria-describedby']}>
        <Choices {...props} />
      </div>
    );
  };
}
