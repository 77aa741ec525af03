import { useId } from 'react';
import { cutCalls, saySubject, subjectOf, whoseNames, type CallCut, type ListedCall } from './call-cut.ts';
import { deskText } from './texts.ts';

interface CallCutsProps {
  /** All that could be shown. */
  readonly calls: readonly ListedCall[];
  readonly cut: CallCut;
  readonly onCut: (cut: CallCut) => void;
}

/** Whose calls are shown, in which state, and about what. */
export function CallCuts({ calls, cut, onCut }: CallCutsProps) {
  return (
    <fieldset className="desk-cuts">
      <legend>{deskText('day.show')}</legend>
      {whoseNames.map((whose) => (
        <label key={whose}>
          <input type="radio" name="cut" checked={cut.whose === whose} onChange={() => onCut({ ...cut, whose })} />{' '}
          {deskText(`day.${whose}`)} ({cutCalls(calls, { ...cut, whose }).length})
        </label>
      ))}
      <Choice
        label={deskText('day.state')}
        value={cut.state}
        values={calls.map(({ estado }) => estado)}
        onChoose={(state) => onCut({ ...cut, state })}
      />
      <Choice
        label={deskText('call.subject')}
        value={cut.subject}
        values={calls.map(subjectOf)}
        nameOf={saySubject}
        onChoose={(subject) => onCut({ ...cut, subject })}
      />
    </fieldset>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly nameOf?: (value: string) => string;
  readonly onChoose: (value: string) => void;
}

/** One of the values that the calls have, or any; what is chosen stays to be seen where no call has it any more. */
function Choice({ label, value, values, nameOf = (name) => name, onChoose }: ChoiceProps) {
  const id = useId();
  const known = [...new Set(value === '' ? values : [...values, value])].sort((a, b) =>
    nameOf(a).localeCompare(nameOf(b)),
  );
  return (
    <span>
      <label htmlFor={id}>{label}</label>{' '}
      <select id={id} value={value} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{deskText('day.any')}</option>
        {known.map((name) => (
          <option key={name} value={name}>
            {nameOf(name)}
          </option>
        ))}
      </select>
    </span>
  );
}
