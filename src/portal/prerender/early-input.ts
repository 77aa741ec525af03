/** Attribute of the last pressed button of a prerendered page. The portal presses the same button after it has rendered. */
export const pressedButtonAttribute = 'aria-busy';

/**
 * Enables the forms of a prerendered page. The portal later transfers the input and presses the same button. A form
 * with an action does not need the portal, because the browser submits it.
 */
export function enableEarlyInput(page: HTMLElement): void {
  page.addEventListener('submit', (event) => {
    if (!(event.target as Element).hasAttribute('action')) event.preventDefault(); // the cast is safe, because the target of a submit event is a form
  });
  page.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('[data-screen] button');
    if (!button || button.closest('form[action]')) return;
    page.querySelector(`button[${pressedButtonAttribute}]`)?.removeAttribute(pressedButtonAttribute);
    button.setAttribute(pressedButtonAttribute, 'true');
  });
  for (const form of page.querySelectorAll('form')) form.inert = false;
}

export function preloadPageModules(page: HTMLElement): void {
  for (const href of page.dataset['modules']?.split(' ') ?? [])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
