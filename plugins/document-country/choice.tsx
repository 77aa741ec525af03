import type { ControlAttributes } from '../../src/engine/react/widget.ts';

interface Choice {
  readonly code: string;
  readonly name: string;
}

/** A native select in the style of the engine. The first option is empty. */
export function ChoiceSelect({
  control,
  choices,
  value,
  empty,
  disabled,
  onChoose,
  onLeave,
}: {
  control: ControlAttributes;
  choices: readonly Choice[];
  value: unknown;
  empty: string;
  disabled: boolean;
  onChoose: (code: string) => void;
  onLeave: () => void;
}) {
  const { readOnly, placeholder, disabled: closed, ...attributes } = control; // a select has neither `readOnly` nor `placeholder`
  const chosen = choices.some(({ code }) => code === value) ? String(value) : '';
  return (
    <select
      {...attributes}
      className="form-select"
      disabled={closed || readOnly || disabled}
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
      onBlur={onLeave}
    >
      <option value="">{placeholder ?? empty}</option>
      {choices.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
