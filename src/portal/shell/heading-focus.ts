import { useEffect, useState } from 'react';

/** What a page opens with after a refusal: the summary, an urgent notice, or the one field. */
const problems = '.form-summary, .notice, [aria-invalid="true"]';

/**
 * Brings the focus to the heading of each page that is reached without a fresh load, where a screen reader reads on; not where the page opens with
 * what went wrong, which has the focus then.
 */
export function useHeadingFocus(pathname: string): void {
  const [opened] = useState(pathname);
  const [moved, setMoved] = useState(false);
  if (!moved && pathname !== opened) setMoved(true);
  useEffect(() => (moved ? focusHeading() : undefined), [moved, pathname]);
}

/** Focuses the heading when it is drawn, and the next one where it was replaced under the focus; answers the way to stop. */
function focusHeading(): () => void {
  let seen: Element | null = null;
  const look = (): void => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading || heading === seen) return;
    const { activeElement } = document;
    const isRefused = activeElement?.closest('main')?.contains(heading) && activeElement.matches(problems);
    if (!isRefused && (seen === null || activeElement === document.body)) {
      heading.tabIndex = -1;
      if (window.location.hash === '') window.scrollTo(0, 0); // the focus alone would leave the head of the page out of sight
      heading.focus();
    }
    seen = heading;
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
}
