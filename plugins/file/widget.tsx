import { isObject, type Json } from '../../src/engine/core/json.ts';
import { decodeUrlPartLeniently } from '../../src/engine/core/values/decode-url-part.ts';
import { observer } from 'mobx-react-lite';
import { useRef, useState, type ChangeEvent } from 'react';
import { toWidgetParts, type WidgetContext, type WidgetProps } from '../../src/engine/react/widget.ts';
import { formatFileSize } from './rule.ts';
import './file.css';

type Phase =
  | { readonly name: 'empty' | 'reading' | 'failed' | 'tooLarge' | 'nothingInside' }
  | { readonly name: 'kept'; readonly file: string }
  | { readonly name: 'chosen'; readonly file: string; readonly kb: number; readonly left: readonly RejectedFiles[] };

interface RejectedFiles {
  readonly why: 'leftTooLarge' | 'leftEmpty' | 'leftFailed' | 'leftOver';
  readonly files: string;
}

/** Maximum length of a file name, in characters. */
const maxNameLength = 100;

/** Reads the file on selection, unless it is too large. In a list of files, adds an item for each further file of a multiple selection. */
const FileWidget = observer(function FileWidget(props: WidgetProps) {
  const { field, form, control, options, schema, t } = toWidgetParts(props);
  const limitKb = readLimit(schema.file);
  const [phase, setPhase] = useState<Phase>(() => toPhase(field.value));
  const turn = useRef(0);
  const {
    placeholder: _placeholder,
    readOnly,
    autoComplete: _autoComplete,
    'aria-describedby': describedBy,
    ...rest
  } = control;
  const stateId = `${control.id}-state`;

  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const own = (turn.current += 1);
    const chosen = [...(target.files ?? [])];
    const empty = chosen.filter(({ size }) => size === 0);
    const large = chosen.filter(({ size }) => size > limitKb * 1024);
    const files = chosen.filter((file) => !empty.includes(file) && !large.includes(file));
    field.set(undefined);
    if (files.length === 0)
      return setPhase({ name: large.length > 0 ? 'tooLarge' : empty.length > 0 ? 'nothingInside' : 'empty' });
    setPhase({ name: 'reading' });
    const contents = await Promise.all(files.map((file) => readBase64(file).catch(() => null)));
    if (own !== turn.current) return;
    const read = files.flatMap((file, index) => (contents[index] === null ? [] : [{ file, content: contents[index] }]));
    const [first, ...others] = read;
    if (!first) return setPhase({ name: 'failed' });
    field.set(encodeFile(first.file, first.content));
    const overLimit = form.append?.(others.map(({ file, content }) => encodeFile(file, content))) ?? 0;
    const rejectedFiles = [
      listRejected('leftTooLarge', large),
      listRejected('leftEmpty', empty),
      listRejected(
        'leftFailed',
        files.filter((_, index) => contents[index] === null),
      ),
      listRejected('leftOver', overLimit > 0 ? others.slice(-overLimit).map(({ file }) => file) : []),
    ].flat();
    setPhase({
      name: 'chosen',
      file: first.file.name,
      kb: Math.max(1, Math.round(first.file.size / 1024)),
      left: rejectedFiles,
    });
  };

  return (
    <>
      <span className="file-choice">
        <input
          {...rest}
          type="file"
          disabled={rest.disabled || readOnly}
          multiple={form.append !== undefined}
          accept={typeof options.accept === 'string' ? options.accept : undefined}
          aria-describedby={[describedBy, stateId].filter(Boolean).join(' ')}
          onChange={(event) => void choose(event)}
          onBlur={() => phase.name === 'reading' || field.blur()}
        />
        <span className="button" aria-hidden="true">
          {t(phase.name === 'chosen' || phase.name === 'kept' ? 'another' : 'choose')}
        </span>
      </span>
      <span id={stateId} className="form-state" role="status">
        {formatState(phase, limitKb, t)}
      </span>
    </>
  );
});

export const options = { accept: { type: 'string' } } as const;

export default FileWidget;

function readLimit(rule: Json | undefined): number {
  return isObject(rule) && typeof rule.maxKb === 'number' ? rule.maxKb : Infinity;
}

function encodeFile({ name }: File, content: string | undefined): string {
  return `data:application/octet-stream;name=${encodeName(name)};base64,${content}`;
}

/** Percent-encodes a file name. Truncates a long name at its beginning, so that it keeps the extension. */
function encodeName(name: string): string {
  return encodeURIComponent(
    [...name.normalize('NFC').replace(/[\p{Cc}\p{Cs}/\\]/gu, '_')].slice(-maxNameLength).join(''),
  );
}

function toPhase(value: unknown): Phase {
  if (value === undefined) return { name: 'empty' };
  return { name: 'kept', file: decodeUrlPartLeniently(/;name=([^;,]*)/.exec(String(value))?.[1] ?? '') };
}

function listRejected(why: RejectedFiles['why'], files: readonly File[]): readonly RejectedFiles[] {
  return files.length === 0 ? [] : [{ why, files: files.map(({ name }) => name).join(', ') }];
}

function formatState(phase: Phase, limitKb: number, t: WidgetContext['t']): string {
  const limit = formatFileSize(limitKb);
  if (phase.name === 'empty') return '';
  if (phase.name === 'kept') return t('kept', { file: phase.file });
  if (phase.name !== 'chosen') return t(phase.name, { limit });
  const { file, kb, left } = phase;
  return [t('chosen', { file, kb }), ...left.map(({ why, files }) => t(why, { files, limit }))].join(' ');
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });
}
