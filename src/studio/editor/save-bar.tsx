import {
  Toolbar,
  ToolbarButton,
  ToolbarDivider,
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
import { findTextByComputedKey, t } from '../texts.ts';
import { SubmitForm } from './form-controls.tsx';
import { DryRunResult } from './sorted-table.tsx';
import { omitEditsOfDraftedFiles } from './pending-edits.ts';
import { useStudio } from './use-studio.ts';
import { useWindowEvent } from '../use-window-event.ts';

export function SaveBar() {
  const studio = useStudio();
  const { drafts, conflicts, busy } = studio;
  const edits = Object.values(omitEditsOfDraftedFiles(studio));
  const count = edits.reduce((sum, own) => sum + own.edits.length, Object.keys(drafts).length);
  return (
    <div className="studio-save">
      <p role="status">{busy ? t('working') : count === 0 ? t('nothingPending') : t('pending', { count })}</p>
      <Toolbar aria-label={t('saveBar')}>
        <ToolbarButton
          appearance="primary"
          disabledFocusable={busy || count === 0} // unlike `disabled`, keeps the focus on the pressed button
          onClick={() => void studio.saveEdits()}
        >
          {t('save')}
        </ToolbarButton>
        <ToolbarButton disabledFocusable={count === 0} onClick={studio.discardEdits}>
          {t('discard')}
        </ToolbarButton>
        <ToolbarDivider />
        <UndoRedoButtons />
      </Toolbar>
      {conflicts.length > 0 ? <ConflictForm /> : <WriteResult />}
    </div>
  );
}

const textInputs = 'input:not([type="checkbox"]), textarea, [contenteditable="true"], [contenteditable="true"] *';

/** Also handles Ctrl+Z and Ctrl+Y, except in text inputs, which have a native undo. */
function UndoRedoButtons() {
  const studio = useStudio();
  useWindowEvent('keydown', (event) => {
    const isText = event.target instanceof Element && event.target.matches(textInputs);
    const kind = findShortcut(event);
    if (isText || kind === null) return;
    event.preventDefault();
    void studio.undoOrRedo(kind);
  });
  return (['undo', 'redo'] as const).map((kind) => (
    <ToolbarButton
      key={kind}
      title={t(`${kind}Keys`)}
      disabledFocusable={studio.busy || !studio.canUndoOrRedo[kind]}
      onClick={() => void studio.undoOrRedo(kind)}
    >
      {t(kind)}
    </ToolbarButton>
  ));
}

function findShortcut({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): 'undo' | 'redo' | null {
  if (!(ctrlKey || metaKey) || altKey) return null;
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
  return key.toLowerCase() === 'y' ? 'redo' : null;
}

function WriteResult() {
  const { result } = useStudio();
  if (result === null) return null;
  const { kind, answer } = result;
  if (answer.outcome === 'problems' || answer.outcome === 'mismatched')
    return <DryRunResult answer={answer} problems={t('notWritten')} />;
  const files = 'files' in answer ? answer.files.map(({ file }) => file).join(', ') : '';
  if (answer.outcome === 'refused' || answer.outcome === 'conflict')
    return (
      <p role="alert" className="studio-told">
        {answer.outcome === 'conflict'
          ? t('conflict', { files })
          : t('refused', { reason: findTextByComputedKey(`refused${answer.reason}`) ?? answer.reason })}
      </p>
    );
  const text = t(`${kind}In`, { files });
  return (
    <p role="status" className={answer.partial ? undefined : 'studio-said'} title={text}>
      {text} {answer.partial && t('partial')}
    </p>
  );
}

function ConflictForm() {
  const { conflicts, rebaseOnCurrentFiles } = useStudio();
  const [yielded, setYielded] = useState<readonly string[]>([]);
  const others = (key: string) => yielded.filter((own) => own !== key);
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
        <SubmitForm onSubmit={() => rebaseOnCurrentFiles(new Set(yielded))}>
          <DialogBody>
            <DialogTitle>{t('chooseTexts')}</DialogTitle>
            <DialogContent>
              {differing.map(({ key, file, place, mine, now }) => (
                <Field key={key} label={`${file} ${place}`}>
                  <RadioGroup
                    value={yielded.includes(key) ? 'now' : 'mine'}
                    onChange={(_, { value }) => setYielded(value === 'now' ? [...others(key), key] : others(key))}
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
        </SubmitForm>
      </DialogSurface>
    </Dialog>
  );
}
