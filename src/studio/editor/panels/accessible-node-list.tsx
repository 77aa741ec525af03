import { useEffect, useState, type RefObject } from 'react';
import { findTextByComputedKey, t } from '../../texts.ts';
import { computeAccessibleDescription, computeAccessibleName, getRole, isInaccessible } from 'dom-accessibility-api';

interface AccessibleNode {
  readonly role: string;
  readonly name: string;
  readonly description: string;
  readonly level: number | null;
  readonly states: readonly ('required' | 'invalid' | 'disabled')[];
  readonly fault: 'nameless' | 'skipped' | null;
}

const announcedSelector = 'h1, h2, h3, h4, h5, h6, a[href], button, input, select, textarea, fieldset, img, [role]';
/** Roles that screen readers do not announce. */
const silentRoles = new Set(['presentation', 'none', 'generic', 'group', 'status', 'region', 'form']);
const namelessRoles = new Set(['alert', 'list', 'listitem', 'img']);

export function listAccessibleNodes(root: ParentNode): readonly AccessibleNode[] {
  let level = 0;
  return [...root.querySelectorAll<HTMLElement>(announcedSelector)].flatMap((element): readonly AccessibleNode[] => {
    const role = getRole(element) ?? '';
    const name = computeAccessibleName(element);
    if (role === '' || isInaccessible(element) || (silentRoles.has(role) && name === '')) return [];
    const own = role === 'heading' ? Number(element.ariaLevel ?? element.localName.slice(1)) : null;
    const isSkipped = own !== null && own > level + 1;
    if (own !== null) level = own;
    const fault = name === '' && !namelessRoles.has(role) ? 'nameless' : isSkipped ? 'skipped' : null;
    const description = computeAccessibleDescription(element);
    return [{ role, name, description, level: own, states: listStates(element), fault }];
  });
}

function listStates(element: HTMLElement): AccessibleNode['states'] {
  const says = (name: string): boolean => element.getAttribute(`aria-${name}`) === 'true';
  const states = {
    required: says('required') || element.hasAttribute('required'),
    invalid: says('invalid'), // reads `aria-invalid`, because screen readers do not announce `:invalid`
    disabled: says('disabled') || element.matches(':disabled'),
  };
  return (['required', 'invalid', 'disabled'] as const).filter((state) => states[state]);
}

/** Delay before the rendered page is read, in milliseconds. */
const settleMs = 150;

export function AccessibleNodeList({ frame }: { frame: RefObject<HTMLIFrameElement | null> }) {
  const [lines, setLines] = useState<readonly AccessibleNode[]>([]);
  useEffect(() => {
    const own = frame.current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = (): void => {
      clearTimeout(timer);
      timer = setTimeout(
        () => setLines(own?.contentDocument ? listAccessibleNodes(own.contentDocument.body) : []),
        settleMs,
      );
    };
    const observer = new MutationObserver(read);
    const watch = (): void => {
      observer.disconnect();
      const body = own?.contentDocument?.body;
      if (body) observer.observe(body, { subtree: true, childList: true, attributes: true, characterData: true });
      read();
    };
    watch();
    own?.addEventListener('load', watch); // watches each new page, because changing the language loads another page into the frame
    return () => {
      clearTimeout(timer);
      observer.disconnect();
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
            {findTextByComputedKey(`role_${role}`) ?? role}
            {level !== null && ` ${level}`}: <strong>{name}</strong>
            {[...states.map((state) => t(`spoken_${state}`)), description].filter(Boolean).map((text) => `, ${text}`)}
            {fault && <strong className="gallery-mark">{t(`spoken_${fault}`)}</strong>}
          </li>
        ))}
      </ol>
    </section>
  );
}
