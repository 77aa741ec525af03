import { useEffect, useState } from 'react';

/** Elements that take the focus after a rejected form: the error summary, an urgent notice, or the invalid field. */
const problems = '.form-summary, .notice, [aria-invalid="true"]';

/**
 * Moves the focus to the heading after each navigation without a page load, so that screen readers continue there. A page that opens with an error
 * keeps the focus on the error.
 */
export function useHeadingFocus(pathname: string): void {
  const [opened] = useState(pathname);
  const [moved, setMoved] = useState(false);
  if (!moved && pathname !== opened) setMoved(true);
  useEffect(() => (moved ? focusHeading() : undefined), [moved, pathname]);
}

/** Focuses the heading once it is rendered, and its successor if it is replaced while focused. Returns a function that stops this. */
function focusHeading(): () => void {
  let seen: Element | null = null;
  const look = (): void => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading || heading === seen) return;
    const { activeElement } = document;
    const isRefused = activeElement?.closest('main')?.contains(heading) && activeElement.matches(problems);
    if (!isRefused && (seen === null || activeElement === document.body)) {
      heading.tabIndex = -1;
      if (window.location.hash === '') window.scrollTo(0, 0); // `focus` only scrolls the heading into view, not the top of the page
      heading.focus();
    }
    seen = heading;
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
}
