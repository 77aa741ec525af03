import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { toWidgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';

const FileDownload = observer(function FileDownload(props: WidgetProps) {
  const { field, control, t } = toWidgetParts(props);
  const { value } = field;
  const [address, setAddress] = useState<string | null>(null);
  const file = parseDataUrl(value);
  useEffect(() => {
    const content = parseDataUrl(value);
    if (content === null) return undefined;
    const objectUrl = URL.createObjectURL(new Blob([content.bytes], { type: content.type }));
    setAddress(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [value]);
  if (file === null)
    return (
      <p id={control.id} role="alert">
        {t('missing')}
      </p>
    );
  const kb = Math.max(1, Math.round(file.bytes.length / 1024));
  return (
    <p className="file-download">
      <a
        id={control.id}
        className="button"
        href={address ?? undefined}
        download={file.name}
        aria-describedby={control['aria-describedby']}
      >
        {t('download', { file: file.name, kb })}
      </a>
    </p>
  );
});

export default FileDownload;

/** Parses `data:<type>;name=<name>;base64,<content>`. Returns `null` for anything else. */
export function parseDataUrl(url: unknown) {
  const [, type, name, content] =
    /^data:([\w./+-]+);name=([^;,]+);base64,([A-Za-z0-9+/]*={0,2})$/.exec(typeof url === 'string' ? url : '') ?? [];
  if (type === undefined || name === undefined || content === undefined) return null;
  try {
    return {
      name: decodeURIComponent(name),
      type,
      bytes: Uint8Array.from(atob(content), (character) => character.charCodeAt(0)),
    };
  } catch {
    return null; // the base64 or the percent-encoding is invalid
  }
}
