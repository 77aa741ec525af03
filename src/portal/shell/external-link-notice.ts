import { readPageData } from '../navigation/read-page-data.ts';
import { createTranslate, loadPortalTexts } from '../portal-texts.ts';

/** Does not use React, because prerendered pages show the notice without loading React. */
export async function showExternalLinkNotice(link: HTMLAnchorElement): Promise<void> {
  const t = createTranslate(await loadPortalTexts(document.documentElement.lang === 'pt' ? 'pt' : 'es'));
  const values = { product: readPageData().config.brand.product, host: link.host };
  const go = createElement('a', 'button button-primary', t('leaving.go'));
  const stay = createElement('button', 'button', t('leaving.stay'));
  const actions = createElement('div', 'screen-actions', go, stay);
  const title = createElement('h2', '', t('leaving.title', values));
  title.id = 'leaving-title';
  const screen = createElement('section', 'screen', title, createElement('p', '', t('leaving.text', values)), actions);
  const dialog = createElement('dialog', 'dialog leaving', screen);
  dialog.setAttribute('aria-labelledby', title.id);
  Object.assign(go, { href: link.href, target: link.target, rel: 'noopener noreferrer' });
  stay.type = 'button';
  for (const action of [go, stay]) action.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}
