import { useEffect, useState } from 'react';

/** Brings the focus to the heading of each page that is reached without a fresh load, where a screen reader reads on. */
export function useHeadingFocus(pathname: string): void {
  const [opened] = useState(pathname);
  const [moved, setMoved] = useState(false);
  if (!moved && pathname !== opened) setMoved(true);
  useEffect(() => (moved ? focusHeading() : undefined), [moved, pathname]);
}

/** Focuses the heading at once, or when it is drawn; answers the way to stop waiting. */
function focusHeading(): () => void {
  const observer = new MutationObserver(() => focusNow() && observer.disconnect());
  if (!focusNow()) observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

function focusNow(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!heading) return false;
  heading.tabIndex = -1;
  heading.focus();
  return true;
}
