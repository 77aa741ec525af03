import { Tab, TabList } from '@fluentui/react-components';
import { useId, type ReactNode } from 'react';
import { Part } from '../page-parts.tsx';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [name: Name, text: string])[];
  readonly chosen: Name;
  /** Revision of the definitions, which resets the error boundary. */
  readonly reading: number;
  readonly onChoose: (name: Name) => void;
  readonly children: ReactNode;
}

export function Tabs<Name extends string>({ label, tabs, chosen, reading, onChoose, children }: TabsProps<Name>) {
  const id = useId();
  return (
    <>
      <TabList
        aria-label={label}
        selectTabOnFocus
        selectedValue={chosen}
        onTabSelect={(_, { value }) => value !== chosen && onChoose(value as Name)} // one of the names below
      >
        {tabs.map(([name, text]) => (
          <Tab key={name} value={name} id={`${id}${name}`} aria-controls={`${id}panel`}>
            {text}
          </Tab>
        ))}
      </TabList>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${chosen}`}>
        <Part at={`${chosen} ${reading}`}>{children}</Part>
      </div>
    </>
  );
}
