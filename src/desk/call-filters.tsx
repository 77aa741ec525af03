import { Select, useId, ToggleButton } from '@fluentui/react-components';
import { getDeskText, findDeskLabel } from './desk-texts.ts';
import type { OperationResponse } from '../contract/contract.ts';

export type ListedCall = OperationResponse<'getDeskDay'>['llamadas'][number];

const ownershipFilters = {
  open: ({ terminada }: ListedCall) => !terminada,
  mine: ({ mia }: ListedCall) => mia,
  free: ({ agente, terminada }: ListedCall) => agente === null && !terminada,
  late: ({ atrasada }: ListedCall) => atrasada,
  all: () => true,
} as const;
type OwnershipFilter = keyof typeof ownershipFilters;
const ownershipFilterNames = Object.keys(ownershipFilters) as readonly OwnershipFilter[]; // `Object.keys` returns `string[]`

/** Filter of a list of calls. An empty value matches all calls. */
interface CallFilter {
  readonly whose: OwnershipFilter;
  readonly agent: string;
  readonly state: string;
  readonly subject: string;
}

export const allCallsFilter: CallFilter = { whose: 'all', agent: '', state: '', subject: '' };
export const openCallsFilter: CallFilter = { ...allCallsFilter, whose: 'open' };

export interface DayCallFilters {
  readonly date: string;
  readonly filter: CallFilter;
}

export function parseDayCallFilters(search: string, today: string): DayCallFilters {
  const query = new URLSearchParams(search);
  const read = (name: string, otherwise: string) => query.get(name) ?? otherwise;
  const date = read('dia', today);
  return {
    date: /^\d{4}-\d\d-\d\d$/.test(date) ? date : today,
    filter: {
      whose: ownershipFilterNames.find((name) => name === query.get('mostrar')) ?? openCallsFilter.whose,
      agent: read('agente', ''),
      state: read('estado', ''),
      subject: read('asunto', ''),
    },
  };
}

/** Returns the query string of the day and its filters. Omits default values. */
export function buildDayCallFiltersQuery({ date, filter }: DayCallFilters, today: string): string {
  const query = new URLSearchParams({
    ...(date !== today && { dia: date }),
    ...(filter.whose !== openCallsFilter.whose && { mostrar: filter.whose }),
    ...(filter.agent !== '' && { agente: filter.agent }),
    ...(filter.state !== '' && { estado: filter.state }),
    ...(filter.subject !== '' && { asunto: filter.subject }),
  });
  return query.size === 0 ? '' : `?${query}`;
}

function getSubject({ asunto, tipo }: Pick<ListedCall, 'asunto' | 'tipo'>): string {
  return asunto === '' ? tipo : asunto;
}

export function formatCallSubject(subject: string): string {
  const kind = findDeskLabel('kind', subject);
  return kind === subject ? findDeskLabel('subject', subject) : kind;
}

export function filterCalls(calls: readonly ListedCall[], filter: CallFilter): readonly ListedCall[] {
  return calls
    .filter(ownershipFilters[filter.whose])
    .filter(({ agente }) => filter.agent === '' || agente?.nombre === filter.agent)
    .filter(({ estado }) => filter.state === '' || estado === filter.state)
    .filter((call) => filter.subject === '' || getSubject(call) === filter.subject);
}

interface CallFiltersProps {
  readonly calls: readonly ListedCall[];
  readonly filter: CallFilter;
  readonly onFilter: (filter: CallFilter) => void;
}

export function CallFilters({ calls, filter, onFilter }: CallFiltersProps) {
  return (
    <div className="desk-bar">
      <ToggleButtonGroup
        label={getDeskText('day.show')}
        choices={ownershipFilterNames.map((whose) => {
          const count = filterCalls(calls, { ...filter, whose }).length;
          return [whose, `${getDeskText(`day.${whose}`)} (${count})`] as const;
        })}
        chosen={filter.whose}
        onChoose={(whose) => onFilter({ ...filter, whose })}
      />
      <FilterSelect
        label={getDeskText('day.agent')}
        value={filter.agent}
        values={calls.flatMap(({ agente }) => agente?.nombre ?? [])}
        onChoose={(agent) => onFilter({ ...filter, agent })}
      />
      <FilterSelect
        label={getDeskText('day.state')}
        value={filter.state}
        values={calls.map(({ estado }) => estado)}
        onChoose={(state) => onFilter({ ...filter, state })}
      />
      <FilterSelect
        label={getDeskText('call.subject')}
        value={filter.subject}
        values={calls.map(getSubject)}
        nameOf={formatCallSubject}
        onChoose={(subject) => onFilter({ ...filter, subject })}
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

/**
 * Select with the values that occur in the calls. Keeps the selected value as an option even if no call has it any
 * more.
 */
function FilterSelect({ label, value, values, nameOf = (name) => name, onChoose }: ChoiceProps) {
  const id = useId();
  const known = [...new Set(value === '' ? values : [...values, value])].sort((a, b) =>
    nameOf(a).localeCompare(nameOf(b)),
  );
  return (
    <span className="desk-bar">
      <label htmlFor={id}>{label}</label>
      <Select id={id} size="small" value={value} onChange={(_, { value: chosen }) => onChoose(chosen)}>
        <option value="">{getDeskText('day.any')}</option>
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

/**
 * Group of toggle buttons. Not Fluent's TabList or Toolbar, because these contain hidden focusable elements, which axe
 * reports.
 */
export function ToggleButtonGroup<Name extends string>({ label, choices, chosen, onChoose }: SegmentsProps<Name>) {
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
