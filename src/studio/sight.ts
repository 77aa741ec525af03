export interface Sight {
  readonly dark: boolean;
  /** Text at twice its size (WCAG 2.2, 1.4.4). */
  readonly large: boolean;
}

const preference = /\(prefers-color-scheme:\s*(dark|light)\)/g;

/** Original conditions of media rules. */
const written = new WeakMap<CSSMediaRule, string>();

/** Applies preferences to this document. Scripts cannot override media features, so the conditions of media rules are rewritten. */
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
