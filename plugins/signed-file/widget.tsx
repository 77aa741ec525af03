import { makeStyles, tokens } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useRef, useState, type ChangeEvent } from 'react';
import { widgetParts, type WidgetContext, type WidgetProps } from '../../src/engine/react/widget.ts';

type Phase =
  | { readonly name: 'empty' | 'kept' | 'reading' | 'failed' | 'tooLarge' }
  | { readonly name: 'chosen'; readonly file: string; readonly kb: number };

/** Where the option is missing, in kilobytes. */
const usualLimitKb = 2048;
/** In characters. */
const longestName = 100;

const useStyles = makeStyles({
  input: {
    width: '100%',
    minHeight: '2.75rem',
    padding: '0.5rem',
    border: '1px solid var(--field-border)',
    borderRadius: 'var(--radius)',
    font: 'inherit',
  },
  state: { display: 'block', fontSize: tokens.fontSizeBase200 },
});

/** One file of the citizen's device, read as it is chosen. What is too large is never read. */
const SignedFile = observer(function SignedFile(props: WidgetProps) {
  const { field, control, options, t } = widgetParts(props);
  const styles = useStyles();
  const limitKb = typeof options.maxKb === 'number' ? options.maxKb : usualLimitKb;
  const [phase, setPhase] = useState<Phase>(field.value === undefined ? { name: 'empty' } : { name: 'kept' });
  const turn = useRef(0);
  const {
    placeholder: _placeholder,
    readOnly: _readOnly,
    autoComplete: _autoComplete,
    'aria-describedby': describedBy,
    ...rest
  } = control;
  const stateId = `${control.id}-state`;

  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const own = (turn.current += 1);
    const file = target.files?.[0];
    field.set(undefined);
    if (file === undefined) return setPhase({ name: 'empty' });
    if (file.size > limitKb * 1024) return setPhase({ name: 'tooLarge' });
    setPhase({ name: 'reading' });
    const content = await readBase64(file).catch(() => null);
    if (own !== turn.current) return;
    if (content === null) return setPhase({ name: 'failed' });
    field.set(`data:application/octet-stream;name=${plainName(file.name)};base64,${content}`);
    setPhase({ name: 'chosen', file: file.name, kb: Math.max(1, Math.round(file.size / 1024)) });
  };

  return (
    <>
      <input
        {...rest}
        type="file"
        className={styles.input}
        accept={typeof options.accept === 'string' ? options.accept : undefined}
        aria-describedby={[describedBy, stateId].filter(Boolean).join(' ')}
        onChange={(event) => void choose(event)}
        onBlur={() => phase.name === 'reading' || field.blur()}
      />
      <span id={stateId} className={styles.state} role="status">
        {stateText(phase, limitKb, t)}
      </span>
    </>
  );
});

export default SignedFile;

/** A name that needs no encoding: only people read it. */
function plainName(name: string): string {
  return name.replace(/[^\w.-]/g, '_').slice(-longestName);
}

function stateText(phase: Phase, limitKb: number, t: WidgetContext['t']): string {
  if (phase.name === 'empty') return '';
  if (phase.name === 'chosen') return t('chosen', { file: phase.file, kb: phase.kb });
  return t(phase.name, { limit: limitKb / 1024 });
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}
