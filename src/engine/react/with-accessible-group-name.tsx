import type { Widget, WidgetProps } from './widget.ts';

/** The label of a field only names a single control, so this names a group of native controls. */
export function withAccessibleGroupName(Choices: Widget): Widget {
  return function NamedGroup(props: WidgetProps) {
    return (
      <div role="group" aria-label={props.label} aria-describedby={props['aria-describedby']}>
        <Choices {...props} />
      </div>
    );
  };
}
