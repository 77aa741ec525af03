import { ToggleButton } from '@fluentui/react-components';

interface SegmentsProps<Name extends string> {
  readonly label: string;
  readonly choices: readonly (readonly [name: Name, text: string])[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

/** Buttons of which one is pressed. Fluent's TabList and Toolbar bring hidden elements that take the focus, which axe refuses. */
export function Segments<Name extends string>({ label, choices, chosen, onChoose }: SegmentsProps<Name>) {
  return (
    <div className="desk-segments" role="group" aria-label={label}>
      {choices.map(([name, text]) => (
        <ToggleButton key={name} appearance="subtle" checked={name === chosen} onClick={() => onChoose(name)}>
          {text}
        </ToggleButton>
      ))}
    </div>
  );
}
