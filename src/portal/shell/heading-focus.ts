import { useEffect, useState } from 'react';

/** Brings the focus to the heading of each page that is reached without a fresh load, where a screen reader reads on. */
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
    if (seen === null || document.activeElement === document.body) {
      heading.tabIndex = -1;
      heading.focus();
    }
    seen = heading;
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
}
