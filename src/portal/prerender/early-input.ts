/** Marks the button of a prerendered page that was pressed last: nobody is there yet to answer it. */
export const pressedMark = 'aria-busy';

/** Opens the forms of a prerendered page: what is typed and pressed is kept for the portal. */
export function takeEarlyInput(page: HTMLElement): void {
  page.addEventListener('submit', (event) => event.preventDefault());
  page.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('[data-screen] button');
    if (!button) return;
    page.querySelector(`button[${pressedMark}]`)?.removeAttribute(pressedMark);
    button.setAttribute(pressedMark, 'true');
  });
  for (const form of page.querySelectorAll('form')) form.inert = false;
}
