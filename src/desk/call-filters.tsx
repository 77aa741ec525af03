import { Select, useId, ToggleButton } from '@fluentui/react-components';
import { deskText, deskName } from './texts.ts';
import type { Answer } from '../contract/contract.ts';

export type ListedCall = Answer<'getDeskDay'>['llamadas'][number];

const whose = {
  open: ({ terminada }: ListedCall) => !terminada,
  mine: ({ mia }: ListedCall) => mia,
  free: ({ agente, terminada }: ListedCall) => agente === null && !terminada,
  late: ({ atrasada }: ListedCall) => atrasada,
  all: () => true,
} as const;
type Whose = keyof typeof whose;
const whoseNames = Object.keys(whose) as readonly Whose[]; // keys of a constant

/** Filter of a list of calls. An empty state, subject or agent matches all. */
interface CallCut {
  readonly whose: Whose;
  readonly agent: string;
  readonly state: string;
  readonly subject: string;
}

export const unfiltered: CallCut = { whose: 'all', agent: '', state: '', subject: '' };
export const openCalls: CallCut = { ...unfiltered, whose: 'open' };

export interface DayFilters {
  readonly date: string;
  readonly cut: CallCut;
}

/** Reads the day and its filters from the query of the address. */
export function readDayFilters(search: string, today: string): DayFilters {
  const query = new URLSearchParams(search);
  const read = (name: string, otherwise: string) => query.get(name) ?? otherwise;
  const date = read('dia', today);
  return {
    date: /^\d{4}-\d\d-\d\d$/.test(date) ? date : today,
    cut: {
      whose: whoseNames.find((name) => name === query.get('mostrar')) ?? openCalls.whose,
      agent: read('agente', ''),
      state: read('estado', ''),
      subject: read('asunto', ''),
    },
  };
}

/** Returns the query of the address. Leaves out what is as the page opens. */
export function writeDayFilters({ date, cut }: DayFilters, today: string): string {
  const query = new URLSearchParams({
    ...(date !== today && { dia: date }),
    ...(cut.whose !== openCalls.whose && { mostrar: cut.whose }),
    ...(cut.agent !== '' && { agente: cut.agent }),
    ...(cut.state !== '' && { estado: cut.state }),
    ...(cut.subject !== '' && { asunto: cut.subject }),
  });
  return query.size === 0 ? '' : `?${query}`;
}

function getSubject({ asunto, tipo }: Pick<ListedCall, 'asunto' | 'tipo'>): string {
  return asunto === '' ? tipo : asunto;
}

export function saySubject(subject: string): string {
  const kind = deskName('kind', subject);
  return kind === subject ? deskName('subject', subject) : kind;
}

export function filterCalls(calls: readonly ListedCall[], cut: CallCut): readonly ListedCall[] {
  return calls
    .filter(whose[cut.whose])
    .filter(({ agente }) => cut.agent === '' || agente?.nombre === cut.agent)
    .filter(({ estado }) => cut.state === '' || estado === cut.state)
    .filter((call) => cut.subject === '' || getSubject(call) === cut.subject);
}

interface CallFiltersProps {
  readonly calls: readonly ListedCall[];
  readonly cut: CallCut;
  readonly onCut: (cut: CallCut) => void;
}

export function CallFilters({ calls, cut, onCut }: CallFiltersProps) {
  return (
    <div className="desk-bar">
      <Segments
        label={deskText('day.show')}
        choices={whoseNames.map((whose) => {
          const count = filterCalls(calls, { ...cut, whose }).length;
          return [whose, `${deskText(`day.${whose}`)} (${count})`] as const;
        })}
        chosen={cut.whose}
        onChoose={(whose) => onCut({ ...cut, whose })}
      />
      <Choice
        label={deskText('day.agent')}
        value={cut.agent}
        values={calls.flatMap(({ agente }) => agente?.nombre ?? [])}
        onChoose={(agent) => onCut({ ...cut, agent })}
      />
      <Choice
        label={deskText('day.state')}
        value={cut.state}
        values={calls.map(({ estado }) => estado)}
        onChoose={(state) => onCut({ ...cut, state })}
      />
      <Choice
        label={deskText('call.subject')}
        value={cut.subject}
        values={calls.map(getSubject)}
        nameOf={saySubject}
        onChoose={(subject) => onCut({ ...cut, subject })}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly nameOf?: (value: string) => string;
  readonly onChoose: (value: string) => void;
}

/** Select of the values that occur. The selected value stays in the list even if no call has it any more. */
function Choice({ label, value, values, nameOf = (name) => name, onChoose }: ChoiceProps) {
  const id = useId();
  const known = [...new Set(value === '' ? values : [...values, value])].sort((a, b) =>
    nameOf(a).localeCompare(nameOf(b)),
  );
  return (
    <span className="desk-bar">
      <label htmlFor={id}>{label}</label>
      <Select id={id} size="small" value={value} onChange={(_, { value: chosen }) => onChoose(chosen)}>
        <option value="">{deskText('day.any')}</option>
        {known.map((name) => (
          <option key={name} value={name}>
            {nameOf(name)}
          </option>
        ))}
      </Select>
    </span>
  );
}

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
        <ToggleButton
          key={name}
          size="small"
          appearance="subtle"
          checked={name === chosen}
          onClick={() => onChoose(name)}
        >
          {text}
        </ToggleButton>
      ))}
    </div>
  );
}
