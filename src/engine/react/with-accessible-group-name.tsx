import type { Widget, WidgetProps } from './widget.ts';

/** Adds the accessible name of the field to a widget of several native controls, whose frame has a label for a single control. */
export function withAccessibleGroupName(Choices: Widget): Widget {
  return function NamedGroup(props: WidgetProps) {
    return (
      <div role="group" aria-label={props.label} aria-describedby={props['aria-describedby']}>
        <Choices {...props} />
      </div>
    );
  };
}
