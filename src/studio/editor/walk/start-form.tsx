import { useState } from 'react';
import type { Flow } from '../../../engine/core/definition.ts';
import { isObject, type Values } from '../../../engine/core/json.ts';
import { t } from '../../texts.ts';
import type { Walk } from '../../walk/walk.ts';
import { ChoiceField, TextField } from '../controls.tsx';

interface StartFormProps {
  readonly flow: Flow;
  /** Those that are kept. */
  readonly walks: readonly Walk[];
  readonly walk: Walk;
  readonly onStart: (walk: Walk) => void;
}

/** Where a walk begins, and what is known then; or one that is kept, walked again. */
export function StartForm({ flow, walks, walk, onStart }: StartFormProps) {
  const [at, setAt] = useState('');
  const [search, setSearch] = useState('');
  const [facts, setFacts] = useState('');
  const [isBroken, setBroken] = useState(false);
  const start = (): void => {
    const known = readFacts(facts);
    setBroken(known === null);
    if (known)
      onStart({
        name: '',
        ...(at === '' ? {} : { at }),
        ...(search === '' ? {} : { search: search.startsWith('?') ? search : `?${search}` }),
        ...(Object.keys(known).length > 0 ? { facts: known } : {}),
      });
  };
  return (
    <form
      aria-label={t('walkStart')}
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <div className="studio-fields">
        <ChoiceField
          label={t('keptWalk')}
          value={walks.some(({ name }) => name === walk.name) ? walk.name : ''}
          options={[['', t('newWalk')], ...walks.map(({ name }) => [name, name] as const)]}
          onChange={(name) => onStart(walks.find((own) => own.name === name) ?? { name: '' })}
        />
        <ChoiceField
          label={t('walkAt')}
          value={at}
          options={[
            ['', flow.initial],
            ...Object.keys(flow.states)
              .filter((name) => name !== flow.initial)
              .map((name) => [name, name] as const),
          ]}
          onChange={setAt}
        />
        <TextField label={t('walkSearch')} value={search} onChange={setSearch} />
        <TextField label={t('walkFacts')} value={facts} long onChange={setFacts} />
      </div>
      {isBroken && <p role="alert">{t('walkFactsBroken')}</p>}
      <button type="submit" className="button">
        {t('walkBegin')}
      </button>
    </form>
  );
}

function readFacts(text: string): Values | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
