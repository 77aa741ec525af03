import { useEffect, useState, type RefObject } from 'react';
import { t } from '../../texts.ts';
import { spokenOf, type Spoken } from './spoken.ts';

/** Roles with a Spanish translation. */
const roles = [
  'heading',
  'textbox',
  'searchbox',
  'spinbutton',
  'checkbox',
  'radio',
  'radiogroup',
  'combobox',
  'listbox',
  'option',
] as const;
const others = ['button', 'link', 'group', 'img', 'alert', 'status', 'list', 'region', 'form', 'dialog'] as const;

/** Time for a rendering to settle before it is read, in milliseconds. */
const pauseMs = 150;

export function SpokenList({ frame }: { frame: RefObject<HTMLIFrameElement | null> }) {
  const [lines, setLines] = useState<readonly Spoken[]>([]);
  useEffect(() => {
    const own = frame.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setLines(own?.contentDocument ? spokenOf(own.contentDocument.body) : []), pauseMs);
    };
    const drawn = new MutationObserver(read);
    const watch = (): void => {
      drawn.disconnect();
      const body = own?.contentDocument?.body;
      if (body) drawn.observe(body, { subtree: true, childList: true, attributes: true, characterData: true });
      read();
    };
    watch();
    own?.addEventListener('load', watch); // another language loads another page
    return () => {
      clearTimeout(timer);
      drawn.disconnect();
      own?.removeEventListener('load', watch);
    };
  }, [frame]);
  const faults = lines.filter(({ fault }) => fault !== null).length;
  return (
    <section aria-label={t('spoken')}>
      <h3>{t('spoken')}</h3>
      <p role="status">{faults === 0 ? t('spokenFine') : t('spokenFaults', { count: faults })}</p>
      <ol>
        {lines.map(({ role, name, description, level, states, fault }, index) => (
          <li key={index}>
            {roleText(role)}
            {level !== null && ` ${level}`}: <strong>{name}</strong>
            {[...states.map((state) => t(`spoken_${state}`)), description].filter(Boolean).map((text) => `, ${text}`)}
            {fault && <strong className="gallery-mark">{t(`spoken_${fault}`)}</strong>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function roleText(role: string): string {
  const known = [...roles, ...others].find((own) => own === role);
  return known ? t(`role_${known}`) : role;
}
