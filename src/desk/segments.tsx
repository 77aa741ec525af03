import { ToggleButton } from '@fluentui/react-components';

interface SegmentsProps<Name extends string> {
  readonly label: string;
  readonly choices: readonly (readonly [name: Name, text: string])[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

/** Group of toggle buttons. Fluent's TabList and Toolbar contain hidden focusable elements, which axe reports. */
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
