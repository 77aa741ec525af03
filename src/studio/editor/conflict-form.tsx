import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  DialogTrigger,
  Field,
  Radio,
  RadioGroup,
} from '@fluentui/react-components';
import { useState } from 'react';
import { t } from '../texts.ts';
import type { Conflict } from './conflicts.ts';
import type { Studio } from './use-studio.ts';

/** Says which files somebody else changed, and opens what was typed beside what they hold now: for each of them one is chosen. */
export function ConflictForm({ studio, conflicts }: { studio: Studio; conflicts: readonly Conflict[] }) {
  const [given, setGiven] = useState<ReadonlySet<string>>(new Set());
  const choose = (key: string, isGiven: boolean): void => {
    const next = new Set(given);
    if (isGiven) next.add(key);
    else next.delete(key);
    setGiven(next);
  };
  const differing = conflicts.filter(({ mine, now }) => mine !== now);
  const files = [...new Set(conflicts.map(({ file }) => file))].join(', ');
  return (
    <Dialog surfaceMotion={null}>
      <div role="alert" className="studio-told">
        {t('conflict', { files })}{' '}
        <DialogTrigger>
          <Button>{t('chooseTexts')}</Button>
        </DialogTrigger>
      </div>
      <DialogSurface backdropMotion={null}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            studio.takeNow(given);
          }}
        >
          <DialogBody>
            <DialogTitle>{t('chooseTexts')}</DialogTitle>
            <DialogContent>
              {differing.map(({ key, file, place, mine, now }) => (
                <Field key={key} label={`${file} ${place}`}>
                  <RadioGroup
                    value={given.has(key) ? 'now' : 'mine'}
                    onChange={(_, { value }) => choose(key, value === 'now')}
                  >
                    {Object.entries({ mine, now }).map(([side, text]) => (
                      <Radio
                        key={side}
                        className="studio-side"
                        value={side}
                        label={`${t(side as 'mine' | 'now')} «${text ?? t('sayNothing')}»`}
                      />
                    ))}
                  </RadioGroup>
                </Field>
              ))}
            </DialogContent>
            <DialogActions>
              <Button type="submit" appearance="primary">
                {t('takeChosen')}
              </Button>
              <DialogTrigger>
                <Button>{t('cancel')}</Button>
              </DialogTrigger>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
