import { computeAccessibleDescription, computeAccessibleName, getRole, isInaccessible } from 'dom-accessibility-api';

export interface Spoken {
  /** ARIA role. */
  readonly role: string;
  readonly name: string;
  /** Help and error message. */
  readonly description: string;
  readonly level: number | null;
  readonly states: readonly ('required' | 'invalid' | 'disabled')[];
  /** Accessibility problem: no name, or a skipped heading level. */
  readonly fault: 'nameless' | 'skipped' | null;
}

const spoken = 'h1, h2, h3, h4, h5, h6, a[href], button, input, select, textarea, fieldset, img, [role]';
/** Roles that are not announced by themselves. */
const silent = new Set(['presentation', 'none', 'generic', 'group', 'status', 'region', 'form']);
/** Roles that do not need a name. */
const nameless = new Set(['alert', 'list', 'listitem', 'img']);

/** Returns the announcements of a page in reading order. */
export function spokenOf(root: ParentNode): readonly Spoken[] {
  let level = 0;
  return [...root.querySelectorAll<HTMLElement>(spoken)].flatMap((element): readonly Spoken[] => {
    const role = getRole(element) ?? '';
    const name = computeAccessibleName(element);
    if (role === '' || isInaccessible(element) || (silent.has(role) && name === '')) return [];
    const own = role === 'heading' ? Number(element.ariaLevel ?? element.localName.slice(1)) : null;
    const isSkipped = own !== null && own > level + 1;
    if (own !== null) level = own;
    const fault = name === '' && !nameless.has(role) ? 'nameless' : isSkipped ? 'skipped' : null;
    return [
      { role, name, description: computeAccessibleDescription(element), level: own, states: statesOf(element), fault },
    ];
  });
}

function statesOf(element: HTMLElement): Spoken['states'] {
  const says = (name: string): boolean => element.getAttribute(`aria-${name}`) === 'true';
  const states = {
    required: says('required') || element.hasAttribute('required'),
    invalid: says('invalid'), // native validity is not announced
    disabled: says('disabled') || element.matches(':disabled'),
  };
  return (['required', 'invalid', 'disabled'] as const).filter((state) => states[state]);
}
