import { Dialog, DialogSurface, Field, Input } from '@fluentui/react-components';
import { useId, useLayoutEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { foldAccentsAndCase } from '../../../contract/fold-text.ts';
import { t } from '../../texts.ts';
import { selectSearchEntry } from '../studio-selection.ts';
import { createDefinitionSearch } from '../definition-search.ts';
import type { DefinitionListProps } from './definition-list.tsx';
import { useWindowEvent } from '../../use-window-event.ts';

interface Choice {
  readonly text: string;
  readonly aside: string;
  readonly run: () => void;
}

const maxResults = 12;

export function CommandPalette(props: DefinitionListProps) {
  const [isOpen, setOpen] = useState(false);
  useWindowEvent('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    setOpen(true);
  });
  return (
    <Dialog open={isOpen} surfaceMotion={null} onOpenChange={(_, { open: isNow }) => setOpen(isNow)}>
      <DialogSurface backdropMotion={null} className="studio-quick" aria-label={t('quickOpen')}>
        <Choices {...props} onDone={() => flushSync(() => setOpen(false))} />
      </DialogSurface>
    </Dialog>
  );
}

function Choices({ set, place, go, onDone }: DefinitionListProps & { onDone: () => void }) {
  const [wanted, setWanted] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const [commands] = useState(listPageButtons);
  useLayoutEffect(() => {
    const opener = document.activeElement; // Fluent cannot restore the focus, because no trigger element opened the dialog
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const search = useMemo(() => createDefinitionSearch(set), [set]);
  const part = foldAccentsAndCase(wanted.trim());
  const places = search(wanted).map((entry) => ({
    text: entry.title,
    aside: `${t(`entry_${entry.kind}`)} ${entry.name}${entry.line ? `. ${entry.line.place}: ${entry.line.text}` : ''}`,
    run: () => go(selectSearchEntry(entry, place)),
  }));
  const choices = [...commands.filter(({ text }) => foldAccentsAndCase(text).includes(part)), ...places].slice(
    0,
    maxResults,
  );
  const run = (choice: Choice | undefined): void => {
    if (!choice) return;
    onDone(); // restores the focus first, because the command may move it
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') run(choices[at]);
    else if (direction !== 0) setAt((at + direction + choices.length) % Math.max(1, choices.length));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Field label={t('quickOpen')}>
        <Input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={choices.length > 0 ? `${id}${at}` : undefined}
          autoComplete="off"
          value={wanted}
          onChange={(_, { value }) => {
            setWanted(value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </Field>
      <ul id={id} role="listbox" aria-label={t('quickOpen')}>
        {choices.map((choice, index) => (
          <li
            key={`${choice.text} ${choice.aside}`}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(choice)}
          >
            {choice.text} <span className="studio-aside">{choice.aside}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && <p role="status">{t('quickNothing')}</p>}
    </>
  );
}

function listPageButtons(): readonly Choice[] {
  const places = ['.dev-header', '.studio-middle', '.studio-right', '.studio-problems'];
  const buttons = places.flatMap((own) => [
    ...document.querySelectorAll<HTMLButtonElement>(`${own} button:not(:disabled, [aria-disabled='true'])`),
  ]);
  const buttonsByName = new Map(
    buttons.map((button) => [button.getAttribute('aria-label') ?? button.innerText, button]),
  );
  return [...buttonsByName].map(([text, button]) => ({
    text,
    aside: t('entry_command'),
    run: () => {
      button.focus();
      button.click();
    },
  }));
}
