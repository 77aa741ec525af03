/** How somebody has set their device: what a page is drawn for. */
export interface Sight {
  readonly dark: boolean;
  /** Texts of twice their size (WCAG 2.2, 1.4.4). */
  readonly large: boolean;
}

const preference = /\(prefers-color-scheme:\s*(dark|light)\)/g;

/** The conditions of rules as their files have them. */
const written = new WeakMap<CSSMediaRule, string>();

/** Draws this document for a sight, whatever the device prefers: a script cannot set that, so conditions on it are made to hold or not. */
export function drawFor({ dark, large }: Sight): void {
  const { style } = document.documentElement;
  style.colorScheme = dark ? 'dark' : 'light';
  style.fontSize = large ? '200%' : '';
  const preferred = dark ? 'dark' : 'light';
  for (const rule of [...document.styleSheets].flatMap(mediaRules)) {
    const own = written.get(rule) ?? rule.media.mediaText;
    written.set(rule, own);
    const now = own.replaceAll(preference, (_, scheme) =>
      scheme === preferred ? '(min-width: 0px)' : '(max-width: 0px)',
    );
    if (rule.media.mediaText !== now) rule.media.mediaText = now;
  }
}

function mediaRules(sheet: CSSStyleSheet): readonly CSSMediaRule[] {
  return [...sheet.cssRules].filter((rule) => rule instanceof CSSMediaRule);
}
